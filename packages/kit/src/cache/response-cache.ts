import { LRUCache } from 'lru-cache';
import { ServiceError } from '../errors.ts';
import type { Clock } from '../process/clock.ts';
import { withSignal } from '../process/clock.ts';
import { EntryMemory } from './entry-memory.ts';
import {
  cachedError,
  createCacheEntry,
  cutToPolicy,
  isAbsence,
  isFresh,
  isUsable,
  isYounger,
} from './cache-entry.ts';
import type { CachePolicy, CacheEntry, CacheReader, LoadedData, Question } from './cache-entry.ts';
import { findInTiers } from './tiers.ts';
import type { CacheTier } from './tiers.ts';

/** Origin of a response, for `meta.cached`, `Cache-Status` and the log. */
export type CacheOutcome =
  /** fresh, from memory or a further tier, or composed of such responses alone */
  | 'hit'
  /** stale: a new one is being fetched in the background */
  | 'revalidating'
  /** stale, and the source has just failed */
  | 'stale'
  | 'miss'
  /** waited for an equal request, in this process or another */
  | 'collapsed';

export interface CacheResult {
  entry: CacheEntry;
  outcome: CacheOutcome;
  /** Whole milliseconds of the load, equal for all requests that waited for it; 0 without a load. */
  tookMs: number;
  /** The failure behind a stale answer. */
  failure?: unknown;
}

interface LoadDeadline {
  milliseconds: number;
  timeoutError: () => Error;
}

export interface ResponseCacheOptions {
  clock: Clock;
  /** Maximum memory of this process for cache entries, in bytes. */
  maxBytes: number;
  /** Memory of an entry as a multiple of its data: compressed bodies may be stored beside it. */
  weight?: number;
  /** Further caches, nearest first. */
  tiers?: readonly CacheTier[];
  /** Maximum wait for a load, including other processes; see `isComposed` of Question. */
  loadDeadline?: LoadDeadline;
  /** Called with every failed load, including background loads. */
  onFailure?: (key: string, error: unknown) => void;
}

/** After a failure, stale entries are served this long before the next load. */
const FAILURE_PAUSE_MS = 5_000;
const MAX_PAUSED = 10_000;

/** Whether a failure concerns only one client: its share of the quota is spent. */
const concernsOneClient = (error: unknown) => error instanceof ServiceError && error.status === 429;

function returnAbsence(error: unknown): ServiceError {
  if (isAbsence(error)) return error;
  throw error;
}

const isComposedOfHits = (loaded: LoadedData | ServiceError, parts: readonly CacheResult[]): boolean =>
  !(loaded instanceof ServiceError) &&
  loaded.isComposed === true &&
  parts.every(({ outcome }) => outcome === 'hit');

/** The result of the call. At the deadline it rejects with `timeoutError()`, and so does the call's signal. */
async function withDeadline<T>(
  deadline: LoadDeadline | undefined,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const { signal } = controller;
  if (!deadline) return call(signal);
  const timer = setTimeout(() => controller.abort(deadline.timeoutError()), deadline.milliseconds);
  return withSignal(call(signal), signal).finally(() => clearTimeout(timer));
}

/** A question, and the stale entry that may be served instead. */
interface LoadRequest {
  question: Question;
  policy: CachePolicy;
  cached: CacheEntry | undefined;
  /** True if no client waits for it. */
  background: boolean;
}

/**
 * Stores one entry per key.
 * - Fresh entries are served from memory. Hits in further tiers are copied to memory.
 * - Simultaneous equal misses share one load.
 * - Stale entries are served while a new one is loaded, or if the source fails. A failure never replaces an entry.
 */
export class ResponseCache {
  readonly #clock: Clock;
  readonly #options: ResponseCacheOptions;
  readonly #tiers: readonly CacheTier[];
  readonly #entries: EntryMemory;
  readonly #searches = new Map<string, Promise<CacheEntry | undefined>>();
  readonly #loads = new Map<string, { result: Promise<CacheResult>; background: boolean }>();
  /** Until when (monotonic) stale entries are served without a load, for keys whose load has failed. */
  readonly #pausedUntil = new LRUCache<string, number>({ max: MAX_PAUSED });

  constructor(options: ResponseCacheOptions) {
    const { clock, weight = 1, tiers = [] } = options;
    this.#clock = clock;
    this.#options = options;
    this.#tiers = tiers;
    this.#entries = new EntryMemory(options.maxBytes, weight);
  }

