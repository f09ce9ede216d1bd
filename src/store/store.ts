import type { Clock } from '../process/clock.ts';
import type { Logger } from '../process/logger.ts';
import { AwaitedReplies } from './awaited-replies.ts';
import type { StoreClient, StoreLink } from './connect-store.ts';

/** The store as its users see it: either it answers soon or one goes on without it. */
export interface Store {
  /** False while the store is known to be out of reach. */
  readonly usable: boolean;
  /** Sends one command. Rejects at once while the store is out of reach, and soon when it turns out to be. */
  run<T>(send: (client: StoreClient) => Promise<T>): Promise<T>;
}

export interface GuardedStoreOptions {
  link: StoreLink;
  /** A key that may be written to see whether the store works. */
  probeKey: string;
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
/** A store that fails again this soon is probed later: it may be half dead. */
const STEADY_AFTER_MS = 10_000;

/** Longest wait of a start for the store. */
const SETTLE_WITHIN_MS = 1_000;

/** Opens a circuit at the first sign of trouble, so that the store's end costs one short wait and no more. */
export class GuardedStore implements Store {
  /** Resolves when the store is usable, or when a connection has failed or taken too long. */
  readonly settled: Promise<void>;
  readonly #options: GuardedStoreOptions;
  readonly #replies: AwaitedReplies;
  #state: 'starting' | 'usable' | 'lost' | 'closed' = 'starting';
  #usableSince = 0;
  #failedProbes = 0;
  #relapses = 0;
  #probing = false;
  #probeTimer: NodeJS.Timeout | undefined;
  #settle: () => void = () => undefined;

  constructor(options: GuardedStoreOptions) {
    const { clock, timeoutMs, link } = options;
    this.#options = options;
    this.#replies = new AwaitedReplies({
      clock,
      timeoutMs,
      onSilence: (error) => {
        this.#lose(error);
      },
    });
    this.settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
    setTimeout(this.#settle, SETTLE_WITHIN_MS).unref();
    const onReady = () => {
      if (this.#state !== 'usable') this.#probe();
    };
    link.watch(onReady, (error) => {
      this.#lose(error);
      this.#settle();
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
      this.#lose(error as Error);
    });
    return reply;
  }

  async close(): Promise<void> {
    this.#state = 'closed';
    clearTimeout(this.#probeTimer);
    await this.#options.link.close();
    this.#replies.giveUpAll(new Error('the store has been closed'));
  }

  #lose(cause: Error): void {
    this.#replies.giveUpAll(cause);
    if (this.#state === 'lost' || this.#state === 'closed') return;
    const steady = this.#options.clock.monotonic() - this.#usableSince > STEADY_AFTER_MS;
    this.#relapses = steady || this.#state === 'starting' ? 0 : this.#relapses + 1;
    this.#state = 'lost';
    this.#failedProbes = 0;
    this.#options.logger.warn({ err: cause }, 'the store is out of reach: going on without it');
    this.#probeLater();
  }

  #probeLater(): void {
    clearTimeout(this.#probeTimer);
    const turn = Math.min(this.#failedProbes + this.#relapses, PROBE_DELAYS_MS.length - 1);
    this.#probeTimer = setTimeout(() => {
      this.#probe();
    }, PROBE_DELAYS_MS[turn]).unref();
  }

  #probe(): void {
    if (this.#probing || this.#state === 'closed') return;
    this.#probing = true;
    const { link, probeKey } = this.#options;
    this.#replies.expect(link.client.set(probeKey, '1', 'PX', 1_000)).then(
      () => {
        this.#probing = false;
        this.#regain();
      },
      (error: unknown) => {
        this.#probing = false;
        this.#failedProbes++;
        if (this.#failedProbes % PROBES_PER_CONNECTION === 0) link.reconnect();
        if (this.#state === 'starting') this.#lose(error as Error);
        else if (this.#state === 'lost') this.#probeLater();
      },
    );
  }

  #regain(): void {
    if (this.#state === 'usable' || this.#state === 'closed') return;
    this.#state = 'usable';
    this.#usableSince = this.#options.clock.monotonic();
    clearTimeout(this.#probeTimer);
    this.#options.logger.info('the store is in use');
    this.#settle();
  }
}
