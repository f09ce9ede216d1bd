import type { Catalogue } from './catalogue.ts';
import { OTHER_PARAMETERS } from './manual.ts';
import type { Manual } from './manual.ts';
import type { NarouServerSwitches } from './switches.ts';

// Shared by the five interfaces: reading a query and sending strings.

/** Value of a field in an upstream record. */
export type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;

/** A whole HTTP response. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Query parameters; as in PHP, the last value of a name counts. An empty value counts as missing. */
export type RequestParameters = ReadonlyMap<string, string>;

/** Context of an interface. */
export interface InterfaceRequest {
  readonly parameters: RequestParameters;
  readonly catalogue: Catalogue;
  readonly switches: NarouServerSwitches;
  /** Milliseconds UTC. */
  readonly now: number;
}

/** One of the five interfaces: returns the rows of a response, or throws an `UpstreamError`. */
export type Interface = (request: InterfaceRequest) => readonly Row[] | Promise<readonly Row[]>;

/** A plain-text error of the upstream, sent as the whole body. */
export class UpstreamError extends Error {}

/** A filter requests something impossible: the search finds nothing. */
class NothingMatches extends Error {}

export function readRequestParameters(search: string): RequestParameters {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(search)) {
    if (value === '') parameters.delete(name);
    else parameters.set(name, value);
  }
  return parameters;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text as the upstream stores it: escaped for HTML except the apostrophe (seen in 70,000 recorded titles). */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

/** The conditions of a search, parsed by `read`; null if a filter is invalid and the switch says: no match. */
export function readQuery<Query>(read: () => Query): Query | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof NothingMatches) return null;
    throw error;
  }
}

/** Parses filters; the switch `invalidFilter` decides about invalid ones. */
export type FilterReader = ReturnType<typeof createFilterReader>;

const digitsOnly = (text: string): number | undefined => (/^\d{1,10}$/.test(text) ? Number(text) : undefined);

/** `n`, `a-b`, `a-` or `-b`. */
const readRange = (text: string) => {
  const [, from = '', hyphen = '', to = ''] = /^(\d{0,10})(?:(-)(\d{0,10}))?$/.exec(text) ?? [];
  if (from === '' && to === '') return undefined;
  return { min: from === '' ? -Infinity : Number(from), max: Number(hyphen === '' ? from : to || Infinity) };
};

export function createFilterReader({ parameters, switches }: InterfaceRequest) {
  /** A parameter that is present and valid. */
  const checked = <Read>(name: string, read: (text: string) => Read | undefined): Read | undefined => {
    const text = parameters.get(name);
    const value = text === undefined ? undefined : read(text);
    if (text === undefined || value !== undefined) return value;
    if (switches.invalidFilter === 'error') throw new UpstreamError(`Error: Invalid parameter ${name}.`);
    if (switches.invalidFilter === 'empty') throw new NothingMatches();
    return undefined;
  };
  const number = (name: string) => checked(name, digitsOnly);
  /** Texts between hyphens. */
  const texts = (name: string) => parameters.get(name)?.split('-').filter(Boolean);
  return {
    text: (name: string) => parameters.get(name),
    checked,
    number,
    texts,
    /** The whole numbers between hyphens; other parts are ignored. */
    numbers: (name: string) => {
      const numbers = texts(name)?.map((part) => checked(name, () => digitsOnly(part)));
      const good = numbers?.filter((part) => part !== undefined) ?? [];
      return good.length > 0 ? good : undefined;
    },
    oneOf: <Each extends string>(name: string, values: readonly Each[]) =>
      checked(name, (text) => values.find((value) => value === text)),
    /** 1, or undefined: 0 counts as missing. */
    mark: (name: string) =>
      checked(name, (text) => (text === '0' || text === '1' ? Number(text) : undefined)) === 1
        ? 1
        : undefined,
    /** A range, and two parameters that narrow it. */
    range: (name: string, minName?: string, maxName?: string) => {
      const range = checked(name, readRange);
      const min = minName === undefined ? undefined : number(minName);
      const max = maxName === undefined ? undefined : number(maxName);
      if (range === undefined && min === undefined && max === undefined) return undefined;
      return {
        min: Math.max(range?.min ?? -Infinity, min ?? -Infinity),
        max: Math.min(range?.max ?? Infinity, max ?? Infinity),
      };
    },
  };
}

