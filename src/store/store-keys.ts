import { createHash } from 'node:crypto';

/** A name of any length and origin as 22 characters: 132 bits of SHA-256, so that two names never meet. */
export function hashKey(name: string): string {
  return createHash('sha256').update(name).digest('base64url').slice(0, 22);
}

/**
 * The names of all keys in the store. Names from outside (cache keys, client addresses) are hashed: equal length
 * whatever comes in, and no address stands in the store in clear. The braces keep an answer and the lock on
 * fetching it on one node of a cluster.
 */
export interface StoreKeys {
  answer(key: string): string;
  flight(key: string): string;
  limit(client: string): string;
  budget(name: string): string;
  probe: string;
}

/** `prefix` ends in its own separator: `mokuroku:`; `scope` tells services and sources apart: `catalogue:narou`. */
export function createStoreKeys(prefix: string, scope: string): StoreKeys {
  const stem = `${prefix}${scope}:`;
  return {
    answer: (key) => `${stem}answer:{${hashKey(key)}}`,
    flight: (key) => `${stem}flight:{${hashKey(key)}}`,
    limit: (client) => `${stem}limit:${hashKey(client)}`,
    budget: (name) => `${stem}budget:${name}`,
    probe: `${stem}probe`,
  };
}
