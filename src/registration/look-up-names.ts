import type { Sleep } from '../process/clock.ts';
import { mapInLanes } from './look-up/lanes.ts';
import type { Inputs } from './look-up/lanes.ts';
import { LookUpError } from './look-up-error.ts';

/** The outcome of one name: its registration, or the error of its look-up. */
export type NameOutcome<Data> =
  { name: string; data: Data; error?: undefined } | { name: string; data?: undefined; error: LookUpError };

interface NamesOptions<Data> {
  lookUp: (name: string, signal: AbortSignal) => Promise<Data>;
  /** Names of one zone share a registry, and its limits. */
  zoneOf: (name: string) => string;
  signal: AbortSignal | undefined;
  sleep: Sleep;
}

/** Looks names up, a few at once, and waits for our own limits. Aborts running look-ups when the reader stops. */
export async function* lookUpNames<Data>(
  names: Inputs<string>,
  { lookUp, zoneOf, signal, sleep }: NamesOptions<Data>,
): AsyncGenerator<NameOutcome<Data>, void, undefined> {
  const readerStopped = new AbortController();
  const either = signal ? AbortSignal.any([signal, readerStopped.signal]) : readerStopped.signal;

  async function outcomeOf(name: string): Promise<NameOutcome<Data>> {
    for (;;) {
      either.throwIfAborted();
      try {
        return { name, data: await lookUp(name, either) };
      } catch (error) {
        if (!(error instanceof LookUpError)) throw error;
        if (!isOwnLimit(error)) return { name, error };
        // If aborted meanwhile, the next iteration throws the signal's reason.
        await sleep((error.retryAfterSeconds ?? 1) * 1_000, either).catch(() => undefined);
      }
    }
  }

  try {
    signal?.throwIfAborted();
    yield* mapInLanes(names, zoneOf, outcomeOf);
  } finally {
    readerStopped.abort();
  }
}

function isOwnLimit({ code, details }: LookUpError): boolean {
  const { limitedBy } = (details ?? {}) as { limitedBy?: unknown };
  return code === 'registry_rate_limited' && limitedBy === 'service';
}
