import type { LoadedData, CacheEntry } from '../../src/cache/cache-entry.ts';
import type { EntryStore } from '../../src/cache/entry-store.ts';
import { ServiceError } from '../../src/errors.ts';
import { manualClock } from '../manual-clock.ts';
import { ResponseCache } from '../../src/cache/response-cache.ts';
import type { ResponseCacheOptions } from '../../src/cache/response-cache.ts';
import { TEST_ERRORS } from '../test-errors.ts';

export const DAY_MS = 86_400_000;
export const policy = {
  freshSeconds: 60,
  staleWhileRevalidateSeconds: 240,
  staleIfErrorSeconds: 14 * 86_400,
  absentSeconds: 60,
};

/** A store that outlives the caches built over it. */
export function memoryStore(): EntryStore & { entries: Map<string, CacheEntry>; lookUps: number } {
  const entries = new Map<string, CacheEntry>();
  const store = {
    entries,
    lookUps: 0,
    find: (key: string) => {
      store.lookUps++;
      return Promise.resolve(entries.get(key));
    },
    put: (key: string, entry: CacheEntry) => void entries.set(key, entry),
  };
  return store;
}

export const send = (key: string, load: () => Promise<LoadedData>) => ({ key, load });

export function cacheOver(
  store: EntryStore | undefined,
  clock: ResponseCacheOptions['clock'],
  more: Partial<ResponseCacheOptions> = {},
) {
  return new ResponseCache({ clock, maxBytes: 10_000_000, store, ...more });
}

/** A cache without a store, and its clock. */
export function timedCache(options: Partial<ResponseCacheOptions> = {}) {
  const { time, clock } = manualClock();
  return { cache: cacheOver(undefined, clock, options), clock, time };
}

/** A cache over a store, its clock, and another cache over the same, as of another replica or after a restart. */
export function storedCache() {
  const { time, clock } = manualClock();
  const store = memoryStore();
  const restarted = () => cacheOver(store, clock);
  return { cache: restarted(), restarted, clock, time, store };
}

export const loaded = (value: unknown) => () => Promise.resolve<LoadedData>({ data: value, meta: {} });
export const failing = () => Promise.reject<LoadedData>(new ServiceError(TEST_ERRORS.upstream_unavailable));
/** A load, and how often it was called. */
export function counted(load: () => Promise<LoadedData>) {
  const count = { calls: 0 };
  const countedLoad = () => {
    count.calls++;
    return load();
  };
  return { count, load: countedLoad };
}

/** A load that ends when the test says so. */
export function pendingLoad() {
  let arrive: (data: unknown) => void = () => undefined;
  const load = () => new Promise<LoadedData>((resolve) => (arrive = (data) => resolve({ data, meta: {} })));
  return { load, arrive: (data: unknown) => arrive(data) };
}

export const textOf = (answer: CacheEntry) => answer.data.toString();
