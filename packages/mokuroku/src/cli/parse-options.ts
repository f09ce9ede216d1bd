import { parseArgs } from 'node:util';
import type { Command, CommandOption, GivenOptions, Options } from './command.ts';
import { UsageError } from './command.ts';
import { nearestWord, ownValue } from '@mokuroku/kit';

interface OptionToken {
  name: string;
  rawName: string;
  value?: string | undefined;
  inlineValue?: boolean | undefined;
}

interface ParsedCommandLine {
  args: GivenOptions<Options>;
  words: readonly string[];
  /** Which options to explain instead of running the command. */
  help?: 'common' | 'all';
}

/**
 * Reads the arguments of a command. `parseArgs` splits them; faults that would silently change the request (unknown
 * options, missing or repeated values, extra words) are reported here, with a remedy.
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
  if (help === true) return { args: {}, words: [], help: positionals.includes('all') ? 'all' : 'common' };
  const options = tokens.filter((token) => token.kind === 'option');
  for (const [index, token] of options.entries()) {
    checkOption(name, command, token);
    const isRepeated = options.findIndex((each) => each.name === token.name) < index;
    if (isRepeated && token.value !== undefined) {
      throw new UsageError(`${token.rawName} is given twice.`, `${token.rawName} が2回あります。`);
    }
  }
  checkCombinations(command, new Set(options.map((token) => token.name)));
  checkWords(name, command, positionals);
  return { args: args as GivenOptions<Options>, words: positionals };
}

function checkOption(command: string, { args }: Command, token: OptionToken): void {
  const { name, rawName, value, inlineValue } = token;
  const options: Readonly<Record<string, Pick<CommandOption, 'type'>>> = {
    ...args,
    help: { type: 'boolean' },
  };
  const option = ownValue(options, name);
  if (!option) {
    const knownOptions = Object.keys(options).map((each) => `--${each}`);
    const meant = nearestWord(rawName, knownOptions);
    throw new UsageError(
      `${command} has no option ${rawName}.`,
      `${command} に ${rawName} というオプションはありません。`,
      meant,
    );
  }
  if (option.type === 'boolean') {
    if (value !== undefined)
      throw new UsageError(`${rawName} takes no value.`, `${rawName} に値は付けられません。`);
  } else if (value === undefined || value.trim() === '' || (!inlineValue && /^--?[a-z]/i.test(value))) {
    // The next option in `--order --json` is not a value, but a number such as -5 may be one. Nor is a variable of the
    // shell that is not set: `--exec "$HOOK"` would accept every event, `--dir "$DIR"` mean the current folder.
    throw new UsageError(
      `${rawName} needs a value, as \`mokuroku ${command} --help\` says.`,
      `${rawName} には値が必要です。\`mokuroku ${command} --help\` に説明があります。`,
    );
  }
}

function checkCombinations({ args }: Command, given: ReadonlySet<string>): void {
  for (const name of given) {
    const { needs, excludes = [] } = args[name] ?? {};
    const other = excludes.find((each) => given.has(each));
    if (other !== undefined)
      throw new UsageError(
        `--${name} cannot be combined with --${other}.`,
        `--${name} と --${other} は併用できません。`,
      );
    if (needs !== undefined && !given.has(needs))
      throw new UsageError(`--${name} needs --${needs}.`, `--${name} には --${needs} が必要です。`);
  }
}

function checkWords(name: string, { word }: Command, given: readonly string[]): void {
  if (word && !word.isOptional && given.every((each) => each.trim() === '')) {
    throw new UsageError(`${name} needs <${word.name}>.`, `${name} には <${word.name}> が必要です。`);
  }
  if (given.length > (word ? 1 : 0) && !word?.isMany) {
    const [en, ja] = word
      ? ['one word', 'オプションのほかに書けるのは 1 語だけです（']
      : ['no words', '書けるのはオプションだけです（ほかに '];
    throw new UsageError(
      `${name} takes ${en} beside its options, not ${given.length}.`,
      `${name} に${ja}${given.length} 語あります）。`,
    );
  }
}
