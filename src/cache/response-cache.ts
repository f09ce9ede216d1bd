import { ServiceError } from '../errors.ts';
import type { Clock } from '../process/clock.ts';
import type { SharedFlight } from '../store/store-flight.ts';
import { AnswerMemory } from './answer-memory.ts';
import { isAbsence, isFresh, isYounger, createEntry, cachedError } from './answer.ts';
import type { CachePolicy, CacheEntry, CacheReader, LoadedData, Question } from './answer.ts';
import { FailurePauses } from './failure-pauses.ts';
import { withDeadline } from './load-deadline.ts';
import type { LoadDeadline } from './load-deadline.ts';
import { findInTiers } from './tiers.ts';
import type { CacheTier } from './tiers.ts';

/** How an answer came about, for `meta.cached`, `Cache-Status` and the log. */
export type CacheOutcome =
  /** fresh, from memory or a further tier, or composed of such responses alone */
  | 'hit'
  /** no longer fresh: a new one is being fetched behind it */
  | 'revalidating'
  /** no longer fresh, and the source has just failed */
  | 'stale'
  | 'miss'
  /** waited for an equal request that was under way, here or in another process */
  | 'collapsed';

export interface CacheResult {
  answer: CacheEntry;
  outcome: CacheOutcome;
  /** Whole milliseconds of the load, the same for all that waited for it; 0 where nobody waited. */
  tookMs: number;
  /** The failure behind a stale answer. */
  failure?: unknown;
}

type Loaded = Omit<CacheResult, 'tookMs'>;

export interface ResponseCacheOptions {
  clock: Clock;
  /** Bound of what is kept in this process, in bytes. */
  maxBytes: number;
  /** What a kept answer weighs, times the size of its data: whoever serves it may keep other forms beside it. */
  weight?: number;
  /** Where answers are kept beside memory, nearest first. */
  tiers?: readonly CacheTier[];
  /** Lets one process of several ask the source. */
  flight?: SharedFlight | undefined;
  /** Nobody waits longer than this for a load, the wait for other processes included; see `isMany` of Question. */
  loadDeadline?: LoadDeadline;
  /** Told of every failed load, also of those that nobody waits for. */
  onFailure?: (key: string, error: unknown) => void;
}

/** Whether a failure concerns the client alone who asked: its share of something is spent. */
const isRefusalOfOne = (error: unknown) => error instanceof ServiceError && error.status === 429;

function returnAbsence(error: unknown): ServiceError {
  if (isAbsence(error)) return error;
  throw error;
}

const isComposedOfHits = (loaded: LoadedData | ServiceError, parts: readonly CacheResult[]): boolean =>
  !(loaded instanceof ServiceError) &&
  loaded.isComposed === true &&
  parts.every(({ outcome }) => outcome === 'hit');

/** A question with the stale response that may be served in its place. */
interface LoadRequest {
  question: Question;
  policy: CachePolicy;
  held: CacheEntry | undefined;
  /** No client waits for it. */
  background: boolean;
}

/**
 * One answer per key: fresh ones are served from memory, simultaneous equal misses share one load, stale ones are
 * served while (or because) the source cannot, and a failure never replaces a good answer. What memory lacks is
 * looked for in the further tiers, and what they give is kept in memory from then on.
 */
export class ResponseCache {
  readonly #clock: Clock;
  readonly #options: ResponseCacheOptions;
  readonly #tiers: readonly CacheTier[];
  readonly #entries: AnswerMemory;
  readonly #searches = new Map<string, Promise<CacheEntry | undefined>>();
  readonly #loads = new Map<string, Promise<CacheResult>>();
  readonly #pauses: FailurePauses;

  constructor(options: ResponseCacheOptions) {
    const { clock, weight = 1, tiers = [] } = options;
    this.#clock = clock;
    this.#options = options;
    this.#tiers = tiers;
    this.#entries = new AnswerMemory(options.maxBytes, weight);
    this.#pauses = new FailurePauses(clock);
  }

