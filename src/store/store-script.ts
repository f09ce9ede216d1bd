import { createHash } from 'node:crypto';
import type { Store } from './store.ts';

/** A Lua script that runs in the store in one piece, on one key (so that it runs on a cluster too). */
interface StoreScript<Reply> {
  lua: string;
  sha: string;
  isReply: (reply: unknown) => reply is Reply;
}

export function storeScript<Reply>(lua: string, isReply: StoreScript<Reply>['isReply']): StoreScript<Reply> {
  return { lua, sha: createHash('sha1').update(lua).digest('hex'), isReply };
}

/** Counts and times, as all our scripts give them. */
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/**
 * The store knows a script by its hash once it has seen it; after a restart it has to be sent again. What answers
 * otherwise than the script does is no store of ours, and is given up as one that fails.
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
    if (!isReply(reply)) throw new Error('a script was answered with what it never gives');
    return reply;
  });
}
