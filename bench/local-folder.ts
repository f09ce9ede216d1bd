import os from 'node:os';
import path from 'node:path';
import { buildIndex } from '../packages/local-catalogue/src/engine/build-index.ts';
import { newestGeneration } from '../packages/local-catalogue/src/engine/index-generations.ts';
import { createTexts } from './search-texts.ts';

/** A local catalogue of invented novels, unless the folder holds one. */
export async function buildLocalCatalogue(dir: string, records: number): Promise<void> {
  const folder = path.join(dir, 'novels');
  if (newestGeneration(folder) !== null) return;
  const now = Math.floor(Date.now() / 1000);
  const novelAt = createTexts();
  const novels = function* () {
    for (let index = 0; index < records; index++)
      yield { ...novelAt(index), fetched_at: now - (index % 86_400) };
  };
  os.setPriority(os.constants.priority.PRIORITY_LOW);
  await buildIndex(folder, novels());
  os.setPriority(os.constants.priority.PRIORITY_NORMAL);
}
