import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Clock, Sleep } from './clock.ts';
import type { Logger } from './logger.ts';

/** A worker that dies this soon after its start is not replaced at once: the cause probably persists. */
const EARLY_DEATH_MS = 5_000;
const REPLACE_AFTER_EARLY_DEATH_MS = 1_000;

/** A worker that has not exited this long after a signal is killed. */
const WORKER_GRACE_MS = 9_500;

/**
 * A worker that has disconnected has finished its work. Node waits at the exit for a write to a pipe that nobody reads,
 * and the first worker to exit makes the pipe, which all share, blocking again for the others.
 */
const EXIT_GRACE_MS = 500;

export const isWorker = (): boolean => cluster.isWorker;

/** A worker's channel to the primary process. Users distinguish their own messages from others. */
export interface PrimaryLink {
  send(message: unknown): void;
  subscribe(onMessage: (message: unknown) => void): void;
}

/** undefined if this process is not a worker. */
export function primaryLink(): PrimaryLink | undefined {
  if (!cluster.isWorker) return undefined;
  return {
    send: (message) => process.send?.(message),
    subscribe: (onMessage) => {
      process.on('message', onMessage);
    },
  };
}

/** Disconnects from the primary, so that a worker that cannot start exits by itself with its own code. */
export const disconnectFromPrimary = (): void => void cluster.worker?.disconnect();

/** The last step of a worker: reports to the primary that all is closed. Node then ends the process. */
export async function reportClosed(): Promise<void> {
  if (!cluster.isWorker || !process.connected) return;
  const disconnected = once(process, 'disconnect');
  process.disconnect();
  await disconnected;
}

interface WorkerGroupOptions {
  count: number;
  clock: Clock;
  sleep: Sleep;
  logger: Logger;
  /** Called with messages of workers; `answer` responds to that worker alone. */
  onMessage: (message: unknown, answer: (message: object) => void) => void;
}

interface WorkerGroup {
  /** Starts the other workers once the first one runs; from then on dead workers are replaced. */
  fill: () => void;
  /** Resolves to the exit code of a first worker that failed to start; it has reported why. */
  failed: Promise<number>;
  /** Stops all workers: each finishes its running requests. */
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
      // The worker may have died meanwhile.
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
      if (isFilled) logger.error({ worker: worker.id, code, signal }, 'a worker died and is replaced');
      replace(code);
    });
    worker.on('error', (error) => {
      logger.error({ worker: worker.id, err: error }, 'a worker cannot be started or reached');
      // The fork failed (no memory or descriptors), so there is no exit event.
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
      // A dead worker stays listed until its channel closes; its exit is reported already.
      const alive = Object.values(cluster.workers ?? {}).flatMap((worker) =>
        worker?.isDead() === false ? [worker] : [],
      );
      await Promise.all(alive.map((worker) => endWorker(worker, sleep)));
    },
  };
}

async function endWorker(worker: Worker, sleep: Sleep): Promise<void> {
  const ended = new AbortController();
  // Not events.once: a failed signal is an 'error' of the worker, and its exit may still come.
  const exit = new Promise((resolve) => worker.once('exit', resolve)).finally(() => ended.abort());
  const killAfter = (milliseconds: number) => {
    sleep(milliseconds, ended.signal).then(
      () => worker.process.kill('SIGKILL'),
      () => undefined,
    );
  };
  worker.once('disconnect', () => killAfter(EXIT_GRACE_MS));
  worker.process.kill('SIGTERM');
  killAfter(WORKER_GRACE_MS);
  await exit;
}
