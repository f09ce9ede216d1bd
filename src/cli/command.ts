import type { ExitCode } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

export interface Option {
  type: 'boolean' | 'string';
  description: string;
  /** What stands for the value in the help: `--date <date>`. */
  valueHint?: string;
  /** The values of a closed set, for completion. */
  values?: readonly string[];
  /** The section of the help it stands in; those without one come first. */
  group?: string;
}

export type Options = Readonly<Record<string, Option>>;

/** What a command takes beside its options. */
interface Word {
  name: string;
  description: string;
  isOptional?: boolean;
  /** It may be given several times. */
  isMany?: boolean;
  values?: readonly string[];
}

interface ValueOf {
  boolean: true;
  string: string;
}

/** The options that were given: a flag is true, everything else a text that whoever uses it judges. */
export type GivenOptions<Args extends Options> = {
  [Name in keyof Args]?: ValueOf[Args[Name]['type']] | undefined;
};

/** One subcommand: what it takes and does. */
export interface Command<Args extends Options = Options> {
  word?: Word;
  args: Args;
  examples: readonly string[];
  run: (args: GivenOptions<Args>, terminal: Terminal, words: readonly string[]) => Promise<ExitCode>;
}

/** A command as the table of them has it. */
export interface ListedCommand {
  /** One sentence. */
  summary: string;
  load: () => Promise<Command>;
}

/** Keeps the argument types, then forgets them: commands stand in one table. */
export function defineCommand<const Args extends Options>(command: Command<Args>): Command {
  return command as unknown as Command;
}

/** A command line that cannot be run; `message` names what is wrong and what would be right. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
