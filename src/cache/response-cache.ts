import { ServiceError } from '../errors.ts';
import type { Clock } from '../process/clock.ts';
import type { SharedFlight } from '../store/store-flight.ts';
import { AnswerMemory } from './answer-memory.ts';
import { isAbsence, isFresh, isUsable, isYounger, keepAbsence, keepAnswer, keptError } from './answer.ts';
import type { CachePolicy, KeptAnswer, OtherAnswers, Question } from './answer.ts';
import { FailurePauses } from './failure-pauses.ts';
import { findInTiers } from './tiers.ts';
import type { CacheTier } from './tiers.ts';

/** How an answer came about, for `meta.cached`, `Cache-Status` and the log. */
export type CacheOutcome =
  /** fresh, from memory or a further tier */
  | 'hit'
  /** made of other answers, all of them kept and fresh: nobody was asked */
  | 'derived'
  /** no longer fresh: a new one is being fetched behind it */
  | 'revalidating'
  /** no longer fresh, and the source has just failed */
  | 'stale'
  | 'miss'
  /** waited for an equal request that was under way, here or in another process */
  | 'collapsed';

export interface CacheResult {
  answer: KeptAnswer;
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
  loadDeadline?: { milliseconds: number; late: () => Error };
  /** Told of every failed load, also of those that nobody waits for. */
  onFailure?: (key: string, error: unknown) => void;
}

/** Whether a failure concerns the client alone who asked: its share of something is spent. */
const isRefusalOfOne = (error: unknown) => error instanceof ServiceError && error.status === 429;

const isFromCache = ({ outcome }: CacheResult) => outcome === 'hit' || outcome === 'derived';

