import { LRUCache } from 'lru-cache';
import { isUsable } from './answer.ts';
import type { CacheEntry } from './answer.ts';

/** What an entry weighs beside its data: objects, the key's place in the index, header blocks made of it. */
const ENTRY_OVERHEAD_BYTES = 2_048;

/** Answers with more data than this are large: whole rankings with their novels, searches of hundreds. */
const LARGE_FROM_BYTES = 65_536;

/** Of the memory: they are few, and whoever walks through them rarely asks for the same one again. */
const LARGE_SHARE = 1 / 5;

/**
 * Answers in this process, within a bound; those that were used longest ago go first. Large ones have a fifth of the
 * room and all others the rest of it, so that a client that walks through large ones does not drive out what everybody
 * else asks for.
 */
export class AnswerMemory {
  readonly #small: LRUCache<string, CacheEntry>;
  readonly #large: LRUCache<string, CacheEntry>;

  /** `weight`: what an answer weighs, times the size of its data. */
  constructor(maxBytes: number, weight: number) {
    const within = (share: number) =>
      new LRUCache<string, CacheEntry>({
        maxSize: Math.max(1, Math.floor(maxBytes * share)),
        sizeCalculation: (answer, key) =>
          Math.ceil(answer.data.length * weight) + key.length * 2 + ENTRY_OVERHEAD_BYTES,
      });
    this.#small = within(1 - LARGE_SHARE);
    this.#large = within(LARGE_SHARE);
  }

  get stats(): { entries: number; bytes: number } {
    const [small, large] = [this.#small, this.#large];
    return { entries: small.size + large.size, bytes: small.calculatedSize + large.calculatedSize };
  }

  /** The response, unless it is too old to be served at all: then it is dropped. */
  get(key: string, now: number): CacheEntry | undefined {
    const answer = this.#small.get(key) ?? this.#large.get(key);
    if (answer === undefined || isUsable(answer, now)) return answer;
    this.#small.delete(key);
    this.#large.delete(key);
    return undefined;
  }

  set(key: string, answer: CacheEntry): void {
    const isLarge = answer.data.length > LARGE_FROM_BYTES;
    (isLarge ? this.#small : this.#large).delete(key);
    (isLarge ? this.#large : this.#small).set(key, answer);
  }
}
