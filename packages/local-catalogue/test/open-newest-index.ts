import { requireGeneration } from '../../src/catalogue/index/engine/index-generations.ts';
import { loadGeneration } from '../../src/catalogue/index/engine/load-generation.ts';
import { openLoaded } from '../../src/catalogue/index/engine/open-index.ts';
import type { OpenIndex } from '../../src/catalogue/index/engine/open-index.ts';

/** Opens the newest complete generation in a folder. */
export const openIndex = (dir: string, now: () => number, maxAgeSeconds?: number): OpenIndex =>
  openLoaded(dir, loadGeneration(dir, requireGeneration(dir), new Set()), now, maxAgeSeconds);