/** A question with what may be served in its place. */
interface Wanted {
  question: Question;
  policy: CachePolicy;
  held: KeptAnswer | undefined;
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
  readonly #searches = new Map<string, Promise<KeptAnswer | undefined>>();
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
  get figures(): { entries: number; bytes: number; loading: number } {
    return { ...this.#entries.figures, loading: this.#loads.size };
  }

  /** The fresh answer, if this process holds one: no promise, nothing awaited. */
  fresh(key: string, now: number): KeptAnswer | undefined {
    const answer = this.#entries.get(key);
    return answer !== undefined && isFresh(answer, now) ? answer : undefined;
  }

  /**
   * The answer to a question, asking its source when needed. Rejects with what `load` rejected with when nothing can
   * be served.
   */
  async get(question: Question, policy: CachePolicy): Promise<CacheResult> {
    const { key } = question;
    const held = await this.#find(key);
    const now = this.#clock.now();
    if (held && isFresh(held, now)) return { answer: held, outcome: 'hit', tookMs: 0 };
    if (held && this.#pauses.has(key)) return { answer: held, outcome: 'stale', tookMs: 0 };
    if (held && now < held.revalidateUntil) {
      // Nobody waits for this load; its failure has been reported and the next request tries again.
      if (!this.#loads.has(key)) {
        this.#load({ question, policy, held, background: true }).catch(() => undefined);
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

  async #find(key: string): Promise<KeptAnswer | undefined> {
    const held = this.#held(key);
    return held || this.#tiers.length === 0 || this.#loads.has(key) ? held : this.#recall(key);
  }

  async #findFresh(key: string): Promise<KeptAnswer | undefined> {
    const held = await this.#find(key);
    return held && isFresh(held, this.#clock.now()) ? held : undefined;
  }

  #held(key: string): KeptAnswer | undefined {
    const answer = this.#entries.get(key);
    if (answer === undefined || isUsable(answer, this.#clock.now())) return answer;
    this.#entries.delete(key);
    return undefined;
  }

  /** What the further tiers hold, put into memory. Equal searches under way are one. */
  #recall(key: string): Promise<KeptAnswer | undefined> {
    const underWay = this.#searches.get(key);
    if (underWay) return underWay;
    const search = this.#findYoungest(key).finally(() => this.#searches.delete(key));
    this.#searches.set(key, search);
    return search;
  }

  async #findYoungest(key: string): Promise<KeptAnswer | undefined> {
    const found = await findInTiers(this.#tiers, key, this.#clock.now());
    const held = this.#held(key);
    if (!found || (held && !isYounger(found, held))) return held;
    this.#entries.set(key, found);
    return found;
  }

  /** What an equal load under way brings, or one that is begun now. */
  async #loadOnce(wanted: Wanted): Promise<CacheResult> {
    const underWay = this.#loads.get(wanted.question.key);
    if (!underWay) return this.#load(wanted);
    try {
      return { ...(await underWay), outcome: 'collapsed' };
    } catch (failure) {
      // What only the client who came first may not do is not refused to those who waited with it.
      if (isRefusalOfOne(failure)) return this.#loadOnce(wanted);
      throw failure;
    }
  }

  #load(wanted: Wanted): Promise<CacheResult> {
    const { key } = wanted.question;
    const startedAt = this.#clock.monotonic();
    const load = this.#loadInTime(wanted)
      .then((loaded) => ({ ...loaded, tookMs: this.#since(startedAt) }))
      .finally(() => this.#loads.delete(key));
    this.#loads.set(key, load);
    return load;
  }

  async #loadInTime(wanted: Wanted): Promise<Loaded> {
    const { loadDeadline, onFailure } = this.#options;
    const controller = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    try {
      const asking = this.#ask(wanted, controller.signal);
      if (!loadDeadline || wanted.question.isMany) return await asking;
      const late = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => {
          const error = loadDeadline.late();
          reject(error);
          controller.abort(error);
        }, loadDeadline.milliseconds);
      });
      return await Promise.race([asking, late]);
    } catch (error) {
      if (wanted.held && !isRefusalOfOne(error)) this.#pauses.begin(wanted.question.key);
      onFailure?.(wanted.question.key, error);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Asks the source, unless another process has done so, or is at it. */
  async #ask(wanted: Wanted, signal: AbortSignal): Promise<Loaded> {
    const { key } = wanted.question;
    const lead = () => this.#loadAndKeep(wanted, signal);
    const follow = async (): Promise<Loaded | undefined> => {
      const answer = await this.#findYoungest(key);
      return answer && isFresh(answer, this.#clock.now()) ? { answer, outcome: 'collapsed' } : undefined;
    };
    if (this.#options.flight) return this.#options.flight.once(key, lead, follow);
    // Without anything in hand the tiers have just been asked.
    const arrived = wanted.held && this.#tiers.length > 0 ? await follow() : undefined;
    return arrived ?? lead();
  }

  async #loadAndKeep({ question, policy, background }: Wanted, signal: AbortSignal): Promise<Loaded> {
    const parts: CacheResult[] = [];
    const others: OtherAnswers = {
      find: (key) => this.#findFresh(key),
      get: async (other, otherPolicy) => {
        const part = await this.#getFresh({ question: other, policy: otherPolicy, background });
        parts.push(part);
        if (part.answer.status !== 200) throw keptError(part.answer);
        return part.answer;
      },
    };
    let outcome: CacheOutcome = 'miss';
    const answer = await question.load({ signal, background, others }).then(
      (loaded) => {
        if (loaded.isDerived === true && parts.every(isFromCache)) outcome = 'derived';
        return keepAnswer(loaded, policy, this.#clock.now());
      },
      (error: unknown) => {
        if (!isAbsence(error)) throw error;
        const absences = parts.map((part) => part.answer).filter(({ status }) => status !== 200);
        return keepAbsence(error, policy, this.#clock.now(), absences);
      },
    );
    this.#pauses.end(question.key);
    this.#entries.set(question.key, answer);
    for (const tier of this.#tiers) tier.put(question.key, answer);
    return { answer, outcome };
  }

  /** What other answers are made of: never a stale one, which would be taken for new. */
  async #getFresh(wanted: Omit<Wanted, 'held'>): Promise<CacheResult> {
    const held = await this.#find(wanted.question.key);
    if (held && isFresh(held, this.#clock.now())) return { answer: held, outcome: 'hit', tookMs: 0 };
    return this.#loadOnce({ ...wanted, held });
  }
}