/** The requested order, if the interface has it. A parameter that it lacks is ignored, unless a switch says otherwise. */
export function readOrder({ parameters, switches }: InterfaceRequest, { filters, orders }: Manual): string {
  const unknown = [...parameters.keys()].find(
    (name) => !filters.has(name) && !OTHER_PARAMETERS.includes(name),
  );
  if (unknown !== undefined && switches.unknownParameter === 'error')
    throw new UpstreamError(`Error: Invalid parameter ${unknown}.`);
  const order = parameters.get('order') ?? 'new';
  if (orders.includes(order)) return order;
  if (switches.unknownOrder === 'error') throw new UpstreamError('Error: Invalid order.');
  return 'new';
}

/** The keys that the known codes of `of` select; undefined: all. */
export function readOf(
  { parameters, switches }: InterfaceRequest,
  keys: ReadonlyMap<string, string>,
): string[] | undefined {
  const codes = parameters.get('of')?.split('-');
  const requested = codes && [...new Set(codes)].flatMap((code) => keys.get(code) ?? []);
  if (requested?.length !== 0 || switches.ofAllUnknown === 'empty')
    return switches.keyOrder === 'requested'
      ? requested
      : requested && [...keys.values()].filter((key) => requested.includes(key));
  if (switches.ofAllUnknown === 'error') throw new UpstreamError('Error: Invalid of.');
  return undefined;
}

const MAX_LIM = 500;
const DEFAULT_LIM = 20;
const MAX_ST = 2000;

const invalidRequest = (name: string): UpstreamError => new UpstreamError(`Error: Invalid ${name}.`);

const readPosition = ({ parameters, switches }: InterfaceRequest, name: string, missing: number): number => {
  const text = parameters.get(name);
  const whole = text === undefined ? missing : digitsOnly(text);
  if (text === undefined || whole !== undefined) return whole ?? missing;
  if (switches.invalidNumber === 'error') throw invalidRequest(name);
  // PHP's (int) reads leading digits; anything else is 0.
  return switches.invalidNumber === 'prefix' ? Number(/^\s*(\d{1,10})/.exec(text)?.[1] ?? 0) : missing;
};

const readLim = (request: InterfaceRequest): number => {
  const { limZero, limAboveMax } = request.switches;
  const lim = readPosition(request, 'lim', DEFAULT_LIM);
  if ((lim === 0 && limZero === 'error') || (lim > MAX_LIM && limAboveMax === 'error'))
    throw invalidRequest('lim');
  if (lim === 0) return { default: DEFAULT_LIM, one: 1, empty: 0 }[limZero as 'one'];
  if (lim > MAX_LIM) return limAboveMax === 'clamp' ? MAX_LIM : DEFAULT_LIM;
  return lim;
};

/**
 * The requested rows: `st`, the first, from 1 (to 2000, default 1), and `lim`, the maximum (1 to 500, default 20; 0:
 * none). The switches decide about values outside.
 */
export function readWindow(request: InterfaceRequest): { st: number; lim: number } {
  const { stZero, stBeyondWindow } = request.switches;
  const lim = readLim(request);
  const st = readPosition(request, 'st', 1);
  if ((st === 0 && stZero === 'error') || (st > MAX_ST && stBeyondWindow === 'error'))
    throw invalidRequest('st');
  if (st === 0) return { st: 1, lim: stZero === 'first' ? lim : 0 };
  if (st <= MAX_ST || stBeyondWindow === 'serve') return { st, lim };
  return { st: MAX_ST, lim: stBeyondWindow === 'clamp' ? lim : 0 };
}
