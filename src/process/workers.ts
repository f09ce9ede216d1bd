import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import type { Clock } from './clock.ts';
import type { Logger } from './logger.ts';
import { SlidingWindowLimiter } from '../limits/rate-limiter.ts';
import type { RateLimiter, SlidingWindowOptions } from '../limits/rate-limiter.ts';
import { SharedLimiter, answerTake, isTakeMessage, isTakenMessage } from '../limits/shared-limiter.ts';

/** A worker that dies within this time of its start is not replaced at once: something is wrong for good. */
const EARLY_DEATH_MS = 5_000;
const REPLACE_AFTER_EARLY_DEATH_MS = 1_000;

/** A worker that has not ended by itself after a signal is ended. */
const WORKER_GRACE_MS = 9_500;

export const isWorker = (): boolean => cluster.isWorker;

/** Fewer clients than one process: each of several workers' clients is counted in the primary. */
const MAX_CLIENTS = 100_000;

type LimiterSettings = Pick<SlidingWindowOptions, 'limit' | 'windowSeconds'>;

/** A limiter in memory: of this process, or of all workers of this machine when this is one of them. */
export function createMemoryLimiter(name: string, settings: LimiterSettings, clock: Clock): RateLimiter {
  if (!cluster.isWorker) return new SlidingWindowLimiter({ ...settings, clock, maxClients: MAX_CLIENTS });
  const limiter = new SharedLimiter({
    name,
    ...settings,
    send: (message) => process.send?.(message),
  });
  process.on('message', (message) => {
    if (isTakenMessage(message)) limiter.receive(message);
  });
  return limiter;
}

export interface WorkerGroupOptions {
  count: number;
  clock: Clock;
  logger: Logger;
  /** Limits that hold for all workers together, by name. */
  limiters: Readonly<Record<string, LimiterSettings>>;
  /** Told what a worker sends that is not the kit's own. */
  onMessage: (message: unknown) => void;
}

export interface WorkerGroup {
  /** Ends all workers: each finishes what it has in flight. */
  close: () => Promise<void>;
}

/** Starts the workers, replaces those that die, and counts for all of them. */
export function startWorkers(options: WorkerGroupOptions): WorkerGroup {
  const { clock, logger } = options;
  let closing = false;
  const limiters = new Map(
    Object.entries(options.limiters).map(([name, settings]) => [
      name,
      new SlidingWindowLimiter({ ...settings, clock, maxClients: MAX_CLIENTS }),
    ]),
  );

  function start(): void {
    const worker = cluster.fork();
    const startedAt = clock.monotonic();
    worker.on('message', (message: unknown) => {
      if (isTakeMessage(message)) worker.send(answerTake(limiters, message), () => undefined);
      else options.onMessage(message);
    });
    worker.on('exit', (code, signal) => {
      if (closing) return;
      logger.error({ worker: worker.id, code, signal }, 'a worker ended and is replaced');
      const early = clock.monotonic() - startedAt < EARLY_DEATH_MS;
      setTimeout(
        () => {
          if (!closing) start();
        },
        early ? REPLACE_AFTER_EARLY_DEATH_MS : 0,
      );
    });
  }

  for (let i = 0; i < options.count; i++) start();
  return {
    close: async () => {
      closing = true;
      const alive = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
      await Promise.all(alive.map(endWorker));
    },
  };
}

function endWorker(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    const hurry = setTimeout(() => worker.process.kill('SIGKILL'), WORKER_GRACE_MS);
    worker.once('exit', () => {
      clearTimeout(hurry);
      resolve();
    });
    worker.process.kill('SIGTERM');
  });
}
