import type { Clock } from '../process/clock.ts';
import type { Logger } from '../process/logger.ts';
import { AwaitedReplies } from './awaited-replies.ts';
import type { StoreClient, StoreLink } from './connect-store.ts';
import type { StoreKeys } from './store-keys.ts';

/** The store. Every command resolves or rejects after a bounded wait. */
export interface Store {
  /** False while the store is known to be unreachable. */
  readonly isUsable: boolean;
  /** Resolves when the store is usable, has refused us, or has taken too long: startup waits for it. */
  readonly ready: Promise<void>;
  readonly keys: StoreKeys;
  /** Sends one command. Rejects at once while the store is unreachable, and soon if it turns out to be. */
  run<T>(send: (client: StoreClient) => Promise<T>): Promise<T>;
  /** Adds a listener, called whenever the store becomes usable, before any other command is sent. */
  onUsable(listener: () => void): void;
  close(): Promise<void>;
}

interface StoreOptions {
  link: StoreLink;
  keys: StoreKeys;
  /** The circuit opens if waiting commands get no reply for this long. */
  timeoutMs: number;
  clock: Clock;
  logger: Logger;
}

/** Maximum waiting commands; beyond it, commands are rejected. */
const MAX_WAITING = 10_000;

/** Growing pauses between probes; the last is the longest time that a recovered store goes unnoticed. */
const PROBE_DELAYS_MS = [50, 100, 250, 500, 1_000];
/** After this many failed probes in a row, the connection is replaced. */
const PROBES_PER_CONNECTION = 4;
/** A store that fails again this soon is unstable, and is probed later. */
const STEADY_AFTER_MS = 10_000;

/** Maximum wait of a startup for the store: on a busy machine a connection may need its second attempt. */
const READY_TIMEOUT_MS = 3_000;

/** Another program stores a value of another type under our key: not a failure of the store. */
const OF_ONE_KEY = /\bWRONGTYPE\b/;

/** Opens a circuit at the first failure, so that a lost store costs one short wait. */
export class GuardedStore implements Store {
  readonly keys: StoreKeys;
  readonly ready: Promise<void>;
  readonly #options: StoreOptions;
  readonly #replies: AwaitedReplies;
  readonly #listeners: (() => void)[] = [];
  #state: 'starting' | 'usable' | 'lost' | 'closed' = 'starting';
  #usableSince = -Infinity;
  /** Losses and failed probes since the store was last stable. */
  #failures = 0;
  #isProbing = false;
  #isForeignKeyLogged = false;
  #probeTimer: NodeJS.Timeout | undefined;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.keys = options.keys;
    this.#replies = new AwaitedReplies(options.timeoutMs, (error) => this.#reportLoss(error));
    this.ready = new Promise((resolve) => {
      setTimeout(resolve, READY_TIMEOUT_MS).unref();
      this.onUsable(resolve);
      options.link.watch(
        () => this.#probe(),
        (error, isRefusal) => {
          this.#reportLoss(error);
          if (isRefusal) resolve();
        },
      );
    });
  }

  get isUsable(): boolean {
    return this.#state === 'usable';
  }

  run<T>(send: (client: StoreClient) => Promise<T>): Promise<T> {
    if (this.#state !== 'usable' || this.#replies.count >= MAX_WAITING) {
      return Promise.reject(new Error('the store is unreachable'));
    }
    const reply = this.#replies.track(send(this.#options.link.client));
    reply.catch((error: unknown) => {
      if (OF_ONE_KEY.test((error as Error).message)) this.#reportForeignKey(error as Error);
      else this.#reportLoss(error as Error);
    });
    return reply;
  }

  onUsable(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async close(): Promise<void> {
    this.#state = 'closed';
    await this.#options.link.close();
    this.#replies.rejectAll(new Error('the store has been closed'));
  }

  /** Logged once, because every request may use the key. */
  #reportForeignKey({ message }: Error): void {
    if (this.#isForeignKeyLogged) return;
    this.#isForeignKeyLogged = true;
    const { logger } = this.#options;
    logger.warn({ reason: message }, 'a store key has a value of another type: it is bypassed');
  }

  #reportLoss(cause: Error): void {
    this.#replies.rejectAll(cause);
    if (this.#state === 'lost' || this.#state === 'closed') return;
    const { clock, logger } = this.#options;
    const isRelapse = clock.monotonic() - this.#usableSince <= STEADY_AFTER_MS;
    this.#failures = isRelapse ? this.#failures + 1 : 0;
    this.#state = 'lost';
    // Without the stack, which has no information: an unstable store logs a line a second.
    logger.warn({ reason: cause.message }, 'the store is unreachable: continuing without it');
    this.#probeLater();
  }

  #probeLater(): void {
    clearTimeout(this.#probeTimer);
    const delay = PROBE_DELAYS_MS[Math.min(this.#failures, PROBE_DELAYS_MS.length - 1)];
    this.#probeTimer = setTimeout(() => this.#probe(), delay).unref();
  }

  #probe(): void {
    if (this.#isProbing || this.#state === 'usable' || this.#state === 'closed') return;
    this.#isProbing = true;
    const { link } = this.#options;
    this.#replies.track(link.client.set(this.keys.probe, '1', 'PX', 1_000)).then(
      () => {
        this.#isProbing = false;
        this.#reportRecovery();
      },
      (error: unknown) => {
        this.#isProbing = false;
        this.#failures++;
        if (this.#failures % PROBES_PER_CONNECTION === 0) link.reconnect();
        if (this.#state === 'starting') this.#reportLoss(error as Error);
        else if (this.#state === 'lost') this.#probeLater();
      },
    );
  }

  #reportRecovery(): void {
    // While the probe ran.
    if (this.#state === 'closed') return;
    const { clock, logger } = this.#options;
    this.#state = 'usable';
    this.#usableSince = clock.monotonic();
    logger.info('the store is in use');
    for (const listener of this.#listeners) listener();
  }
}
