import { SECOND_LOOK_SECONDS, ncodeToNumber } from '@mokuroku/narou';
import { queryByNcode } from '@mokuroku/narou/live';
import type { NovelRecord } from '@mokuroku/narou/source';
import { PAGE, isConfirmed } from './doubts.ts';
import { withWalkDoubt } from './harvest-journal.ts';
import { unixSeconds } from './harvest-run.ts';
import type { HarvestRun } from './harvest-run.ts';
import { INTERFACES, stampOf } from './harvested-novel.ts';
import type { Site } from './harvested-novel.ts';
import { isUnreadable, searchSite } from './read-page.ts';
import type { ReadPage } from './read-page.ts';

const FOREIGN = 'its first episode, or that of most novels of its page, has another time than the stored one';

/** Whether the upstream says the same of a novel alone as in a list. */
async function isSaidAlone(run: HarvestRun, site: Site, row: NovelRecord): Promise<boolean> {
  const query = queryByNcode(INTERFACES[site], [stampOf(row).ncode], { of: ['n', 'gf'] });
  try {
    const { items } = await searchSite(run, site, query);
    return items.some((each) => ['ncode', 'general_firstup'].every((field) => each[field] === row[field]));
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return false;
  }
}

/**
 * A page without the rows of other novels, which count as unreadable: the time of the first episode differs from the
 * stored one, which two looks have confirmed. One of a single look may itself be another novel's: then one of the rows,
 * requested alone, decides for all. Where most rows are of other novels, new ones are too.
 */
export async function withoutForeignRows(run: HarvestRun, site: Site, page: ReadPage): Promise<ReadPage> {
  const { memory, logger } = run;
  const stored = memory.novelsOf(site);
  const doubts = memory.doubts(site);
  const walkDoubt = memory.state.walkDoubts[site];
  const { built = 0 } = walkDoubt ?? {};
  const foreign = new Set<NovelRecord>();
  const uncertain: NovelRecord[] = [];
  let isFirstInDoubt = false;
  const unstored: NovelRecord[] = [];
  for (const row of page.items) {
    const { ncode, firstup: received } = stampOf(row);
    const { firstup = 0, fetchedAt = 0 } = stored.get(ncodeToNumber(ncode)) ?? {};
    if (firstup === 0) unstored.push(row);
    if (firstup === 0 || received === 0 || received === firstup) continue;
    foreign.add(row);
    const isOfFirst = fetchedAt < built + SECOND_LOOK_SECONDS;
    if (isOfFirst) isFirstInDoubt = true;
    if (isOfFirst || doubts.get(ncode)?.[PAGE] !== undefined) uncertain.push(row);
  }
  const [chosen] = uncertain;
  // A contradiction renews the doubt about the first harvest, one of a new novel does not.
  if (isFirstInDoubt)
    memory.commit({}, withWalkDoubt(memory.state, site, { ...walkDoubt, built: unixSeconds(run.clock) }));
  if (chosen && (await isSaidAlone(run, site, chosen))) for (const row of uncertain) foreign.delete(row);
  if (foreign.size === 0) return page;
  if (2 * foreign.size > page.items.length - unstored.length) for (const row of unstored) foreign.add(row);
  logger.warn({ site, novels: foreign.size }, 'skipped records of other novels: their stored ones stay');
  const items = page.items.filter((row) => !foreign.has(row));
  const refused = [...foreign].map(stampOf).map(({ ncode, lastup }) => ({ ncode, lastup, reason: FOREIGN }));
  return { ...page, items, refused: [...page.refused, ...refused] };
}

/** Ends the doubt about a first harvest: another day has listed every novel as it is stored. */
export function trustIdentities({ memory }: HarvestRun, site: Site): void {
  const { state } = memory;
  const { built, ...others } = state.walkDoubts[site] ?? {};
  if (built !== undefined && isConfirmed(built, state.follow.round))
    memory.commit({}, withWalkDoubt(state, site, others));
}
