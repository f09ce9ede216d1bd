import { createHash } from 'node:crypto';

/** Maps a name of any length and origin to 22 characters: 132 bits of SHA-256, enough to never collide. */
export function hashKey(name: string): string {
  return createHash('sha256').update(name).digest('base64url').slice(0, 22);
}

/**
 * The names of all keys in the store. Names from outside (cache keys, client addresses) are hashed: their length is
 * fixed, and no address is stored in clear.
 */
export interface StoreKeys {
  answerKey(key: string): string;
  limit(client: string): string;
  readonly budget: string;
}

/** `prefix` ends with its separator: `mokuroku:`; `scope` separates services and sources: `catalogue:narou`. */
export function createStoreKeys(prefix: string, scope: string): StoreKeys {
  const stem = `${prefix}${scope}:`;
  return {
    answerKey: (key) => `${stem}answer:${hashKey(key)}`,
    limit: (client) => `${stem}limit:${hashKey(client)}`,
    budget: `${stem}budget:default`,
  };
}
