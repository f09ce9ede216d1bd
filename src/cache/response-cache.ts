import { LRUCache } from 'lru-cache';
import type { TierChain } from './cache-tier.ts';
import type { Clock } from '../process/clock.ts';
import { withDeadline } from '../upstream/deadline.ts';
import { loadAnswer } from './load-answer.ts';
import type { Loaded } from './load-answer.ts';
import type { SharedFlight } from '../store/shared-flight.ts';
import type { BodyShape, CachePolicy, StoredAnswer } from './stored-answer.ts';

export type { Loaded } from './load-answer.ts';

/** How an answer came about, for `meta.cached`, `Cache-Status` and the log. */
export type CacheOutcome =
  /** fresh, from memory or a further tier */
  | 'hit'
  /** no longer fresh: a new one is being fetched behind it */
  | 'revalidating'
  /** no longer fresh, and the source has just failed */
  | 'stale'
  | 'miss'
  /** waited for an equal request that was under way, here or in another process */
  | 'collapsed';

export interface CachedAnswer {
  answer: StoredAnswer;
  outcome: CacheOutcome;
  /** The failure behind a stale answer. */
  failure?: unknown;
}

/** An answer just come in, and whether it was this process that asked the source. */
interface Arrival {
  answer: StoredAnswer;
  outcome: 'miss' | 'collapsed';
}

interface Wanted {
  key: string;
  policy: CachePolicy;
  load: () => Promise<Loaded>;
  /** What could be served in its place. */
  held: StoredAnswer | undefined;
}

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
  /** Where answers are kept beside memory. */
  tiers?: TierChain | undefined;
  /** Lets one process of several ask the source. */
  flight?: SharedFlight | undefined;
  /** Nobody waits longer than this for a load, the wait for other processes included. */
  loadDeadline?: { milliseconds: number; late: () => Error } | undefined;
  /** Told of every failed load, also of those that nobody waits for. */
  onFailure?: (key: string, error: unknown) => void;
}

/**
 * One answer per key: fresh ones are served from memory, simultaneous equal misses share one load, stale ones are
 * served while (or because) the source cannot, and a failure never replaces a good answer. What memory lacks is
 * looked for in the further tiers, and what they give is kept in memory from then on.
 */
export class ResponseCache {
  readonly #clock: Clock;
  readonly #options: ResponseCacheOptions;
  readonly #entries: LRUCache<string, StoredAnswer>;
  readonly #searches = new Map<string, Promise<StoredAnswer | undefined>>();
  readonly #loads = new Map<string, Promise<Arrival>>();
  readonly #pausedUntil = new Map<string, number>();

  constructor(options: ResponseCacheOptions) {
    this.#clock = options.clock;
    this.#options = options;
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
      loading: this.#loads.size,
    };
  }

  /** The fresh answer, if this process holds one: no promise, nothing awaited. */
  fresh(key: string): StoredAnswer | undefined {
    const answer = this.#entries.get(key);
    return answer !== undefined && this.#clock.now() < answer.freshUntil ? answer : undefined;
  }

  /** The answer of a key, loading it when needed. Rejects with what `load` rejected with when nothing can be served. */
  async get(key: string, policy: CachePolicy, load: () => Promise<Loaded>): Promise<CachedAnswer> {
    let held = this.#held(key);
    if (!held && this.#options.tiers && !this.#loads.has(key)) held = await this.#recall(key);
    const now = this.#clock.now();
    if (held && now < held.freshUntil) return { answer: held, outcome: 'hit' };
    if (held && now < (this.#pausedUntil.get(key) ?? 0)) return { answer: held, outcome: 'stale' };
    const underWay = this.#loads.get(key);
    if (held && now < held.revalidateUntil) {
      // Nobody waits for this load; its failure has been reported and the next request tries again.
      if (!underWay) this.#load({ key, policy, load, held }).catch(() => undefined);
      return { answer: held, outcome: 'revalidating' };
    }
    try {
      const { answer, outcome } = await (underWay ?? this.#load({ key, policy, load, held }));
      return { answer, outcome: underWay ? 'collapsed' : outcome };
    } catch (failure) {
      if (held) return { answer: held, outcome: 'stale', failure };
      throw failure;
    }
  }

  #held(key: string): StoredAnswer | undefined {
    const answer = this.#entries.get(key);
    if (answer === undefined || this.#clock.now() < answer.keepUntil) return answer;
    this.#entries.delete(key);
    return undefined;
  }

  /** What the further tiers hold, put into memory. Equal searches under way are one. */
  #recall(key: string): Promise<StoredAnswer | undefined> {
    const underWay = this.#searches.get(key);
    if (underWay) return underWay;
    const search = this.#findYoungest(key).finally(() => {
      this.#searches.delete(key);
    });
    this.#searches.set(key, search);
    return search;
  }

  async #findYoungest(key: string): Promise<StoredAnswer | undefined> {
    const found = await this.#options.tiers?.find(key, this.#clock.now());
    const held = this.#held(key);
    if (!found || (held && held.storedAt >= found.storedAt)) return held;
    this.#entries.set(key, found);
    return found;
  }

  #load(wanted: Wanted): Promise<Arrival> {
    const { key } = wanted;
    const promise = this.#loadInTime(wanted).finally(() => {
      this.#loads.delete(key);
    });
    this.#loads.set(key, promise);
    return promise;
  }

  async #loadInTime(wanted: Wanted): Promise<Arrival> {
    const { loadDeadline, onFailure } = this.#options;
    try {
      const arrival = this.#ask(wanted);
      return await (loadDeadline
        ? withDeadline(arrival, loadDeadline.milliseconds, loadDeadline.late)
        : arrival);
    } catch (error) {
      if (wanted.held) this.#pause(wanted.key);
      onFailure?.(wanted.key, error);
      throw error;
    }
  }

  /** Asks the source, unless another process has done so, or is at it. */
  async #ask({ key, policy, load, held }: Wanted): Promise<Arrival> {
    const { clock, shape, tiers, flight } = this.#options;
    const lead = async (): Promise<Arrival> => {
      const answer = await loadAnswer(load, { clock, shape, policy });
      this.#pausedUntil.delete(key);
      this.#entries.set(key, answer);
      tiers?.put(key, answer);
      return { answer, outcome: 'miss' };
    };
    const follow = async (): Promise<Arrival | undefined> => {
      const answer = await this.#findYoungest(key);
      return answer && clock.now() < answer.freshUntil ? { answer, outcome: 'collapsed' } : undefined;
    };
    if (flight) return flight.once(key, lead, follow);
    // Without anything in hand the tiers have just been asked.
    return (held && tiers && (await follow())) ?? lead();
  }

  #pause(key: string): void {
    if (this.#pausedUntil.size >= 10_000) this.#pausedUntil.clear();
    this.#pausedUntil.set(key, this.#clock.now() + PAUSE_AFTER_FAILURE_MS);
  }
}
