import { parentPort, workerData } from 'node:worker_threads';
import { performLoad } from './index-generations.ts';
import type { LoadTask } from './index-generations.ts';

// A thread that reads a new generation while the current one is served, and transfers it without a copy.

/** The buffers of all typed arrays in some data. */
function* buffersOf(data: unknown): Iterable<ArrayBuffer> {
  if (ArrayBuffer.isView(data)) yield data.buffer as ArrayBuffer;
  else if (data instanceof Map) for (const value of data.values()) yield* buffersOf(value);
  else if (typeof data === 'object' && data !== null) {
    for (const value of Object.values(data)) yield* buffersOf(value);
  }
}

const loaded = performLoad(workerData as LoadTask);
parentPort?.postMessage(loaded, [...new Set(buffersOf(loaded))]);
