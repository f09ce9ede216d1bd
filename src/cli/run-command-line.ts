import { MokurokuError } from '../client/index.ts';
import type { Command } from './command.ts';
import { UsageError } from './command.ts';
import { COMMANDS } from './commands.ts';
import { EXIT } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { renderCommandHelp, renderHelp } from './help.ts';
import { didYouMean } from './nearest.ts';
import { readArguments } from './read-arguments.ts';
import { describeError, exitCodeOf } from './report-error.ts';
import { createStyle } from './style.ts';
import type { Terminal } from './terminal.ts';

const asksForHelp = (words: readonly string[]): boolean => {
  const end = words.indexOf('--');
  return words.slice(0, end < 0 ? undefined : end).some((word) => word === '--help' || word === '-h');
};

/** Runs one command line (without `node` and the script). The result is the exit code; only a bug rejects. */
export async function runCommandLine(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [name, ...rest] = words;
  try {
    if (name === undefined || name === 'help' || name.startsWith('-')) {
      return await withoutCommand(words, terminal);
    }
    const command = await findCommand(name);
    if (asksForHelp(rest)) {
      terminal.out(renderCommandHelp(command, terminal.columns));
      return EXIT.done;
    }
    return await command.run(readArguments(command, rest), terminal);
  } catch (error) {
    return report(error, name, terminal);
  }
}

async function findCommand(name: string): Promise<Command> {
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (entry) return entry.load();
  throw new UsageError(`There is no command ${name}.${didYouMean(name, Object.keys(COMMANDS))}`);
}

function report(error: unknown, name: string | undefined, terminal: Terminal): ExitCode {
  if (terminal.interrupted.aborted) return EXIT.interrupted;
  const style = createStyle(terminal.errHasColour);
  if (error instanceof MokurokuError) {
    terminal.err(describeError(error, style));
    return exitCodeOf(error);
  }
  if (!(error instanceof UsageError)) throw error;
  const about = name !== undefined && Object.hasOwn(COMMANDS, name) ? `${name} ` : '';
  terminal.err(`${style.red(error.message)}\nMore: mokuroku ${about}--help\n`);
  return EXIT.usage;
}

async function withoutCommand(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [first, second] = words;
  if (first === '--version' || first === '-v') {
    const { VERSION } = await import('../process/version.ts');
    terminal.out(`${VERSION}\n`);
    return EXIT.done;
  }
  if (first === 'help' && second !== undefined) return runCommandLine([second, '--help'], terminal);
  if (first === undefined || first === 'help' || first === '--help' || first === '-h') {
    (first === undefined ? terminal.err : terminal.out)(renderHelp(COMMANDS));
    return first === undefined ? EXIT.usage : EXIT.done;
  }
  throw new UsageError(`Options stand behind the command: mokuroku <command> ${first} ...`);
}
