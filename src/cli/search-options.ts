import type { ArgDef, ArgsDef } from 'citty';
import type { Parameter, ParameterTable } from '../catalogue/novels/parameter.ts';

const isFlag = ({ values }: Parameter): boolean => values?.length === 2 && values[0] === 0 && values[1] === 1;

/** `1: only novels with ...`: as an option the 1 goes without saying. */
function describe(parameter: Parameter): string {
  if (!isFlag(parameter)) return parameter.description;
  const text = parameter.description.replace(/^1: /, '');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function toOption(name: string, parameter: Parameter): ArgDef {
  const description = describe(parameter);
  return isFlag(parameter)
    ? { type: 'boolean', description }
    : { type: 'string', description, valueHint: name === 'of' ? 'codes' : name };
}

/** The parameters of a search as options of the same names, but for those that the command takes as words. */
export function searchOptions(table: ParameterTable, words: readonly string[]): ArgsDef {
  const names = Object.keys(table).filter((name) => !words.includes(name));
  return Object.fromEntries(names.map((name) => [name, toOption(name, table[name] as Parameter)]));
}

/** Values of the closed sets, for completion. */
export function searchValues(table: ParameterTable): Record<string, readonly string[]> {
  const values: Record<string, readonly string[]> = {};
  for (const [name, parameter] of Object.entries(table)) {
    if (parameter.values && !isFlag(parameter)) values[name] = parameter.values.map(String);
  }
  return values;
}

/** What of the arguments is part of the search. Values stay as given: the service judges them. */
export function searchFrom(
  table: ParameterTable,
  args: Readonly<Record<string, unknown>>,
): Record<string, string | true> {
  const search: Record<string, string | true> = {};
  for (const name of Object.keys(table)) {
    const value = args[name];
    if (typeof value === 'string' || value === true) search[name] = value;
  }
  return search;
}
