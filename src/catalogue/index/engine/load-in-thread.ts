import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { carryOut } from './load-generation.ts';
import type { LoadReply, LoadTask } from './load-generation.ts';

/** Carries out a task in another thread; `script` is what runs it (see load-worker.ts). Undefined: in this one. */
export async function loadInThread(script: URL | undefined, task: LoadTask): Promise<LoadReply> {
  if (script === undefined) return carryOut(task);
  const worker = new Worker(script, { workerData: task });
  try {
    const [reply] = (await once(worker, 'message')) as [LoadReply]; // Fails when the thread does.
    return reply;
  } finally {
    await worker.terminate();
  }
}
