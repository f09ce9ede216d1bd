import { z } from 'zod';
import { parseJson } from '../process/json.ts';
import type { Store } from '../store/store.ts';
import { ENTRY_FACTS } from './cache-entry.ts';
import type { CacheEntry } from './cache-entry.ts';

/** A larger one (a list of thousands of whole records) would take longer than a command may. */
const MAX_ENTRY_BYTES = 8 * 1024 * 1024;

/**
 * The first line of a cache entry in the store; its data follow. An incompatible form gets another number, so that
 * replicas of two releases can share one store.
 */
const headerSchema = z.object({
  form: z.literal(5),
  key: z.string(),
  bytes: z.int(),
  facts: ENTRY_FACTS,
});

function encodeEntry(key: string, { data, ...facts }: CacheEntry): Buffer {
  const header = JSON.stringify({ form: 5, key, bytes: data.length, facts });
  return Buffer.concat([Buffer.from(`${header}\n`), data]);
}

/** undefined if the bytes are no entry of this key, a truncated one, or one of another release. */
function decodeEntry(key: string, stored: Buffer): CacheEntry | undefined {
  const dataAt = stored.indexOf('\n') + 1;
  const header = headerSchema.safeParse(parseJson(stored.toString('utf8', 0, dataAt))).data;
  const data = stored.subarray(dataAt);
  return header?.key === key && header.bytes === data.length ? { ...header.facts, data } : undefined;
}

export type EntryStore = ReturnType<typeof createEntryStore>;

/**
 * Cache entries in Redis or Valkey, shared by all replicas. It never makes a request fail: the store has logged its
 * failure already.
 */
export function createEntryStore(store: Store) {
  return {
    /** undefined if there is none, or the store fails. */
    find: async (key: string): Promise<CacheEntry | undefined> => {
      const bytes = await store
        .run(async (client) => {
          const reply: unknown = await client.getBuffer(store.keys.answerKey(key));
          // That of another command, if replies are out of step.
          if (reply !== null && !Buffer.isBuffer(reply)) throw new Error('a value is no bytes');
          return reply;
        })
        .catch(() => null);
      return bytes ? decodeEntry(key, bytes) : undefined;
    },
    /** Returns at once: no request waits for a write. The store expires the entry, which is usable `now`. */
    put: (key: string, entry: CacheEntry, now: number): void => {
      if (entry.data.length > MAX_ENTRY_BYTES) return;
      const lifetime = entry.staleIfErrorUntil - now;
      store
        .run((client) => client.set(store.keys.answerKey(key), encodeEntry(key, entry), 'PX', lifetime))
        .catch(() => undefined);
    },
  };
}
