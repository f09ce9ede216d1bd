import type { CacheTier } from './tiers.ts';
import type { Clock } from '../process/clock.ts';
import { decodeEntry, encodeEntry } from './entry-codec.ts';
import type { Store } from '../store/store.ts';

/** The largest responses (500 novels with all fields) are below 2 MB. */
const MAX_ENTRY_BYTES = 8 * 1024 * 1024;

/** Bytes not yet confirmed by the store. Beyond this, writes are dropped. */
const MAX_PENDING_BYTES = 32 * 1024 * 1024;

/** Cache in Redis or Valkey, shared by all replicas. The store expires entries itself. */
export function createStoreTier(store: Store, clock: Clock): CacheTier {
  let pendingBytes = 0;
  return {
    find: async (key) => {
      if (!store.isUsable) return undefined;
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
      if (!store.isUsable || lifetime < 1 || entry.data.length > MAX_ENTRY_BYTES) return;
      if (pendingBytes + entry.data.length > MAX_PENDING_BYTES) return;
      const bytes = encodeEntry(key, entry);
      pendingBytes += bytes.length;
      const done = () => {
        pendingBytes -= bytes.length;
      };
      store.run((client) => client.set(store.keys.answerKey(key), bytes, 'PX', lifetime)).then(done, done);
    },
  };
}
