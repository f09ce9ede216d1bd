import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.ts';
import { ServiceError, toErrorBody } from './errors.ts';
import type { ErrorCode } from './errors.ts';
import type { BodyShape, CachePolicy, StoredAnswer } from './stored-answer.ts';
import { storeAnswer } from './stored-answer.ts';

/** What a source gives for one key. */
export interface Loaded {
  data: unknown;
  meta?: Record<string, unknown>;
  /** When this very answer deserves another policy than its route (a past ranking never changes). */
  policy?: CachePolicy;
}

/** How an answer came about, for `meta.cached`, `Cache-Status` and the log. */
export type CacheOutcome =
  /** fresh, from memory or a further tier */
  | 'hit'
  /** no longer fresh: a new one is being fetched behind it */
  | 'revalidating'
  /** no longer fresh, and the source has just failed */
  | 'stale'
  | 'miss'
  /** waited for an equal request that was under way */
  | 'collapsed';

export interface CachedAnswer {
  answer: StoredAnswer;
  outcome: CacheOutcome;
  /** The failure behind a stale answer. */
  failure?: unknown;
}

/** Errors that are answers: they say that something does not exist. All others are failures and are never kept. */
const ABSENCE: ReadonlySet<ErrorCode> = new Set(['not_found', 'ranking_not_published', 'not_registered']);

/** After a failure the stale answer is served this long before the source is asked again. */
const PAUSE_AFTER_FAILURE_MS = 5_000;

/** What an entry weighs beside its body: objects, header blocks, the key's place in the index. */
const ENTRY_OVERHEAD_BYTES = 2_048;

/** A body with its gzip and brotli forms: JSON of this kind shrinks to a quarter in each. */
const FORMS_FACTOR = 1.5;

export interface ResponseCacheOptions {
  clock: Clock;
  shape: BodyShape;
  /** Bound of what is kept in this process, in bytes. */
  maxBytes: number;
  /** Told of every failed load, also of those that nobody waits for. */
  onFailure?: (key: string, error: unknown) => void;
}

/**
 * One answer per key: fresh ones are served from memory, simultaneous equal misses share one load, stale ones are
 * served while (or because) the source cannot, and a failure never replaces a good answer.
 */
export class ResponseCache {
  readonly #clock: Clock;
  readonly #shape: BodyShape;
  readonly #entries: LRUCache<string, StoredAnswer>;
  readonly #loading = new Map<string, Promise<StoredAnswer>>();
  readonly #pausedUntil = new Map<string, number>();
  readonly #onFailure: (key: string, error: unknown) => void;

  constructor(options: ResponseCacheOptions) {
    this.#clock = options.clock;
    this.#shape = options.shape;
    this.#onFailure = options.onFailure ?? (() => undefined);
    this.#entries = new LRUCache({
      maxSize: options.maxBytes,
      sizeCalculation: (answer, key) =>
        Math.ceil(answer.body.length * FORMS_FACTOR) + key.length * 2 + ENTRY_OVERHEAD_BYTES,
    });
  }

  /** Entries and bytes held, loads under way. */
  get figures(): { entries: number; bytes: number; loading: number } {
    return {
      entries: this.#entries.size,
      bytes: this.#entries.calculatedSize,
      loading: this.#loading.size,
    };
  }

  /** The fresh answer, if this process holds one: no promise, nothing awaited. */
  fresh(key: string): StoredAnswer | undefined {
    const answer = this.#entries.get(key);
    return answer !== undefined && this.#clock.now() < answer.freshUntil ? answer : undefined;
  }

  /** The answer of a key, loading it when needed. Rejects with what `load` rejected with when nothing can be served. */
  async get(key: string, policy: CachePolicy, load: () => Promise<Loaded>): Promise<CachedAnswer> {
    const now = this.#clock.now();
    const held = this.#held(key, now);
    if (held && now < held.freshUntil) return { answer: held, outcome: 'hit' };
    if (held && now < (this.#pausedUntil.get(key) ?? 0)) return { answer: held, outcome: 'stale' };
    const underWay = this.#loading.get(key);
    if (held && now < held.revalidateUntil) {
      // Nobody waits for this load; its failure has been reported and the next request tries again.
      if (!underWay) this.#load(key, policy, load, held).catch(() => undefined);
      return { answer: held, outcome: 'revalidating' };
    }
    try {
      const answer = await (underWay ?? this.#load(key, policy, load, held));
      return { answer, outcome: underWay ? 'collapsed' : 'miss' };
    } catch (failure) {
      if (held) return { answer: held, outcome: 'stale', failure };
      throw failure;
    }
  }

  #held(key: string, now: number): StoredAnswer | undefined {
    const answer = this.#entries.get(key);
    if (answer === undefined || now < answer.keepUntil) return answer;
    this.#entries.delete(key);
    return undefined;
  }

  #load(
    key: string,
    policy: CachePolicy,
    load: () => Promise<Loaded>,
    held: StoredAnswer | undefined,
  ): Promise<StoredAnswer> {
    const promise = this.#loadOnce(key, policy, load, held).finally(() => {
      this.#loading.delete(key);
    });
    this.#loading.set(key, promise);
    return promise;
  }

  async #loadOnce(
    key: string,
    policy: CachePolicy,
    load: () => Promise<Loaded>,
    held: StoredAnswer | undefined,
  ): Promise<StoredAnswer> {
    let answer: StoredAnswer;
    try {
      const loaded = await load();
      answer = storeAnswer({
        status: 200,
        json: JSON.stringify(loaded.data),
        meta: loaded.meta ?? {},
        storedAt: this.#clock.now(),
        policy: loaded.policy ?? policy,
        shape: this.#shape,
      });
    } catch (error) {
      if (!(error instanceof ServiceError) || !ABSENCE.has(error.code)) {
        if (held) this.#pause(key);
        this.#onFailure(key, error);
        throw error;
      }
      answer = storeAnswer({
        status: error.status,
        json: JSON.stringify(toErrorBody(error)),
        meta: {},
        storedAt: this.#clock.now(),
        policy,
        shape: this.#shape,
      });
    }
    this.#pausedUntil.delete(key);
    this.#entries.set(key, answer);
    return answer;
  }

  #pause(key: string): void {
    if (this.#pausedUntil.size >= 10_000) this.#pausedUntil.clear();
    this.#pausedUntil.set(key, this.#clock.now() + PAUSE_AFTER_FAILURE_MS);
  }
}
