import { LRUCache } from 'lru-cache';
import { ServiceError } from '../errors.ts';
import { Admission } from '../limits/admission.ts';
import type { Clock } from '../process/clock.ts';
import { withDeadline } from '../deadline.ts';
import {
  cachedError,
  createAbsenceEntry,
  createDataEntry,
  cutToPolicy,
  isFresh,
  isUsable,
} from './cache-entry.ts';
import type { CachePolicy, CacheEntry, CacheReader, LoadContext, Question } from './cache-entry.ts';
import type { EntryStore } from './entry-store.ts';

/** Origin of a response, for `meta.cached`, `Cache-Status` and the log. */
export type CacheOutcome =
  /** fresh, from memory or the store, or composed of such responses alone */
  | 'hit'
  /** stale: a new one is being fetched in the background */
  | 'revalidating'
  /** stale, and the source has just failed */
  | 'stale'
  | 'miss'
  /** waited for an equal request */
  | 'collapsed';

export interface CacheResult {
  entry: CacheEntry;
  outcome: CacheOutcome;
  /** Whole milliseconds of the load, equal for all requests that waited for it; 0 without a load. */
  tookMs: number;
  /** The failure behind a stale answer. */
  failure?: unknown;
}

/** Maximum wait for a load; for a composed one `COMPOSED_DEADLINES` times that. */
export interface LoadDeadline {
  milliseconds: number;
  timeoutError: () => Error;
}

export interface ResponseCacheOptions {
  clock: Clock;
  /** Maximum memory of this process for cache entries, in bytes. */
  maxBytes: number;
  /** Entries shared with other processes. */
  store?: EntryStore | undefined;
  /** undefined if each load ends by itself. */
  loadDeadline?: LoadDeadline | undefined;
  /** Admits loads. Default: one of its own. */
  admission?: Admission;
  /** Called with each failure that no client gets: of a background load, or if a stale entry is served. */
  onFailure?: (key: string, error: unknown) => void;
}

/** Memory of an entry as a multiple of its data: plain, gzip and brotli bodies. JSON shrinks to a quarter. */
const ENTRY_WEIGHT = 3;

/** Memory of an entry beside its data: objects, the index, header blocks. */
const ENTRY_OVERHEAD_BYTES = 2_048;

/** Parts that a composed load waits for one after another, such as batches of an upstream. They stay cached. */
const COMPOSED_DEADLINES = 6;

/** Whether a failure concerns only one client: its share of the quota is spent. */
const concernsOneClient = (error: unknown) => error instanceof ServiceError && error.status === 429;

function returnAbsence(error: unknown): ServiceError {
  if (error instanceof ServiceError && error.isAbsence) return error;
  throw error;
}

interface LoadRequest {
  question: Question;
  policy: CachePolicy;
  /** True if no client waits for it. */
  background: boolean;
  /** True in a composed load, which has reserved memory for it. */
  isPart: boolean;
}

/**
 * One entry per key, in memory and, where there is one, in the store. Equal misses share a load. A stale entry is
 * served while a new one is loaded, or if the source fails. A failure never replaces an entry.
 */
export class ResponseCache {
  readonly #clock: Clock;
  readonly #options: ResponseCacheOptions;
  readonly #admission: Admission;
  /** The least recently used are evicted first. */
  readonly #entries: LRUCache<string, CacheEntry>;
  readonly #loads = new Map<string, { result: Promise<CacheResult>; background: boolean }>();

