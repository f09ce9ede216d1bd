import { requireGeneration } from '../src/engine/index-generations.ts';
import { loadGeneration } from '../src/engine/load-generation.ts';
import { openLoaded } from '../src/engine/open-index.ts';
import type { OpenIndex } from '../src/engine/open-index.ts';

/** Opens the newest complete generation in a folder. */
export const openIndex = (dir: string, now: () => number, maxAgeSeconds?: number): OpenIndex =>
  openLoaded(dir, loadGeneration(dir, requireGeneration(dir), new Set()), now, maxAgeSeconds);
