import fs from 'node:fs';
import path from 'node:path';
import { parseJson } from '../../process/json.ts';
import { writeAtomically } from '../../process/write-atomically.ts';
import { ifThere } from '../index/engine/files.ts';
import { unixSeconds } from './harvest-run.ts';
import type { HarvestRun } from './harvest-run.ts';
import type { Site } from './harvested-novel.ts';
import { writeReport } from './write-report.ts';

/** By site and Ncode: the Unix second of the first request by Ncode that did not return the novel. */
type FirstAsked = Partial<Record<Site, Readonly<Record<string, number>>>>;

/** The second request comes at least this much later: the upstream's caches and faults last for up to four hours. */
const APART_SECONDS = 4 * 3_600;
/** The maximum share of all novels that is withdrawn at once. */
const MAX_SHARE = 0.1;
/** Fewer novels than this may be withdrawn at once, whatever their share. */
const ALWAYS_PLAUSIBLE = 20;

const firstAskedFile = (dir: string): string => path.join(dir, 'harvest', 'unanswered.json');

/** Empty if it is damaged: without the first request there is no second, and all stay longer. */
function readFirstAsked(dir: string): FirstAsked {
  const text = ifThere(() => fs.readFileSync(firstAskedFile(dir), 'utf8'));
  return parseJson(text ?? '') ?? {};
}

/**
 * Withdraws novels of a site: the only function that does. `unanswered` are the Ncodes, of stored novels, that a walk
 * did not list and that a request by Ncode did not return either. A novel is withdrawn by the second such request,
 * hours after the first; until then it stays, and is counted in the report. So do all if they are implausibly many.
 */
export function withdrawNovels(run: HarvestRun, site: Site, unanswered: readonly string[]): void {
  const { dir, memory, logger } = run;
  const now = unixSeconds(run.clock);
  const asked = readFirstAsked(dir);
  const before = asked[site] ?? {};
  const novels = memory.novelsOf(site).size;
  const isPlausible = unanswered.length <= Math.max(ALWAYS_PLAUSIBLE, novels * MAX_SHARE);
  // A first request in the future comes from a clock that has been corrected since.
  const firstAsked = new Map(unanswered.map((ncode) => [ncode, Math.min(before[ncode] ?? now, now)]));
  const gone = isPlausible
    ? unanswered.filter((ncode) => now - (firstAsked.get(ncode) ?? now) >= APART_SECONDS)
    : [];
  if (!isPlausible) {
    logger.warn(
      { site, missing: unanswered.length, novels },
      `the upstream does not return ${unanswered.length} of ${novels} novels. So many are not withdrawn at once: they are kept.`,
    );
  }
  memory.commit({ site, gone });
  for (const ncode of gone) firstAsked.delete(ncode);
  writeAtomically(firstAskedFile(dir), JSON.stringify({ ...asked, [site]: Object.fromEntries(firstAsked) }));
  writeReport(run, site, { unsettled: firstAsked.size });
}