  /** Entries, their bytes, and loads in progress. */
  get stats(): { entries: number; bytes: number; loading: number } {
    return { ...this.#entries.stats, loading: this.#loads.size };
  }

  /** The fresh entry in this process's memory, synchronously. */
  findFresh(key: string, now: number): CacheEntry | undefined {
    const entry = this.#entries.get(key, now);
    return entry !== undefined && isFresh(entry, now) ? entry : undefined;
  }

  /**
   * Answers a question, from the cache or its source. Rejects as `load` does if there is no usable entry.
   */
  async get(question: Question, policy: CachePolicy): Promise<CacheResult> {
    const { key } = question;
    const cached = await this.#find(question, policy);
    const now = this.#clock.now();
    if (cached && isFresh(cached, now)) return { entry: cached, outcome: 'hit', tookMs: 0 };
    const isPaused = this.#clock.monotonic() < (this.#pausedUntil.get(key) ?? 0);
    if (cached && isPaused) return { entry: cached, outcome: 'stale', tookMs: 0 };
    if (cached && now < cached.revalidateUntil) {
      // No client waits for this load. `onFailure` reports its failure, and the next request retries.
      if (!this.#loads.has(key)) {
        this.#joinOrLoad({ question, policy, cached, background: true }).catch(() => undefined);
      }
      return { entry: cached, outcome: 'revalidating', tookMs: 0 };
    }
    const startedAt = this.#clock.monotonic();
    try {
      return await this.#joinOrLoad({ question, policy, cached, background: false });
    } catch (failure) {
      if (cached) return { entry: cached, outcome: 'stale', failure, tookMs: this.#since(startedAt) };
      throw failure;
    }
  }

  #since(startedAt: number): number {
    return Math.round(this.#clock.monotonic() - startedAt);
  }

  #find({ key }: Question, policy: CachePolicy): CacheEntry | undefined | Promise<CacheEntry | undefined> {
    return this.#entries.get(key, this.#clock.now()) ?? this.#searchTiers(key, policy);
  }

  /** Searches the further tiers and copies a hit to memory. Equal concurrent searches are shared. */
  #searchTiers(key: string, policy: CachePolicy): Promise<CacheEntry | undefined> | undefined {
    if (this.#tiers.length === 0 || this.#loads.has(key)) return undefined;
    const pending = this.#searches.get(key);
    if (pending) return pending;
    const search = this.#loadFromTiers(key, policy).finally(() => this.#searches.delete(key));
    this.#searches.set(key, search);
    return search;
  }

  async #loadFromTiers(key: string, policy: CachePolicy): Promise<CacheEntry | undefined> {
    const found = await findInTiers(this.#tiers, key, this.#clock.now());
    const now = this.#clock.now();
    const cached = this.#entries.get(key, now);
    const entry = found && cutToPolicy(found, policy);
    if (!entry || !isUsable(entry, now) || (cached && !isYounger(entry, cached))) return cached;
    this.#entries.set(key, entry);
    return entry;
  }

  /** Joins the load of an equal question, or starts one. */
  async #joinOrLoad(request: LoadRequest): Promise<CacheResult> {
    const { key } = request.question;
    const pending = this.#loads.get(key);
    if (!pending) {
      const result = this.#load(request).finally(() => this.#loads.delete(key));
      this.#loads.set(key, { result, background: request.background });
      return result;
    }
    try {
      return { ...(await pending.result), outcome: 'collapsed' };
    } catch (failure) {
      // Neither a client's own limit, nor a refusal because no client waited, concerns the others: they retry.
      const isForeground = pending.background && !request.background;
      if (isForeground || concernsOneClient(failure)) return this.#joinOrLoad(request);
      throw failure;
    }
  }

  /** Loads from the source, or gets the entry that another process loads, and caches the result. */
  async #load({ question, policy, cached, background }: LoadRequest): Promise<CacheResult> {
    const { key, isComposed } = question;
    const { loadDeadline, onFailure } = this.#options;
    const startedAt = this.#clock.monotonic();
    const load = async (signal: AbortSignal): Promise<CacheResult> => {
      const parts: CacheResult[] = [];
      const cache = this.#readerOf(parts, background);
      const loaded = await question.load({ signal, background, cache }).catch(returnAbsence);
      const now = this.#clock.now();
      const entry = createCacheEntry(loaded, policy, now, parts);
      this.#pausedUntil.delete(key);
      // A response that is not to be cached must not replace one that may still be served as stale.
      if (isUsable(entry, now)) {
        this.#entries.set(key, entry);
        for (const tier of this.#tiers) tier.put(key, entry);
      }
      const outcome = isComposedOfHits(loaded, parts) ? 'hit' : 'miss';
      return { entry, outcome, tookMs: this.#since(startedAt) };
    };
    try {
      return await withDeadline(isComposed ? undefined : loadDeadline, async (signal) => {
        // Without a stale response the tiers have just been searched.
        const isSearched = cached === undefined || this.#tiers.length === 0;
        const loadedElsewhere = isSearched
          ? undefined
          : await this.#findLoadedElsewhere(key, policy, startedAt);
        return loadedElsewhere ?? load(signal);
      });
    } catch (error) {
      if (cached && !concernsOneClient(error))
        this.#pausedUntil.set(key, this.#clock.monotonic() + FAILURE_PAUSE_MS);
      onFailure?.(key, error);
      throw error;
    }
  }

  /** A fresh entry that another process has loaded. */
  async #findLoadedElsewhere(
    key: string,
    policy: CachePolicy,
    startedAt: number,
  ): Promise<CacheResult | undefined> {
    const entry = await this.#loadFromTiers(key, policy);
    if (!entry || !isFresh(entry, this.#clock.now())) return undefined;
    return { entry, outcome: 'collapsed', tookMs: this.#since(startedAt) };
  }

  /**
   * Reads other questions for a load, and adds their results to `parts`. Never returns stale entries: they would count
   * as new.
   */
  #readerOf(parts: CacheResult[], background: boolean): CacheReader {
    const isFreshNow = (entry: CacheEntry | undefined): entry is CacheEntry =>
      entry !== undefined && isFresh(entry, this.#clock.now());
    return {
      find: async (question, policy) => {
        const cached = await this.#find(question, policy);
        return isFreshNow(cached) ? cached : undefined;
      },
      get: async (question, policy) => {
        const cached = await this.#find(question, policy);
        const part: CacheResult = isFreshNow(cached)
          ? { entry: cached, outcome: 'hit', tookMs: 0 }
          : await this.#joinOrLoad({ question, policy, cached, background });
        parts.push(part);
        if (part.entry.status !== 200) throw cachedError(part.entry);
        return part.entry;
      },
    };
  }
}
