import { type Parameters, UpstreamError } from './parameters.ts';
import type { NarouServerSwitches } from './switches.ts';

const MAX_LIM = 500;
const DEFAULT_LIM = 20;
const MAX_ST = 2000;

/** The rows asked for: the first, counted from 1, and how many at most (0: none). */
export interface Window {
  readonly st: number;
  readonly lim: number;
}

const invalid = (name: string): UpstreamError => new UpstreamError(`Error: Invalid ${name}.`);

const readWhole = (
  parameters: Parameters,
  name: string,
  missing: number,
  { invalidNumber }: NarouServerSwitches,
): number => {
  const text = parameters.get(name);
  if (text === undefined) return missing;
  if (/^\d{1,10}$/.test(text)) return Number(text);
  if (invalidNumber === 'error') throw invalid(name);
  // PHP's (int) reads leading digits and makes 0 of all else.
  return invalidNumber === 'prefix' ? Number(/^\s*(\d{1,10})/.exec(text)?.[1] ?? 0) : missing;
};

const readLimit = (parameters: Parameters, switches: NarouServerSwitches): number => {
  const limit = readWhole(parameters, 'lim', DEFAULT_LIM, switches);
  if (limit === 0) {
    if (switches.limZero === 'error') throw invalid('lim');
    return { default: DEFAULT_LIM, one: 1, empty: 0 }[switches.limZero];
  }
  if (limit <= MAX_LIM) return limit;
  if (switches.limAboveMax === 'error') throw invalid('lim');
  return switches.limAboveMax === 'clamp' ? MAX_LIM : DEFAULT_LIM;
};

/** Reads `lim` (1 to 500, default 20) and `st` (1 to 2000, default 1); what lies outside is for the switches. */
export function readWindow(parameters: Parameters, switches: NarouServerSwitches): Window {
  const lim = readLimit(parameters, switches);
  const st = readWhole(parameters, 'st', 1, switches);
  if (st === 0) {
    if (switches.stZero === 'error') throw invalid('st');
    return { st: 1, lim: switches.stZero === 'first' ? lim : 0 };
  }
  if (st <= MAX_ST || switches.stBeyondWindow === 'serve') return { st, lim };
  if (switches.stBeyondWindow === 'error') throw invalid('st');
  return { st: MAX_ST, lim: switches.stBeyondWindow === 'clamp' ? lim : 0 };
}
