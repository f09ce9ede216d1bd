import { fieldOf, firstLook, isConfirmed } from './doubts.ts';
import type { Doubt, DoubtEntries } from './doubts.ts';
import { unixSeconds } from './harvest-run.ts';
import type { HarvestRun } from './harvest-run.ts';
import { RECORD_NAMES } from './harvested-novel.ts';
import type { Site } from './harvested-novel.ts';
import { writeReport } from './write-report.ts';

/**
 * The withdrawn novels, and the doubts that change. `missing` are the stored novels that neither a walk nor a request by
 * Ncode returned, `denied` those of them that the upstream provably does not have. A novel is withdrawn if such a proof
 * is confirmed by a second one; until then it stays. `now`: Unix seconds.
 */
export function decideWithdrawals(
  before: ReadonlyMap<string, Doubt>,
  missing: readonly string[],
  denied: readonly string[],
  now: number,
): { readonly gone: readonly string[]; readonly doubts: DoubtEntries } {
  const stillMissing = new Set(missing);
  const doubts: [string, Doubt][] = [];
  for (const [ncode, { ncode: first, ...others }] of before)
    if (first !== undefined && !stillMissing.has(ncode)) doubts.push([ncode, others]);
  const gone: string[] = [];
  for (const ncode of denied.filter((each) => stillMissing.has(each))) {
    const doubt = before.get(ncode);
    if (isConfirmed(doubt?.['ncode'], now)) gone.push(ncode);
    else doubts.push([ncode, { ...doubt, ncode: firstLook(doubt?.['ncode'], now) }]);
  }
  return { gone, doubts };
}

/** Withdraws novels of a site: the only function that does. */
export function withdrawNovels(
  run: HarvestRun,
  site: Site,
  missing: readonly string[],
  denied: readonly string[],
): void {
  const { memory, clock } = run;
  const { gone, doubts } = decideWithdrawals(memory.doubts(site), missing, denied, unixSeconds(clock));
  memory.commit({ site, gone, doubts: { [site]: doubts } });
  writeReport(run, site, { pending: countPending(memory.doubts(site)) });
}

function countPending(doubts: ReadonlyMap<string, Doubt>): Readonly<Record<string, number>> {
  const pending: Record<string, number> = {};
  for (const doubt of doubts.values())
    for (const field of Object.keys(doubt)
      .map(fieldOf)
      .filter((each) => each === 'ncode' || RECORD_NAMES.includes(each)))
      pending[field] = (pending[field] ?? 0) + 1;
  return pending;
}
