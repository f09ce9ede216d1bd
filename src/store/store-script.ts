import { createHash } from 'node:crypto';
import type { Store } from './store.ts';

/** A Lua script that runs in the store in one piece, on one key (so that it runs on a cluster too). */
interface StoreScript {
  lua: string;
  sha: string;
}

export function storeScript(lua: string): StoreScript {
  return { lua, sha: createHash('sha1').update(lua).digest('hex') };
}

/** The store knows a script by its hash once it has seen it; after a restart it has to be sent again. */
export function runScript(
  store: Store,
  script: StoreScript,
  key: string,
  values: readonly (string | number)[],
): Promise<unknown> {
  return store.run((client) =>
    client.evalsha(script.sha, 1, key, ...values).catch((error: unknown) => {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return client.eval(script.lua, 1, key, ...values);
    }),
  );
}
