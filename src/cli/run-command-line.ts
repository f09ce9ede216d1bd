import { UsageError } from './command.ts';
import { COMMANDS } from './commands.ts';
import { EXIT } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { renderCommandHelp, renderHelp } from './help.ts';
import { didYouMean } from './nearest.ts';
import { readArguments } from './read-arguments.ts';
import type { Terminal } from './terminal.ts';

const asksForHelp = (words: readonly string[]): boolean => {
  const end = words.indexOf('--');
  return words.slice(0, end < 0 ? undefined : end).some((word) => word === '--help' || word === '-h');
};

/** Runs one command line (without `node` and the script). Never throws; the result is the exit code. */
export async function runCommandLine(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [name, ...rest] = words;
  try {
    if (name === undefined || name === 'help' || name.startsWith('-'))
      return await withoutCommand(words, terminal);
    const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!entry) {
      throw new UsageError(`There is no command ${name}.${didYouMean(name, Object.keys(COMMANDS))}`);
    }
    const command = await entry.load();
    if (asksForHelp(rest)) {
      terminal.out(renderCommandHelp(command));
      return EXIT.done;
    }
    return await command.run(readArguments(command, rest), terminal);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    terminal.err(`${error.message}\nMore: mokuroku ${name && name in COMMANDS ? `${name} ` : ''}--help\n`);
    return EXIT.usage;
  }
}

async function withoutCommand(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [first, second] = words;
  if (first === '--version' || first === '-v') {
    const { VERSION } = await import('../kit/version.ts');
    terminal.out(`${VERSION}\n`);
    return EXIT.done;
  }
  if (first === 'help' && second !== undefined) return runCommandLine([second, '--help'], terminal);
  if (first === undefined || first === 'help' || first === '--help' || first === '-h') {
    terminal.out(renderHelp(COMMANDS));
    return first === undefined ? EXIT.usage : EXIT.done;
  }
  throw new UsageError(`An option cannot stand before the command: ${first}`);
}
