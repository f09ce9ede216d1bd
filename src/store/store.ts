import type { Clock } from '../process/clock.ts';
import type { Logger } from '../process/logger.ts';
import { AwaitedReplies } from './awaited-replies.ts';
import type { StoreClient, StoreLink } from './connect-store.ts';
import type { StoreKeys } from './store-keys.ts';

/** The store as its users see it: either it answers soon or one goes on without it. */
export interface Store {
  /** False while the store is known to be out of reach. */
  readonly usable: boolean;
  /** Resolves when the store is usable, or has refused us, or has taken too long: a start waits for it. */
  readonly settled: Promise<void>;
  readonly keys: StoreKeys;
  /** Sends one command. Rejects at once while the store is out of reach, and soon when it turns out to be. */
  run<T>(send: (client: StoreClient) => Promise<T>): Promise<T>;
  /** Called whenever the store comes into use, before anything else is sent to it. */
  onUsable(listener: () => void): void;
  close(): Promise<void>;
}

interface StoreOptions {
  link: StoreLink;
  keys: StoreKeys;
  /** Silence of the store, with commands waiting, that counts as its end. */
  timeoutMs: number;
  clock: Clock;
  logger: Logger;
}

/** Commands that may wait for a reply: a store this slow is no help. */
const MAX_WAITING = 10_000;

/** Probes follow each other at growing distance; the last is the longest time a store that is back goes unnoticed. */
const PROBE_DELAYS_MS = [50, 100, 250, 500, 1_000];
/** A connection on which so many probes in a row fail is made anew. */
const PROBES_PER_CONNECTION = 4;
/** A store that fails again this soon is half dead, and is probed later. */
const STEADY_AFTER_MS = 10_000;

/** Longest wait of a start for the store: on a busy machine a connection may take its second attempt. */
const SETTLE_WITHIN_MS = 3_000;

/** Says that somebody else keeps something of another kind under our name: nothing of the store itself. */
const OF_ONE_KEY = /\bWRONGTYPE\b/;

/** Opens a circuit at the first sign of trouble, so that the store's end costs one short wait and no more. */
export class GuardedStore implements Store {
  readonly keys: StoreKeys;
  readonly settled: Promise<void>;
  readonly #options: StoreOptions;
  readonly #replies: AwaitedReplies;
  readonly #listeners: (() => void)[] = [];
  #state: 'starting' | 'usable' | 'lost' | 'closed' = 'starting';
  #usableSince = -Infinity;
  /** Losses and failed probes since the store was last steady. */
  #failures = 0;
  #isProbing = false;
  #hasMetForeignKey = false;
  #probeTimer: NodeJS.Timeout | undefined;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.keys = options.keys;
    this.#replies = new AwaitedReplies(options.timeoutMs, (error) => {
      this.#lose(error);
    });
    this.settled = new Promise((settle) => {
      setTimeout(settle, SETTLE_WITHIN_MS).unref();
      this.onUsable(settle);
      options.link.watch(
        () => {
          this.#probe();
        },
        (error, isRefusal) => {
          this.#lose(error);
          if (isRefusal) settle();
        },
      );
    });
  }

  get usable(): boolean {
    return this.#state === 'usable';
  }

  run<T>(send: (client: StoreClient) => Promise<T>): Promise<T> {
    if (this.#state !== 'usable' || this.#replies.count >= MAX_WAITING) {
      return Promise.reject(new Error('the store is out of reach'));
    }
    const reply = this.#replies.expect(send(this.#options.link.client));
    reply.catch((error: unknown) => {
      if (OF_ONE_KEY.test((error as Error).message)) this.#tellOfForeignKey(error as Error);
      else this.#lose(error as Error);
    });
    return reply;
  }

  onUsable(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async close(): Promise<void> {
    this.#state = 'closed';
    clearTimeout(this.#probeTimer);
    await this.#options.link.close();
    this.#replies.giveUpAll(new Error('the store has been closed'));
  }

  /** Once: whoever wanted it goes on without it, and may want it with every request. */
  #tellOfForeignKey({ message }: Error): void {
    if (this.#hasMetForeignKey) return;
    this.#hasMetForeignKey = true;
    const { logger } = this.#options;
    logger.warn({ reason: message }, 'a key of ours in the store holds what is not ours: gone on without it');
  }

  #lose(cause: Error): void {
    this.#replies.giveUpAll(cause);
    if (this.#state === 'lost' || this.#state === 'closed') return;
    const { clock, logger } = this.#options;
    const isRelapse = clock.monotonic() - this.#usableSince <= STEADY_AFTER_MS;
    this.#failures = isRelapse ? this.#failures + 1 : 0;
    this.#state = 'lost';
    // Without the stack, which says nothing: a store that comes and goes has a line a second here.
    logger.warn({ reason: cause.message }, 'the store is out of reach: going on without it');
    this.#probeLater();
  }

  #probeLater(): void {
    clearTimeout(this.#probeTimer);
    const delay = PROBE_DELAYS_MS[Math.min(this.#failures, PROBE_DELAYS_MS.length - 1)];
    this.#probeTimer = setTimeout(() => {
      this.#probe();
    }, delay).unref();
  }

  #probe(): void {
    if (this.#isProbing || this.#state === 'usable' || this.#state === 'closed') return;
    this.#isProbing = true;
    const { link } = this.#options;
    this.#replies.expect(link.client.set(this.keys.probe, '1', 'PX', 1_000)).then(
      () => {
        this.#isProbing = false;
        this.#regain();
      },
      (error: unknown) => {
        this.#isProbing = false;
        this.#failures++;
        if (this.#failures % PROBES_PER_CONNECTION === 0) link.reconnect();
        if (this.#state === 'starting') this.#lose(error as Error);
        else if (this.#state === 'lost') this.#probeLater();
      },
    );
  }

  #regain(): void {
    if (this.#state === 'usable' || this.#state === 'closed') return;
    const { clock, logger } = this.#options;
    this.#state = 'usable';
    this.#usableSince = clock.monotonic();
    clearTimeout(this.#probeTimer);
    logger.info('the store is in use');
    for (const listener of this.#listeners) listener();
  }
}
