import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { LoadReply, LoadTask } from './load-generation.ts';

/** Reads a generation in another thread; `script` is what runs it (see load-worker.ts). */
export async function loadInThread(script: URL, task: LoadTask): Promise<LoadReply> {
  const worker = new Worker(script, { workerData: task });
  try {
    const [reply] = (await once(worker, 'message')) as [LoadReply]; // Fails when the thread does.
    return reply;
  } finally {
    await worker.terminate();
  }
}
