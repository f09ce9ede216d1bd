import { parseArgs } from 'node:util';
import type { Command, GivenOptions, Options } from './command.ts';
import { UsageError } from './command.ts';
import { didYouMean } from './nearest.ts';

interface OptionToken {
  name: string;
  rawName: string;
  value?: string | undefined;
  inlineValue?: boolean | undefined;
}

interface ParsedCommandLine {
  args: GivenOptions<Options>;
  words: readonly string[];
  asksForHelp: boolean;
}

/**
 * Reads what stands behind a command's name. `parseArgs` splits it; what would change the question silently (an
 * unknown option, one without its value, a word too many) is refused here, in words that say what would be right.
 */
export function parseOptions(name: string, command: Command, given: readonly string[]): ParsedCommandLine {
  const types = Object.entries(command.args).map(([name, { type }]) => [name, { type }] as const);
  const { values, positionals, tokens } = parseArgs({
    args: [...given],
    options: { ...Object.fromEntries(types), help: { type: 'boolean', short: 'h' } },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const { help, ...args } = values;
  if (help === true) return { args: {}, words: [], asksForHelp: true };
  for (const token of tokens) if (token.kind === 'option') checkOption(name, command, token);
  checkWords(name, command, positionals);
  return { args: args as GivenOptions<Options>, words: positionals, asksForHelp: false };
}

function checkOption(command: string, { args }: Command, token: OptionToken): void {
  const { name, rawName, value, inlineValue } = token;
  const option = Object.hasOwn(args, name) ? args[name] : undefined;
  if (!option || rawName !== `--${name}`) {
    const known = [...Object.keys(args), 'help'].map((each) => `--${each}`);
    throw new UsageError(`${command} has no option ${rawName}.${didYouMean(rawName, known)}`);
  }
  if (option.type === 'boolean') {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value.`);
  } else if (value === undefined || (!inlineValue && /^--?[a-z]/i.test(value))) {
    // `--order --json`: the next option is no value, though a number such as -5 may be one.
    throw new UsageError(`${rawName} needs a value: ${option.description}`);
  }
}

function checkWords(name: string, { word }: Command, given: readonly string[]): void {
  if (word && !word.isOptional && given.length === 0) {
    throw new UsageError(`${name} needs <${word.name}>: ${word.description}`);
  }
  if (given.length > (word ? 1 : 0) && !word?.isMany) {
    const most = word ? 'one word' : 'no words';
    throw new UsageError(`${name} takes ${most} beside its options, not ${given.length}.`);
  }
}
