import { createHash } from 'node:crypto';
import type { Store } from './store.ts';

/** A Lua script that the store runs atomically, on one key (so that it works on a cluster). */
interface StoreScript<Reply> {
  lua: string;
  sha: string;
  isReply: (reply: unknown) => reply is Reply;
}

export function storeScript<Reply>(lua: string, isReply: StoreScript<Reply>['isReply']): StoreScript<Reply> {
  return { lua, sha: createHash('sha1').update(lua).digest('hex'), isReply };
}

/** Numbers, as all our scripts return them. */
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/**
 * The store knows a script by its hash once it has run it; after a restart the script is sent again. Any other result
 * is treated as a failure of the store.
 */
export function runScript<Reply>(
  store: Store,
  { lua, sha, isReply }: StoreScript<Reply>,
  key: string,
  values: readonly (string | number)[],
): Promise<Reply> {
  return store.run(async (client) => {
    const reply = await client.evalsha(sha, 1, key, ...values).catch((error: unknown) => {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return client.eval(lua, 1, key, ...values);
    });
    if (!isReply(reply)) throw new Error('a script returned an unknown value');
    return reply;
  });
}
