import { createHash } from 'node:crypto';
import { ServerHealth } from '../server-health.ts';
import type { Clock } from '../process/clock.ts';
import type { Logger } from '../process/logger.ts';
import { createThrottledLog } from '../process/throttled-log.ts';
import type { ThrottledLog } from '../process/throttled-log.ts';
import { connectStore } from './connect-store.ts';
import type { StoreClient, StoreSettings } from './connect-store.ts';

/** Maps a name of any length and origin to 22 characters: 132 bits of SHA-256, enough to never collide. */
export function hashKey(name: string): string {
  return createHash('sha256').update(name).digest('base64url').slice(0, 22);
}

/**
 * The names of all keys in the store. Names from outside (cache keys, client addresses) are hashed: their length is
 * fixed, and no address is stored in clear. `prefix` ends with its separator: `mokuroku:`; `scope` separates services
 * and sources: `catalogue:narou`. All users of one upstream have one budget.
 */
export function createStoreKeys(prefix: string, scope: string, budgetScope = scope) {
  const stem = `${prefix}${scope}:`;
  return {
    answerKey: (key: string) => `${stem}answer:${hashKey(key)}`,
    limit: (client: string) => `${stem}limit:${hashKey(client)}`,
    budget: `${prefix}${budgetScope}:budget:default`,
  } as const;
}

type StoreKeys = ReturnType<typeof createStoreKeys>;

interface StoreOptions {
  client: StoreClient;
  keys: StoreKeys;
  clock: Clock;
  logger: Logger;
}

/** Maximum wait of a startup for the store: on a busy machine a connection may need its second attempt. */
const READY_TIMEOUT_MS = 3_000;

/** Another program stores a value of another type under our key: not a failure of the store. */
const OF_ONE_KEY = /\bWRONGTYPE\b/;

/** A script returned more than its key can hold: another program wrote it, or the store's clock was set back. */
class ExcessiveReply extends Error {}

/** The shared store, which may fail at any moment: every command resolves or rejects within its timeout. */
export class Store {
  readonly keys: StoreKeys;
  /** Resolves when the store is usable, has refused us, or has taken too long: startup waits for it. */
  readonly ready: Promise<void>;
  readonly #client: StoreClient;
  readonly #log: ThrottledLog;
  readonly #logger: Logger;
  readonly #health: ServerHealth;
  #wasUsable: boolean | undefined;
  #isClosed = false;

  constructor({ client, keys, clock, logger }: StoreOptions) {
    this.keys = keys;
    this.#client = client;
    this.#logger = logger;
    this.#log = createThrottledLog({ logger, clock });
    this.#health = new ServerHealth(clock);
    this.ready = new Promise((resolve) => {
      setTimeout(resolve, READY_TIMEOUT_MS).unref();
      client.on('ready', () => {
        this.#noteState();
        resolve();
      });
      client.on('error', (error: Error) => {
        this.#noteState(error.message);
        // A timeout may only mean a busy machine.
        if (!/ETIMEDOUT|timed out/.test(error.message)) resolve();
      });
      client.on('close', () => this.#noteState('the connection closed'));
    });
  }

  /** False while the store is known to be unreachable. */
  get isUsable(): boolean {
    return this.#client.status === 'ready' && !this.#health.isFailing;
  }

  /** Sends one command. Rejects at once while the store is unreachable. */
  async run<T>(send: (client: StoreClient) => Promise<T>): Promise<T> {
    if (this.#client.status !== 'ready' || this.#health.shutForMs > 0)
      throw new Error('the store is unreachable');
    const begunAt = this.#health.begin();
    try {
      const reply = await send(this.#client);
      this.#health.answered();
      this.#noteState();
      return reply;
    } catch (error) {
      const { message } = error as Error;
      const isExcessive = error instanceof ExcessiveReply;
      if (isExcessive || OF_ONE_KEY.test(message)) {
        this.#health.answered();
        const text = isExcessive
          ? 'a store key had a moment too far ahead: it was deleted'
          : 'a store key has a value of another type: it is bypassed';
        this.#log.logOncePerPeriod('warn', text, { reason: message }, text);
      } else this.#health.failed(begunAt);
      this.#noteState(message);
      throw error;
    }
  }

  /** Waits for replies to commands already sent, at most as long as a command may take. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#client.quit().catch(() => undefined);
    this.#client.disconnect();
  }

  /** Logs a change. */
  #noteState(reason?: string): void {
    const { isUsable } = this;
    if (this.#isClosed || isUsable === this.#wasUsable) return;
    this.#wasUsable = isUsable;
    if (isUsable) this.#logger.info('the store is in use');
    else {
      this.#log.logOncePerPeriod(
        'warn',
        'unreachable',
        { reason },
        'the store is unreachable: continuing without it',
      );
    }
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/**
 * A Lua script that the store runs atomically, on one key (so that it works on a cluster). The store knows a script by
 * its hash once it has run it; after a restart the script is sent again. It returns as many numbers as `most` has; a
 * greater one than there deletes the key. Then, as after any other reply, it rejects: the caller continues without it.
 */
export function storeScript(lua: string) {
  const sha = createHash('sha1').update(lua).digest('hex');
  return (
    store: Store,
    key: string,
    values: readonly (string | number)[],
    most: readonly number[],
  ): Promise<number[]> =>
    store.run(async (client) => {
      const reply: unknown = await client.evalsha(sha, 1, key, ...values).catch((error: unknown) => {
        if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
        return client.eval(lua, 1, key, ...values);
      });
      const isReply = Array.isArray(reply) && reply.length === most.length && reply.every(isCount);
      if (!isReply) throw new Error('a script returned an unknown value');
      const excessive = reply.find((value, index) => value > (most[index] ?? 0));
      if (excessive === undefined) return reply;
      await client.del(key);
      throw new ExcessiveReply(`a script returned ${excessive}`);
    });
}

interface OpenStoreParts {
  /** Service and source, whose data are never mixed: `catalogue:narou`. */
  scope: string;
  /** Scope of the budget; default: `scope`. */
  budgetScope?: string | undefined;
  clock: Clock;
  logger: Logger;
}

/**
 * Opens the store that the settings name, if any. An unreachable store does not fail the startup; a missing package
 * does (ConfigError).
 */
export async function openStore(
  { STORE_URL, ...settings }: StoreSettings,
  { scope, budgetScope, clock, logger }: OpenStoreParts,
): Promise<Store | undefined> {
  if (!STORE_URL) return undefined;
  const client = await connectStore({ ...settings, STORE_URL });
  const keys = createStoreKeys(settings.STORE_PREFIX, scope, budgetScope);
  const store = new Store({ client, keys, clock, logger });
  await store.ready;
  return store;
}
