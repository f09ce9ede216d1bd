import type { ExitCode } from './exit-codes.ts';
import { text } from '@mokuroku/kit';
import type { Text } from '@mokuroku/kit';
import { say, sayMeant } from './terminal.ts';
import type { Terminal } from './terminal.ts';

export interface CommandOption extends OptionRules {
  type: 'boolean' | 'string';
  description: Text;
  /** Placeholder of the value in the help: `--date <date>`. */
  valueHint?: string;
  /** Section of the help; options without one come first. */
  group?: Text | undefined;
}

/** Other options of the command, by name. */
interface OptionRules {
  /** This option cannot be combined with these. */
  excludes?: readonly string[];
  /** This option cannot be given without that one. */
  needs?: string;
}

export type Options = Readonly<Record<string, CommandOption>>;

/** An option without a value. */
export const flag = (en: string, ja: string, group?: Text, rules?: OptionRules) =>
  ({ type: 'boolean', description: text(en, ja), group, ...rules }) as const;

/** An option with a value, which the help writes as `<hint>`. */
export const option = (valueHint: string, en: string, ja: string, group?: Text, rules?: OptionRules) =>
  ({ type: 'string', description: text(en, ja), valueHint, group, ...rules }) as const;

/** Positional arguments of a command. */
interface Word {
  name: string;
  description: Text;
  isOptional?: boolean;
  /** Repeatable. */
  isMany?: boolean;
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
  summary: Text;
  load: () => Promise<Command>;
}

/** Checks the types of the arguments, then erases them: the table has commands of different types. */
export function defineCommand<const Args extends Options>(command: Command<Args>): Command {
  return command as unknown as Command;
}

/** The value of an option that is a whole number; a UsageError with the bounds if it is not. */
export function readWholeNumber(option: string, given: string, from: number, to: number): number {
  if (/^\d{1,9}$/.test(given) && Number(given) >= from && Number(given) <= to) return Number(given);
  throw new UsageError(
    `${option} ${given}: use a whole number from ${from} to ${to}.`,
    `${option} ${given}: ${from} から ${to} までの整数にしてください。`,
  );
}

/** An invalid command line: the fault and the remedy. */
export class UsageError extends Error {
  readonly #ja: string;
  readonly #meant: string | undefined;

  /** `meant`: the closest known word. */
  constructor(en: string, ja: string, meant?: string) {
    super(en);
    this.name = 'UsageError';
    [this.#ja, this.#meant] = [ja, meant];
  }

  toText(terminal: Pick<Terminal, 'language'>): string {
    const text = say(terminal, this.message, this.#ja);
    return this.#meant === undefined ? text : `${text} ${sayMeant(terminal, this.#meant)}`;
  }
}
