import os from 'node:os';
import { workerData } from 'node:worker_threads';
import { buildCatalogue } from './build-catalogue.ts';
import type { BuildTask } from './build-catalogue.ts';

// The thread that builds an index, and its sorting threads. It has low priority, in favour of services on the same
// machine.

const SORTERS = 2;

os.setPriority(0, os.constants.priority.PRIORITY_BELOW_NORMAL);
const script = new URL('sort-worker.js', import.meta.url);
await buildCatalogue(workerData as BuildTask, { workers: { script, count: SORTERS } });
