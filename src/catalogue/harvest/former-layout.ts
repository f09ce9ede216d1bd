import path from 'node:path';
import { formerGeneration, newestGeneration } from '../index/engine/index-generations.ts';
import { buildInThread } from './build-catalogue.ts';
import type { HarvestRun } from './harvest-run.ts';

/** Rebuilds each index of a former layout from its own records, in minutes; fetching them again would take days. */
export async function renewFormerIndexes(run: HarvestRun): Promise<void> {
  for (const site of ['novels', 'adult'] as const) {
    const folder = path.join(run.dir, site);
    const former = newestGeneration(folder) === null ? formerGeneration(folder) : null;
    if (former === null) continue;
    const novels = former.segments.reduce((sum, { records }) => sum + records, 0);
    const what = { dir: folder, layout: former.version, novels };
    run.logger.warn(what, 'the index has a former layout: it is rebuilt from its own records');
    await buildInThread(run, { site, novels, source: 'former' });
  }
}
