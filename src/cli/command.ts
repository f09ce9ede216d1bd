import type { ExitCode } from './exit-codes.ts';
import type { Text } from '../process/text.ts';
import { say } from './say.ts';
import type { Phrase, PhraseValues } from './say.ts';
import type { Terminal } from './terminal.ts';

export interface CommandOption {
  type: 'boolean' | 'string';
  description: string | Text;
  /** Placeholder of the value in the help: `--date <date>`. */
  valueHint?: string;
  /** The values of a closed set, for completion. */
  values?: readonly string[];
  /** Section of the help; options without one come first. */
  group?: string;
}

export type Options = Readonly<Record<string, CommandOption>>;

/** Positional arguments of a command. */
interface Word {
  name: string;
  description: string | Text;
  isOptional?: boolean;
  /** Repeatable. */
  isMany?: boolean;
  values?: readonly string[];
}

interface OptionValue {
  boolean: true;
  string: string;
}

/** The options that were given: a flag is true, any other value is unparsed text. */
export type GivenOptions<Args extends Options> = {
  [Name in keyof Args]?: OptionValue[Args[Name]['type']] | undefined;
};

/** One subcommand: its arguments and what it runs. */
export interface Command<Args extends Options = Options> {
  word?: Word;
  args: Args;
  /** The options that `--help` lists, if they are too many; `--help all` lists all. */
  commonOptions?: readonly string[] | undefined;
  examples: readonly string[];
  run: (args: GivenOptions<Args>, terminal: Terminal, words: readonly string[]) => Promise<ExitCode>;
}

/** A command as listed in the table of commands. */
export interface ListedCommand {
  /** One sentence. */
  summary: string;
  load: () => Promise<Command>;
}

/** Checks the types of the arguments, then erases them: the table has commands of different types. */
export function defineCommand<const Args extends Options>(command: Command<Args>): Command {
  return command as unknown as Command;
}

/** An invalid command line: the fault and the remedy. */
export class UsageError extends Error {
  readonly #phrase: Phrase;
  readonly #values: PhraseValues;
  readonly #meant: string | undefined;

  /** `meant`: the closest known word. */
  constructor(phrase: Phrase, values: PhraseValues = {}, meant?: string) {
    super(say({ language: 'en' }, phrase, values));
    this.name = 'UsageError';
    [this.#phrase, this.#values, this.#meant] = [phrase, values, meant];
  }

  toText(terminal: Pick<Terminal, 'language'>): string {
    const text = say(terminal, this.#phrase, this.#values);
    if (this.#meant === undefined) return text;
    return `${text} ${say(terminal, 'Did you mean {meant}?', { meant: this.#meant })}`;
  }
}
