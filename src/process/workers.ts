import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Clock, Sleep } from './clock.ts';
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

/** Lets go of the primary, so that a worker which cannot start ends by itself, with its own exit code. */
export const leavePrimary = (): void => void cluster.worker?.disconnect();

interface WorkerGroupOptions {
  count: number;
  clock: Clock;
  sleep: Sleep;
  logger: Logger;
  /** Told what a worker sends; `answer` goes to that worker alone. */
  onMessage: (message: unknown, answer: (message: object) => void) => void;
}

interface WorkerGroup {
  /** Starts the others, when the first has shown that a start can be; from now on those that die are replaced. */
  fill: () => void;
  /** Resolves to the exit code of a first worker that ended before that; it has said why. */
  failed: Promise<number>;
  /** Ends all workers: each finishes what it has in flight. */
  close: () => Promise<void>;
}

/** Starts the first worker. */
export function startWorkers(options: WorkerGroupOptions): WorkerGroup {
  const { clock, sleep, logger } = options;
  const closing = new AbortController();
  let isFilled = false;
  let fail: (code: number) => void;
  const failed = new Promise<number>((resolve) => (fail = resolve));

  function start(): void {
    const worker = cluster.fork();
    const startedAt = clock.monotonic();
    worker.on('message', (message: unknown) => {
      // A worker that has just died is not told any more.
      options.onMessage(message, (answer) => worker.send(answer, () => undefined));
    });
    const replace = (code: number | null) => {
      if (!isFilled) {
        fail(code ?? 1);
        return;
      }
      const early = clock.monotonic() - startedAt < EARLY_DEATH_MS;
      sleep(early ? REPLACE_AFTER_EARLY_DEATH_MS : 0, closing.signal).then(start, () => undefined);
    };
    worker.on('exit', (code, signal) => {
      if (closing.signal.aborted) return;
      if (isFilled) logger.error({ worker: worker.id, code, signal }, 'a worker ended and is replaced');
      replace(code);
    });
    worker.on('error', (error) => {
      logger.error({ worker: worker.id, err: error }, 'a worker cannot be started or reached');
      // No process, so there is no exit either: no room for one, or no file descriptors.
      if (worker.process.pid === undefined) replace(null);
    });
  }

  start();
  return {
    fill: () => {
      isFilled = true;
      for (let i = 1; i < options.count; i++) start();
    },
    failed,
    close: async () => {
      closing.abort();
      // A dead one stands there until its channel is closed too, and its exit has been told already.
      const alive = Object.values(cluster.workers ?? {}).flatMap((worker) =>
        worker?.isDead() === false ? [worker] : [],
      );
      await Promise.all(alive.map((worker) => endWorker(worker, sleep)));
    },
  };
}

async function endWorker(worker: Worker, sleep: Sleep): Promise<void> {
  const ended = new AbortController();
  const exit = once(worker, 'exit').finally(() => {
    ended.abort();
  });
  worker.process.kill('SIGTERM');
  sleep(WORKER_GRACE_MS, ended.signal).then(
    () => worker.process.kill('SIGKILL'),
    () => undefined,
  );
  await exit;
}
