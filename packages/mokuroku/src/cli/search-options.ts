import type { Parameter, ParameterTable } from '@mokuroku/kit/http';
import { text } from '@mokuroku/kit';
import type { Text } from '@mokuroku/kit';
import type { CommandOption, Options } from './command.ts';
import { LABELS } from './labels.ts';

const isFlag = ({ values }: Parameter): boolean => values?.length === 2 && values[0] === 0 && values[1] === 1;

const SECTIONS: readonly (readonly [group: Text, names: readonly string[]])[] = [
  [text('Words', '検索語'), ['word', 'notword', 'title', 'ex', 'keyword', 'wname', 'name1st']],
  [text('Order and fields', '並び順と項目'), ['order', 'lim', 'st', 'of', 'opt']],
  [LABELS.adultNovels, ['nocgenre', 'notnocgenre', 'xid']],
];

/** `1: only novels with ...`: a flag needs no 1. */
const withoutOne = ({ en, ja }: Text): Text =>
  text(
    en.replace(/^1: (.)/, (_, first: string) => first.toUpperCase()),
    ja.replace(/^1 なら、?/, ''),
  );

function toOption(name: string, parameter: Parameter): CommandOption {
  const group = SECTIONS.find(([, names]) => names.includes(name))?.[0] ?? LABELS.whichOnes;
  if (isFlag(parameter)) {
    return { type: 'boolean', description: withoutOne(parameter), group };
  }
  return {
    type: 'string',
    description: parameter,
    valueHint: name === 'of' ? 'codes' : name,
    group,
  };
}

/** The parameters of a search as options of the same names; `word` becomes the positional words. */
export function searchOptions(table: ParameterTable): Options {
  const named = Object.entries(table).filter(([name]) => name !== 'word');
  return Object.fromEntries(named.map(([name, parameter]) => [name, toOption(name, parameter)]));
}

/** The search parameters of a command line, unparsed: the service validates them. */
export function searchFrom(
  table: ParameterTable,
  args: Readonly<Record<string, string | true | undefined>>,
  words: readonly string[],
): Record<string, string | true> {
  const given = Object.keys(table).flatMap((name) => {
    const value = name === 'word' ? words.join(' ') || undefined : args[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(given);
}