  /** Entries and bytes held, loads under way. */
  get stats(): { entries: number; bytes: number; loading: number } {
    return { ...this.#entries.stats, loading: this.#loads.size };
  }

  /** The fresh answer, if this process holds one: no promise, nothing awaited. */
  fresh(key: string, now: number): CacheEntry | undefined {
    const answer = this.#entries.get(key, now);
    return answer !== undefined && isFresh(answer, now) ? answer : undefined;
  }

  /**
   * The answer to a question, asking its source when needed. Rejects with what `load` rejected with when nothing can
   * be served.
   */
  async get(question: Question, policy: CachePolicy): Promise<CacheResult> {
    const { key } = question;
    const held = this.#entries.get(key, this.#clock.now()) ?? (await this.#recall(key));
    const now = this.#clock.now();
    if (held && isFresh(held, now)) return { answer: held, outcome: 'hit', tookMs: 0 };
    if (held && this.#pauses.has(key)) return { answer: held, outcome: 'stale', tookMs: 0 };
    if (held && now < held.revalidateUntil) {
      // Nobody waits for this load; its failure has been reported and the next request tries again.
      if (!this.#loads.has(key)) {
        this.#loadOnce({ question, policy, held, background: true }).catch(() => undefined);
      }
      return { answer: held, outcome: 'revalidating', tookMs: 0 };
    }
    const startedAt = this.#clock.monotonic();
    try {
      return await this.#loadOnce({ question, policy, held, background: false });
    } catch (failure) {
      if (held) return { answer: held, outcome: 'stale', failure, tookMs: this.#since(startedAt) };
      throw failure;
    }
  }

  #since(startedAt: number): number {
    return Math.round(this.#clock.monotonic() - startedAt);
  }

  #find(key: string): CacheEntry | undefined | Promise<CacheEntry | undefined> {
    return this.#entries.get(key, this.#clock.now()) ?? this.#recall(key);
  }

  /** What the further tiers hold, put into memory. Equal searches under way are one. */
  #recall(key: string): Promise<CacheEntry | undefined> | undefined {
    if (this.#tiers.length === 0 || this.#loads.has(key)) return undefined;
    const underWay = this.#searches.get(key);
    if (underWay) return underWay;
    const search = this.#findYoungest(key).finally(() => this.#searches.delete(key));
    this.#searches.set(key, search);
    return search;
  }

  async #findYoungest(key: string): Promise<CacheEntry | undefined> {
    const found = await findInTiers(this.#tiers, key, this.#clock.now());
    const held = this.#entries.get(key, this.#clock.now());
    if (!found || (held && !isYounger(found, held))) return held;
    this.#entries.set(key, found);
    return found;
  }

  /** Joins the load of an equal question that is under way, or starts one. */
  async #loadOnce(request: LoadRequest): Promise<CacheResult> {
    const { key } = request.question;
    const underWay = this.#loads.get(key);
    if (!underWay) {
      const load = this.#load(request).finally(() => this.#loads.delete(key));
      this.#loads.set(key, load);
      return load;
    }
    try {
      return { ...(await underWay), outcome: 'collapsed' };
    } catch (failure) {
      // What only the client who came first may not do is not refused to those who waited with it.
      if (isRefusalOfOne(failure)) return this.#loadOnce(request);
      throw failure;
    }
  }

  /** Loads from the source, unless another process has done so or is doing it, and caches the response. */
  async #load({ question, policy, held, background }: LoadRequest): Promise<CacheResult> {
    const { key, isMany } = question;
    const { flight, loadDeadline, onFailure } = this.#options;
    const startedAt = this.#clock.monotonic();
    const load = async (signal: AbortSignal): Promise<Loaded> => {
      const parts: CacheResult[] = [];
      const others = this.#readerOf(parts, background);
      const loaded = await question.load({ signal, background, others }).catch(returnAbsence);
      const answer = createEntry(loaded, policy, this.#clock.now(), parts);
      this.#pauses.end(key);
      this.#entries.set(key, answer);
      for (const tier of this.#tiers) tier.put(key, answer);
      return { answer, outcome: isComposedOfHits(loaded, parts) ? 'hit' : 'miss' };
    };
    try {
      const loaded = await withDeadline(isMany ? undefined : loadDeadline, async (signal) => {
        const findArrived = () => this.#findArrived(key);
        if (flight) return flight.load(key, () => load(signal), findArrived);
        // Without a stale response the tiers have just been searched.
        const arrived = held && this.#tiers.length > 0 ? await findArrived() : undefined;
        return arrived ?? load(signal);
      });
      return { ...loaded, tookMs: this.#since(startedAt) };
    } catch (error) {
      if (held && !isRefusalOfOne(error)) this.#pauses.begin(key);
      onFailure?.(key, error);
      throw error;
    }
  }

  /** A fresh response that another process has loaded. */
  async #findArrived(key: string): Promise<Loaded | undefined> {
    const answer = await this.#findYoungest(key);
    return answer && isFresh(answer, this.#clock.now()) ? { answer, outcome: 'collapsed' } : undefined;
  }

  /** Gives a load the responses to other questions, and notes them in `parts`. Never a stale one: it would count as new. */
  #readerOf(parts: CacheResult[], background: boolean): CacheReader {
    const isFreshNow = (answer: CacheEntry | undefined): answer is CacheEntry =>
      answer !== undefined && isFresh(answer, this.#clock.now());
    return {
      find: async (key) => {
        const held = await this.#find(key);
        return isFreshNow(held) ? held : undefined;
      },
      get: async (question, policy) => {
        const held = await this.#find(question.key);
        const part: CacheResult = isFreshNow(held)
          ? { answer: held, outcome: 'hit', tookMs: 0 }
          : await this.#loadOnce({ question, policy, held, background });
        parts.push(part);
        if (part.answer.status !== 200) throw cachedError(part.answer);
        return part.answer;
      },
    };
  }
}
