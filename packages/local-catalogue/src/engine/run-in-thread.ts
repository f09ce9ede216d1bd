import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { DamagedFile } from './files.ts';

/**
 * Runs a script in another thread and resolves with the message that it sends. Rejects with its error, or with the
 * reason of the signal, which ends it.
 */
export async function runInThread(script: URL, workerData: unknown, signal?: AbortSignal): Promise<unknown> {
  const worker = new Worker(script, { workerData });
  const endWithoutReply = async (): Promise<never> => {
    await once(worker, 'exit');
    throw new Error('the thread ended without a reply');
  };
  try {
    // Both fail when the thread does.
    const [reply] = (await Promise.race([
      once(worker, 'message', { signal }),
      endWithoutReply(),
    ])) as unknown[];
    return reply;
  } catch (error) {
    signal?.throwIfAborted();
    // The error of another thread arrives without its class.
    if (!(error instanceof Error && 'what' in error)) throw error;
    const { what, folder } = error as DamagedFile;
    throw new DamagedFile(what, folder);
  } finally {
    await worker.terminate();
  }
}