  constructor(options: ResponseCacheOptions) {
    const { clock, maxBytes, admission = new Admission({}) } = options;
    this.#clock = clock;
    this.#options = options;
    this.#admission = admission;
    this.#entries = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ data }, key) => data.length * ENTRY_WEIGHT + key.length * 2 + ENTRY_OVERHEAD_BYTES,
    });
  }

  /** Entries, their bytes, and loads in progress. */
  get stats(): { entries: number; bytes: number; loading: number } {
    return {
      entries: this.#entries.size,
      bytes: this.#entries.calculatedSize,
      loading: this.#loads.size,
    };
  }

  /** The fresh entry in this process's memory, synchronously. */
  findFresh(key: string, now: number): CacheEntry | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && isFresh(entry, now) ? entry : undefined;
  }

  /** Answers a question, from the cache or its source. Rejects as `load` does if there is no usable entry. */
  async get(question: Question, policy: CachePolicy): Promise<CacheResult> {
    const { key } = question;
    const { onFailure } = this.#options;
    const now = this.#clock.now();
    const entry = this.#find(key, now);
    if (entry && isFresh(entry, now)) return { entry, outcome: 'hit', tookMs: 0 };
    if (entry && now < entry.revalidateUntil) {
      // No client waits for this load. The next request retries.
      const refresh = { question, policy, background: true, isPart: false };
      if (!this.#loads.has(key)) this.#share(refresh).catch((failure: unknown) => onFailure?.(key, failure));
      return { entry, outcome: 'revalidating', tookMs: 0 };
    }
    const startedAt = this.#clock.monotonic();
    try {
      return await this.#share({ question, policy, background: false, isPart: false });
    } catch (failure) {
      // Also the entry that the load has found in the store.
      const stale = this.#find(key, this.#clock.now());
      if (!stale) throw failure;
      onFailure?.(key, failure);
      return { entry: stale, outcome: 'stale', failure, tookMs: this.#since(startedAt) };
    }
  }

  #since(startedAt: number): number {
    return Math.round(this.#clock.monotonic() - startedAt);
  }

  /** The entry in memory, if it may still be served. */
  #find(key: string, now: number): CacheEntry | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && isUsable(entry, now) ? entry : undefined;
  }

  /** The fresh entry in memory or the store. An entry of the store replaces that in memory, but for a younger one. */
  async #findFreshInStore(
    key: string,
    policy: CachePolicy,
    store: EntryStore,
  ): Promise<CacheEntry | undefined> {
    const stored = await store.find(key);
    const now = this.#clock.now();
    if (stored) {
      const entry = cutToPolicy(stored, policy);
      const { fetchedAt = 0 } = this.#find(key, now) ?? {};
      if (isUsable(entry, now) && entry.fetchedAt >= fetchedAt) this.#entries.set(key, entry);
    }
    return this.findFresh(key, now);
  }

  /** Joins the load of an equal question, or starts one. Throws `overloaded` if its client has no memory for it. */
  async #share(request: LoadRequest): Promise<CacheResult> {
    const { background, isPart } = request;
    const { key, client, memoryBytes = 0, isComposed = false } = request.question;
    const running = this.#loads.get(key);
    if (!running) {
      const { milliseconds = Infinity, timeoutError } = this.#options.loadDeadline ?? {};
      const deadlineMs = milliseconds * (isComposed ? COMPOSED_DEADLINES : 1);
      const release = isPart ? () => undefined : this.#admission.bytes.acquire(client, memoryBytes);
      const result = withDeadline(
        deadlineMs,
        undefined,
        // After its deadline a load holds its memory until it has ended.
        (signal) => this.#load(request, signal).finally(release),
        timeoutError,
      ).finally(() => this.#loads.delete(key));
      this.#loads.set(key, { result, background });
      return result;
    }
    try {
      return { ...(await running.result), outcome: 'collapsed' };
    } catch (failure) {
      // Neither a client's own limit, nor a refusal because no client waited, concerns the others: they retry.
      const isForeground = running.background && !background;
      if (isForeground || concernsOneClient(failure)) return this.#share(request);
      throw failure;
    }
  }

  /** Finds the entry that another process has loaded, or loads it from the source and caches it. */
  async #load(request: LoadRequest, signal: AbortSignal): Promise<CacheResult> {
    const { question, policy } = request;
    const { key, client } = question;
    const { store } = this.#options;
    const startedAt = this.#clock.monotonic();
    const shared = store && (await this.#findFreshInStore(key, policy, store));
    if (shared) return { entry: shared, outcome: 'hit', tookMs: 0 };
    const parts: CacheResult[] = [];
    await this.#admission.nextTurn('load', client);
    const loaded = await question.load(this.#contextOf(request, signal, parts)).catch(returnAbsence);
    const now = this.#clock.now();
    const isAbsent = loaded instanceof ServiceError;
    const read = parts.map(({ entry }) => entry);
    const entry = isAbsent
      ? createAbsenceEntry(loaded, policy, now, read)
      : createDataEntry(loaded, policy, now);
    // A response that is not to be cached must not replace one that may still be served as stale.
    if (isUsable(entry, now)) {
      this.#entries.set(key, entry);
      store?.put(key, entry, now);
    }
    const isHit = !isAbsent && loaded.madeOf && parts.every(({ outcome }) => outcome === 'hit');
    return { entry, outcome: isHit ? 'hit' : 'miss', tookMs: this.#since(startedAt) };
  }

  /**
   * Reads other questions for a load, and adds their results to `parts`. Never returns stale entries: they would count
   * as new.
   */
  #contextOf(
    { question: { client }, background }: LoadRequest,
    signal: AbortSignal,
    parts: CacheResult[],
  ): LoadContext {
    const cache: CacheReader = {
      find: ({ key }) => this.findFresh(key, this.#clock.now()),
      get: async (question, policy) => {
        const entry = this.findFresh(question.key, this.#clock.now());
        const part: CacheResult = entry
          ? { entry, outcome: 'hit', tookMs: 0 }
          : await this.#share({ question, policy, background, isPart: true });
        parts.push(part);
        if (part.entry.status !== 200) throw cachedError(part.entry);
        return part.entry;
      },
    };
    const nextTurn = async () => {
      await this.#admission.nextTurn('page', client);
      signal.throwIfAborted();
    };
    return { signal, background, cache, nextTurn };
  }
}
