import { LRUCache } from 'lru-cache';
import { isUsable } from './cache-entry.ts';
import type { CacheEntry } from './cache-entry.ts';

/** Memory of an entry beside its data: objects, the index, header blocks. */
const ENTRY_OVERHEAD_BYTES = 2_048;

/** Entries with more data are large: whole rankings with their novels, searches of hundreds. */
const LARGE_FROM_BYTES = 65_536;

/** Share of the memory for large entries: they are few, and rarely requested again. */
const LARGE_SHARE = 1 / 5;

/**
 * Bounded cache in this process; the least recently used entries are evicted first. Large entries have a fifth of the
 * memory, so that a client that pages through large responses does not evict everything else.
 */
export class EntryMemory {
  readonly #small: LRUCache<string, CacheEntry>;
  readonly #large: LRUCache<string, CacheEntry>;

  /** `weight`: memory of an entry as a multiple of its data. */
  constructor(maxBytes: number, weight: number) {
    const within = (share: number) =>
      new LRUCache<string, CacheEntry>({
        maxSize: Math.max(1, Math.floor(maxBytes * share)),
        sizeCalculation: (entry, key) =>
          Math.ceil(entry.data.length * weight) + key.length * 2 + ENTRY_OVERHEAD_BYTES,
      });
    this.#small = within(1 - LARGE_SHARE);
    this.#large = within(LARGE_SHARE);
  }

  get stats(): { entries: number; bytes: number } {
    const [small, large] = [this.#small, this.#large];
    return { entries: small.size + large.size, bytes: small.calculatedSize + large.calculatedSize };
  }

  /** The entry, unless it is too old to be served: then it is dropped. */
  get(key: string, now: number): CacheEntry | undefined {
    const entry = this.#small.get(key) ?? this.#large.get(key);
    if (entry === undefined || isUsable(entry, now)) return entry;
    this.#small.delete(key);
    this.#large.delete(key);
    return undefined;
  }

  set(key: string, entry: CacheEntry): void {
    const isLarge = entry.data.length > LARGE_FROM_BYTES;
    (isLarge ? this.#small : this.#large).delete(key);
    (isLarge ? this.#large : this.#small).set(key, entry);
  }
}
