import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import type { Clock } from './clock.ts';
import type { Logger } from './logger.ts';

/** A worker that dies within this time of its start is not replaced at once: something is wrong for good. */
const EARLY_DEATH_MS = 5_000;
const REPLACE_AFTER_EARLY_DEATH_MS = 1_000;

/** A worker that has not ended by itself after a signal is ended. */
const WORKER_GRACE_MS = 9_500;

export const isWorker = (): boolean => cluster.isWorker;

/** A worker's line to the primary process. Whoever uses it tells its own messages from others'. */
export interface PrimaryLink {
  send(message: unknown): void;
  listen(onMessage: (message: unknown) => void): void;
}

/** undefined where this process is not one of several workers. */
export function primaryLink(): PrimaryLink | undefined {
  if (!cluster.isWorker) return undefined;
  return {
    send: (message) => process.send?.(message),
    listen: (onMessage) => {
      process.on('message', onMessage);
    },
  };
}

interface WorkerGroupOptions {
  count: number;
  clock: Clock;
  logger: Logger;
  /** Told what a worker sends; `answer` goes to that worker alone. */
  onMessage: (message: unknown, answer: (message: object) => void) => void;
}

interface WorkerGroup {
  /** Ends all workers: each finishes what it has in flight. */
  close: () => Promise<void>;
}

/** Starts the workers and replaces those that die. */
export function startWorkers(options: WorkerGroupOptions): WorkerGroup {
  const { clock, logger } = options;
  let closing = false;

  function start(): void {
    const worker = cluster.fork();
    const startedAt = clock.monotonic();
    worker.on('message', (message: unknown) => {
      // A worker that has just died is not told any more.
      options.onMessage(message, (answer) => worker.send(answer, () => undefined));
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
