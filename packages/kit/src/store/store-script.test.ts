import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { StoreClient } from './connect-store.ts';
import { storeScript } from './store-script.ts';
import type { Store } from './store.ts';

const run = storeScript('return 1', (reply) => typeof reply === 'string');

/** A store that runs a known script, or fails with NOSCRIPT. */
function storeWith(failure?: Error) {
  const sent: unknown[][] = [];
  const client = {
    evalsha: (...words: unknown[]) => {
      sent.push(['evalsha', ...words]);
      return failure === undefined ? Promise.resolve('known') : Promise.reject(failure);
    },
    eval: (...words: unknown[]) => {
      sent.push(['eval', ...words]);
      return Promise.resolve('reply');
    },
  } as unknown as StoreClient;
  const store = { run: <T>(send: (of: StoreClient) => Promise<T>) => send(client) } as unknown as Store;
  return { store, sent };
}

describe('a script in the store', () => {
  it('is named by its hash', async () => {
    const { store, sent } = storeWith();
    expect(await run(store, 'key', ['a', 2])).toBe('known');
    const sha = createHash('sha1').update('return 1').digest('hex');
    expect(sent).toEqual([['evalsha', sha, 1, 'key', 'a', 2]]);
  });

  it('is sent whole to a store that has forgotten it', async () => {
    const { store, sent } = storeWith(new Error('NOSCRIPT No matching script.'));
    expect(await run(store, 'key', ['a'])).toBe('reply');
    expect(sent[1]).toEqual(['eval', 'return 1', 1, 'key', 'a']);
  });

  it('is not sent again after another failure', async () => {
    const failure = new Error('BUSY, not NOSCRIPT');
    const { store, sent } = storeWith(failure);
    await expect(run(store, 'key', [])).rejects.toBe(failure);
    expect(sent).toHaveLength(1);
  });
});
