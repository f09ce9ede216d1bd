import { MokurokuError } from '../client/index.ts';
import type { Command } from './command.ts';
import { UsageError } from './command.ts';
import { COMMANDS } from './commands.ts';
import { EXIT, exitCodeOf } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { renderCommandHelp, renderHelp } from './help.ts';
import { didYouMean } from './nearest.ts';
import { parseOptions } from './parse-options.ts';
import { describeError } from './report-error.ts';
import { say } from './say.ts';
import { createStyle } from './terminal.ts';
import type { Terminal } from './terminal.ts';

/** Runs one command line (without `node` and the script). The result is the exit code; only a bug rejects. */
export async function runCommandLine(given: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [name, ...rest] = given;
  try {
    if (name === undefined || name === 'help' || name.startsWith('-')) {
      return await withoutCommand(given, terminal);
    }
    const command = await findCommand(name);
    const { args, words, asksForHelp } = parseOptions(command, rest);
    if (!asksForHelp) return await command.run(args, terminal, words);
    terminal.out(renderCommandHelp(command, terminal));
    return EXIT.done;
  } catch (error) {
    return report(error, name, terminal);
  }
}

async function findCommand(name: string): Promise<Command> {
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load) return load();
  throw new UsageError(`There is no command ${name}.${didYouMean(name, Object.keys(COMMANDS))}`);
}

function report(error: unknown, name: string | undefined, terminal: Terminal): ExitCode {
  if (terminal.interrupted.aborted) return EXIT.interrupted;
  if (error instanceof MokurokuError) {
    terminal.err(describeError(error, terminal));
    return exitCodeOf(error);
  }
  if ((error as NodeJS.ErrnoException).code === 'EMFILE') {
    terminal.err('This process may open too few files. Allow it 1024 or more: ulimit -n 1024\n');
    return EXIT.usage;
  }
  if (!(error instanceof UsageError)) throw error;
  const about = name !== undefined && Object.hasOwn(COMMANDS, name) ? `${name} ` : '';
  const { red } = createStyle(terminal.errHasColour);
  terminal.err(`${red(error.message)}\n${say(terminal, 'More:')} mokuroku ${about}--help\n`);
  return EXIT.usage;
}

async function withoutCommand([first, second]: readonly string[], terminal: Terminal): Promise<ExitCode> {
  if (first === '--version' || first === '-v') {
    const { VERSION } = await import('../process/version.ts');
    terminal.out(`${VERSION}\n`);
    return EXIT.done;
  }
  if (first === 'help' && second !== undefined) return runCommandLine([second, '--help'], terminal);
  if (first === undefined || first === 'help' || first === '--help' || first === '-h') {
    const commands = await Promise.all(Object.values(COMMANDS).map((load) => load()));
    (first === undefined ? terminal.err : terminal.out)(renderHelp(commands, terminal));
    return first === undefined ? EXIT.usage : EXIT.done;
  }
  throw new UsageError(`Options stand behind the command: mokuroku <command> ${first} ...`);
}
