import { parseArgs } from 'citty';
import type { ArgDef, ArgsDef, ParsedArgs } from 'citty';
import type { Command } from './command.ts';
import { UsageError } from './command.ts';
import { didYouMean } from './nearest.ts';

const aliasesOf = (arg: ArgDef): string[] => ('alias' in arg ? [arg.alias].flat() : []);

/** Every spelling under which an option may be given, without its dashes. */
function optionsOf(args: ArgsDef): Map<string, ArgDef> {
  const options = new Map<string, ArgDef>([['help', { type: 'boolean' }]]);
  for (const [name, arg] of Object.entries(args)) {
    if (arg.type === 'positional') continue;
    for (const spelling of [name, ...aliasesOf(arg)]) options.set(spelling, arg);
  }
  return options;
}

const dashed = (name: string): string => (name.length === 1 ? `-${name}` : `--${name}`);

/**
 * Reads a command's arguments. citty parses; what it lets pass (an unknown option, an option without its value, a
 * word too many) is refused here, because a typing error must not change the question silently.
 */
export function readArguments(command: Command, given: readonly string[]): ParsedArgs {
  const options = optionsOf(command.args);
  let positionals = 0;
  for (let i = 0; i < given.length; i++) {
    const word = given[i] ?? '';
    if (word === '--') {
      positionals += given.length - i - 1;
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      positionals++;
      continue;
    }
    if (takesNextWord(command, options, word, given[i + 1])) i++;
  }
  checkPositionals(command, positionals);
  return parseArgs([...given], command.args);
}

function takesNextWord(
  command: Command,
  options: ReadonlyMap<string, ArgDef>,
  word: string,
  next: string | undefined,
): boolean {
  const [name = '', value] = word.replace(/^--?/, '').split('=', 2);
  const option = options.get(name);
  if (!option || (name.length > 1 && !word.startsWith('--'))) {
    const hint = didYouMean(
      dashed(name),
      [...options.keys()].filter((known) => known.length > 1).map(dashed),
    );
    throw new UsageError(`${command.name} has no option ${word.split('=', 1)[0] ?? word}.${hint}`);
  }
  if (option.type === 'boolean') {
    if (value !== undefined) throw new UsageError(`${dashed(name)} takes no value.`);
    return false;
  }
  if (value !== undefined) return false;
  if (next === undefined || /^--?[a-z]/i.test(next)) {
    throw new UsageError(`${dashed(name)} needs a value: ${option.description ?? ''}`);
  }
  return true;
}

function checkPositionals(command: Command, count: number): void {
  const wanted = Object.entries(command.args).filter(([, arg]) => arg.type === 'positional');
  const needed = wanted.filter(([, arg]) => arg.required !== false && arg.default === undefined);
  const missing = needed[count];
  if (missing) {
    const [name, arg] = missing;
    throw new UsageError(`${command.name} needs <${name}>: ${arg.description ?? ''}`);
  }
  if (count > wanted.length && !command.takesMany) {
    const most =
      wanted.length === 0 ? 'no words' : wanted.length === 1 ? 'one word' : `${wanted.length} words`;
    throw new UsageError(`${command.name} takes ${most} beside its options, not ${count}.`);
  }
}
