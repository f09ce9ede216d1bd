import type { Sleep } from '@mokuroku/kit/clock';
import { mapUnordered } from '@mokuroku/kit/map-unordered';
import type { CallLimits } from '@mokuroku/kit/map-unordered';
import { waitSeconds } from '@mokuroku/kit/requests';
import type { DomainName } from './domain-name.ts';
import { LookUpError, isUnproved } from './look-up-error.ts';

/** The outcome of one name: its registration, or the error of its look-up. */
export type NameOutcome<Data, Failure = LookUpError> =
  { name: string; data: Data; error?: undefined } | { name: string; data?: undefined; error: Failure };

type Names = Iterable<string> | AsyncIterable<string>;

/** Denials that wait for a proof; a name behind them may have proved that the server knows the zone. */
const MAX_UNPROVED = 1_000;

/**
 * Looks names up and yields each outcome as it arrives. Denials that a later name of their zone may prove come last, after
 * a second look-up (`isAgain`) if there was one.
 */
export async function* lookUpAll<Data, Failure extends { details?: unknown }>(
  names: Names,
  { zoneOf, ...limits }: CallLimits<string> & { zoneOf: (name: string) => string },
  lookUp: (name: string, index: number, isAgain: boolean) => Promise<NameOutcome<Data, Failure>>,
): AsyncGenerator<NameOutcome<Data, Failure>, void, undefined> {
  const unproved: NameOutcome<Data, Failure>[] = [];
  const zones = new Set<string>();
  const topLevelOf = (name: string) => zoneOf(name).replace(/.*\./, '');
  for await (const outcome of mapUnordered(names, limits, (name, index) => lookUp(name, index, false))) {
    if (outcome.data !== undefined) zones.add(topLevelOf(outcome.name));
    if (isUnproved(outcome.error?.details) && unproved.length < MAX_UNPROVED) unproved.push(outcome);
    else yield outcome;
  }
  const mayBeProved = ({ name }: NameOutcome<Data, Failure>) => zones.has(topLevelOf(name));
  for (const outcome of unproved) if (!mayBeProved(outcome)) yield outcome;
  const again = unproved.filter(mayBeProved).map(({ name }) => name);
  yield* mapUnordered(again, limits, (name, index) => lookUp(name, index, true));
}

/** Maximum concurrent look-ups, in total and per zone, whose names share a registry and its limits. */
const AT_ONCE = 32;
const PER_ZONE = 4;

interface NamesOptions<Data> {
  lookUp: (name: string, signal: AbortSignal) => Promise<Data>;
  zoneOf: (name: string) => string;
  signal: AbortSignal | undefined;
  sleep: Sleep;
}

/** Looks names up, a few at once, and waits for our own limits. Aborts running look-ups when the reader stops. */
export async function* lookUpNames<Data>(
  names: Names,
  { lookUp, zoneOf, signal, sleep }: NamesOptions<Data>,
): AsyncGenerator<NameOutcome<Data>, void, undefined> {
  const readerStopped = new AbortController();
  const either = signal ? AbortSignal.any([signal, readerStopped.signal]) : readerStopped.signal;

  async function outcomeOf(name: string): Promise<NameOutcome<Data>> {
    for (;;) {
      try {
        return { name, data: await lookUp(name, either) };
      } catch (error) {
        if (!(error instanceof LookUpError)) throw error;
        if (!isOwnLimit(error)) return { name, error };
        // If aborted meanwhile, the next look-up throws the signal's reason.
        await sleep(waitSeconds(error.retryAfterSeconds ?? 1) * 1_000, either).catch(() => undefined);
      }
    }
  }

  try {
    yield* lookUpAll(names, { atOnce: AT_ONCE, perLane: PER_ZONE, laneOf: zoneOf, zoneOf }, outcomeOf);
  } finally {
    readerStopped.abort();
  }
}

function isOwnLimit({ code, details }: LookUpError): boolean {
  const { limitedBy } = (details ?? {}) as { limitedBy?: unknown };
  return code === 'registry_rate_limited' && limitedBy === 'service';
}

/** The name and zone of a spelling. An invalid name stands for itself, without a zone: it causes no query. */
export function nameOrSpelling(
  readName: (spelling: string) => DomainName,
  spelling: string,
): Pick<DomainName, 'name' | 'zone'> {
  try {
    return readName(spelling);
  } catch {
    return { name: spelling, zone: '' };
  }
}
