import { VERSION } from '@mokuroku/kit/process';
import { MokurokuError } from 'mokuroku-client/source';
import type { ListedCommand } from './command.ts';
import { UsageError } from './command.ts';
import { COMMANDS } from './commands.ts';
import { EXIT, exitCodeOf } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { renderCommandHelp, renderHelp } from './help.ts';
import { nearestWord, ownValue } from '@mokuroku/kit';
import { parseOptions } from './parse-options.ts';
import { describeError } from './report-error.ts';
import { createStyle, say } from './terminal.ts';
import type { Terminal } from './terminal.ts';

/** Runs one command line (without `node` and the script). The result is the exit code; only a bug rejects. */
export async function runCommandLine(given: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [name, ...rest] = given;
  try {
    if (name === undefined || name === 'help' || name.startsWith('-')) {
      return await withoutCommand(given, terminal);
    }
    const { summary, load } = findCommand(name);
    const command = await load();
    const { args, words, help } = parseOptions(name, command, rest);
    if (help === undefined) {
      return await command.run(args, terminal, words).catch((error: unknown) => {
        throw 'base-url' in command.args && isOfView(error) ? notJson(error) : error;
      });
    }
    const shown = help === 'all' ? { ...command, commonOptions: undefined } : command;
    terminal.out(renderCommandHelp(name, summary, shown, terminal));
    return EXIT.done;
  } catch (error) {
    return report(error, name, terminal);
  }
}

/** Responses are not validated. A TypeError in a view, or a RangeError of a date, means a response of another form. */
const isOfView = (error: unknown): error is Error =>
  error instanceof TypeError || error instanceof RangeError;

const notJson = (cause: Error): MokurokuError =>
  new MokurokuError({
    code: 'not_json',
    url: '',
    cause,
    message: `The response has an unknown format for this version of the command (${cause.message}).`,
  });

function findCommand(name: string): ListedCommand {
  const command = ownValue(COMMANDS, name);
  if (command) return command;
  throw new UsageError(
    `There is no command ${name}.`,
    `${name} というコマンドはありません。`,
    nearestWord(name, Object.keys(COMMANDS)),
  );
}

/** By name, because the modules that define the other two are loaded with their commands. */
const USER_FAULTS = new Set(['UsageError', 'ConfigError', 'FolderInUse']);

function report(error: unknown, name: string | undefined, terminal: Terminal): ExitCode {
  if (terminal.interrupted.aborted) return EXIT.interrupted;
  if (error instanceof MokurokuError) {
    terminal.err(describeError(error, terminal));
    return exitCodeOf(error);
  }
  if ((error as NodeJS.ErrnoException).code === 'EMFILE') {
    const text = say(
      terminal,
      'This process may open too few files. Allow it 1024 or more: ulimit -n 1024',
      '開けるファイルの数が足りません。1024 以上にしてください: ulimit -n 1024',
    );
    terminal.err(`${text}\n`);
    return EXIT.usage;
  }
  if (!(error instanceof Error && USER_FAULTS.has(error.name))) throw error;
  const about = name !== undefined && Object.hasOwn(COMMANDS, name) ? `${name} ` : '';
  const { red } = createStyle(terminal.errHasColour);
  const text = error instanceof UsageError ? error.toText(terminal) : error.message;
  terminal.err(`${red(text)}\n${say(terminal, 'More:', '詳しくは:')} mokuroku ${about}--help\n`);
  return EXIT.usage;
}

async function withoutCommand([first, second]: readonly string[], terminal: Terminal): Promise<ExitCode> {
  if (first === '--version' || first === '-v') {
    terminal.out(`${VERSION}\n`);
    return EXIT.done;
  }
  if (first === 'help' && second !== undefined) return runCommandLine([second, '--help'], terminal);
  if (first === undefined || first === 'help' || first === '--help' || first === '-h') {
    (first === undefined ? terminal.err : terminal.out)(renderHelp(COMMANDS, terminal));
    return first === undefined ? EXIT.usage : EXIT.done;
  }
  throw new UsageError(
    `Options follow the command: mokuroku <command> ${first} ...`,
    `オプションはコマンドの後に書きます: mokuroku <コマンド> ${first} ...`,
  );
}
