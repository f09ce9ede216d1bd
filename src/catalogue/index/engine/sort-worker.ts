import { parentPort, workerData } from 'node:worker_threads';
import type { SortTask } from './build-segment.ts';
import { createPositionSorter } from './sort-positions.ts';
import type { KeyRange } from './sort-positions.ts';

// A thread of the build that sorts ranges of positions. It first reports the number of positions in a range. When it
// gets their place in the file, it sorts and writes them.

const { folder, spacing, oversized, maxPositions } = workerData as SortTask;
const sorter = createPositionSorter(folder, spacing, oversized, maxPositions);

parentPort?.on('message', (message: { range: KeyRange } | { offset: number }) => {
  if ('range' in message) {
    parentPort?.postMessage(sorter.collect(message.range));
  } else {
    sorter.finish(message.offset);
    parentPort?.postMessage(null);
  }
});
