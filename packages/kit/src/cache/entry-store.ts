import type { Clock } from '../process/clock.ts';
import type { Store } from '../store/store.ts';
import type { CacheEntry } from './cache-entry.ts';
import { decodeEntry, encodeEntry } from './entry-codec.ts';

/** Cache entries in Redis or Valkey, shared by all replicas. It never makes a request fail. */
export interface EntryStore {
  /** undefined if there is none, or the store fails. */
  find(key: string): Promise<CacheEntry | undefined>;
  /** Returns at once: no request waits for a write. */
  put(key: string, entry: CacheEntry): void;
}

/** A larger one (a span of rankings with all fields of their novels) would take longer than a command may. */
const MAX_ENTRY_BYTES = 8 * 1024 * 1024;

/** The store expires entries itself. */
export function createEntryStore(store: Store, clock: Clock): EntryStore {
  return {
    find: async (key) => {
      try {
        const bytes = await store.run((client) => client.getBuffer(store.keys.answerKey(key)));
        return bytes ? decodeEntry(key, bytes) : undefined;
      } catch {
        // The store has logged its failure already.
        return undefined;
      }
    },
    put: (key, entry) => {
      const lifetime = entry.staleIfErrorUntil - clock.now();
      if (lifetime < 1 || entry.data.length > MAX_ENTRY_BYTES) return;
      // The store has logged its failure already.
      store
        .run((client) => client.set(store.keys.answerKey(key), encodeEntry(key, entry), 'PX', lifetime))
        .catch(() => undefined);
    },
  };
}
