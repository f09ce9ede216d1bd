import type { Range } from '../sources/embedded/novel-query.ts';
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

export function createFilterReader(parameters: Parameters, switches: NarouServerSwitches): FilterReader {
  const refuse = (name: string): void => {
    if (switches.invalidFilter === 'error') throw new UpstreamError(`Error: Invalid parameter ${name}.`);
    if (switches.invalidFilter === 'empty') throw new NothingMatches();
  };
  const checked = <Value>(name: string, value: Value | undefined): Value | undefined => {
    if (value === undefined) refuse(name);
    return value;
  };
  const text = (name: string): string | undefined => parameters.get(name);
  const number = (name: string): number | undefined => {
    const value = text(name);
    if (value === undefined) return undefined;
    return checked(name, WHOLE.test(value) ? Number(value) : undefined);
  };
  const texts = (name: string): string[] | undefined =>
    text(name)
      ?.split('-')
      .filter((part) => part !== '');
  const numbers = (name: string): number[] | undefined => {
    const parts = texts(name);
    const good = parts?.filter((part) => WHOLE.test(part)).map(Number);
    if (parts === undefined || good === undefined) return undefined;
    if (good.length < parts.length) refuse(name);
    return good.length > 0 ? good : undefined;
  };
  const range = (name: string | null, minName?: string, maxName?: string): Range | undefined => {
    const value = name === null ? undefined : text(name);
    const given = value === undefined ? undefined : checked(name ?? '', readRange(value));
    const min = minName === undefined ? undefined : number(minName);
    return narrow(given, min, maxName === undefined ? undefined : number(maxName));
  };
  return {
    text,
    number,
    numbers,
    texts,
    range,
    refuse,
    flag: (name) => {
      const value = text(name) ?? '0';
      if (value !== '0' && value !== '1') refuse(name);
      return value === '1';
    },
    oneOf: (name, values) => {
      const value = text(name);
      if (value === undefined) return undefined;
      return checked(
        name,
        values.find((each) => each === value),
      );
    },
  };
}
