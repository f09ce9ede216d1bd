import type { ArgsDef, ParsedArgs } from 'citty';
import type { ExitCode } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

/** One subcommand: what it is called, takes and does. */
export interface Command<Args extends ArgsDef = ArgsDef> {
  name: string;
  /** One sentence for the list of commands. */
  summary: string;
  args: Args;
  /** The one positional may be given several times. */
  takesMany?: boolean;
  /** Values of options and words that come from a closed set, for completion. */
  values?: Readonly<Record<string, readonly string[]>>;
  examples: readonly string[];
  run: (args: ParsedArgs<Args>, terminal: Terminal) => Promise<ExitCode>;
}

/** Keeps the argument types, then forgets them: commands stand in one table. */
export function defineCommand<const Args extends ArgsDef>(command: Command<Args>): Command {
  return command as unknown as Command;
}

/** A command line that cannot be run; `message` names what is wrong and what would be right. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
