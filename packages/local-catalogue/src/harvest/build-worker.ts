import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { buildCatalogue } from './build-catalogue.ts';
import type { BuildTask } from './build-catalogue.ts';

// The thread that builds an index. It has low priority, in favour of services on the same machine.

os.setPriority(0, os.constants.priority.PRIORITY_BELOW_NORMAL);
await buildCatalogue(workerData as BuildTask);
parentPort?.postMessage('built');
