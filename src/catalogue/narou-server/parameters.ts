import type { Range } from '../novels/novel-query.ts';
import type { NarouServerSwitches } from './switches.ts';

/** A plain-text error of the upstream, to be sent as the whole body. */
export class UpstreamError extends Error {}

/** A filter asks for something impossible: the search finds nothing. */
export class NothingMatches extends Error {}

/** Query parameters; as in PHP the last of several of one name counts. An empty value is as good as none. */
export type Parameters = ReadonlyMap<string, string>;

export function readParameters(search: string): Parameters {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(search)) {
    if (value === '') parameters.delete(name);
    else parameters.set(name, value);
  }
  return parameters;
}

const WHOLE = /^\d{1,10}$/;

/** Reads filters; what makes no sense is treated as the switch `invalidFilter` says. */
export interface FilterReader {
  text(name: string): string | undefined;
  /** A whole number. */
  number(name: string): number | undefined;
  /** Whole numbers between hyphens. */
  numbers(name: string): number[] | undefined;
  /** Texts between hyphens. */
  texts(name: string): string[] | undefined;
  /** Whether the parameter is 1; 0 is as good as none. */
  flag(name: string): boolean;
  oneOf<Value extends string>(name: string, values: readonly Value[]): Value | undefined;
  /** `n`, `a-b`, `a-` or `-b`, and two parameters for its ends; null where the interface has none such. */
  range(name: string | null, minName?: string, maxName?: string): Range | undefined;
  /** Says that a value makes no sense; returns if it is to be ignored. */
  refuse(name: string): void;
}

const readRange = (text: string): Range | undefined => {
  const [, from = '', hyphen = '', to = ''] = /^(\d{0,10})(-?)(\d{0,10})$/.exec(text) ?? [];
  if (from === '' && to === '') return undefined;
  if (hyphen === '') return { min: Number(from), max: Number(from) };
  return { ...(from === '' ? {} : { min: Number(from) }), ...(to === '' ? {} : { max: Number(to) }) };
};

const narrow = (
  range: Range | undefined,
  min: number | undefined,
  max: number | undefined,
): Range | undefined => {
  if (range === undefined && min === undefined && max === undefined) return undefined;
  return {
    min: Math.max(range?.min ?? -Infinity, min ?? -Infinity),
    max: Math.min(range?.max ?? Infinity, max ?? Infinity),
  };
};

/** What a value of a parameter means, or undefined where it makes no sense. */
type Read<Value> = (text: string) => Value | undefined;

const readWhole: Read<number> = (text) => (WHOLE.test(text) ? Number(text) : undefined);
const readFlag: Read<boolean> = (text) => (text === '0' || text === '1' ? text === '1' : undefined);
const split = (text: string): string[] => text.split('-').filter((part) => part !== '');

export function createFilterReader(parameters: Parameters, switches: NarouServerSwitches): FilterReader {
  const refuse = (name: string): void => {
    if (switches.invalidFilter === 'error') throw new UpstreamError(`Error: Invalid parameter ${name}.`);
    if (switches.invalidFilter === 'empty') throw new NothingMatches();
  };
  const text = (name: string): string | undefined => parameters.get(name);
  const checked = <Value>(name: string, read: Read<Value>): Value | undefined => {
    const given = text(name);
    const value = given === undefined ? undefined : read(given);
    if (given !== undefined && value === undefined) refuse(name);
    return value;
  };
  const number = (name: string): number | undefined => checked(name, readWhole);
  const texts = (name: string): string[] | undefined => {
    const given = text(name);
    return given === undefined ? undefined : split(given);
  };
  return {
    text,
    number,
    texts,
    refuse,
    numbers: (name) => {
      const parts = texts(name) ?? [];
      const good = parts.map(readWhole).filter((part) => part !== undefined);
      if (good.length < parts.length) refuse(name);
      return good.length > 0 ? good : undefined;
    },
    range: (name, minName, maxName) =>
      narrow(
        name === null ? undefined : checked(name, readRange),
        minName === undefined ? undefined : number(minName),
        maxName === undefined ? undefined : number(maxName),
      ),
    flag: (name) => checked(name, readFlag) ?? false,
    oneOf: (name, values) => checked(name, (given) => values.find((value) => value === given)),
  };
}
