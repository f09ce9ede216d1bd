import { createHash } from 'node:crypto';
import type { Store } from './store.ts';

/** Numbers, as all our scripts return them. */
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/**
 * A Lua script that the store runs atomically, on one key (so that it works on a cluster). The store knows a script by
 * its hash once it has run it; after a restart the script is sent again. Any reply that is none counts as a failure of
 * the store.
 */
export function storeScript<Reply>(lua: string, isReply: (reply: unknown) => reply is Reply) {
  const sha = createHash('sha1').update(lua).digest('hex');
  return (store: Store, key: string, values: readonly (string | number)[]): Promise<Reply> =>
    store.run(async (client) => {
      const reply = await client.evalsha(sha, 1, key, ...values).catch((error: unknown) => {
        if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
        return client.eval(lua, 1, key, ...values);
      });
      if (!isReply(reply)) throw new Error('a script returned an unknown value');
      return reply;
    });
}
