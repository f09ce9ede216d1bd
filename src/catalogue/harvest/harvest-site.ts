import type { NovelRecord } from '../catalogue-source.ts';
import { ncodeToNumber } from '../novels/ncode.ts';
import { buildApart } from './build-catalogue.ts';
import { keepAlone, note, taskDone, unixSeconds, write } from './harvest-run.ts';
import type { HarvestRun } from './harvest-run.ts';
import { marksOf, novelOf } from './harvested-novel.ts';
import type { Site } from './harvested-novel.ts';
import type { KnownNovels } from './known-novels.ts';
import { isDoubtful } from './profile.ts';
import { beginWalk } from './walk.ts';
import type { WalkState } from './walk.ts';
import { countAll, walkCatalogue } from './walk-catalogue.ts';

/** What is there of a site when it has been harvested. */
export interface SiteSummary {
  readonly site: Site;
  readonly novels: number;
  /** As the upstream counts them; what it says of a thousand and more may be hours old. */
  readonly counted: number;
  /** Those that it counts beside. */
  readonly missing: number;
}

/** A walk that brought less than this part of what is there is not put in the place of an older one. */
const LEAST_PART = 0.9;

/** A walk brought what cannot be what is there: no index is built of it. */
export class IncompleteWalk extends Error {
  constructor(reason: string) {
    super(`${reason} The upstream is not well, and no index was built of what it gave.`);
    this.name = 'IncompleteWalk';
  }
}

/** How many of the novels held had their last episode between two times. */
export function countHeld(
  held: ReadonlyMap<number, { readonly lastup: number }>,
  min: number,
  max: number,
): number {
  let count = 0;
  for (const { lastup } of held.values()) if (lastup >= min && lastup <= max) count++;
  return count;
}

function isHeld(held: KnownNovels, record: NovelRecord): boolean {
  const marks = marksOf(record);
  return marks !== undefined && held.get(ncodeToNumber(marks.ncode))?.lastup === marks.lastup;
}

/** Fetches every novel of a site and builds its index. */
export async function harvestSite(run: HarvestRun, site: Site): Promise<SiteSummary> {
  const { upstream, ask, clock } = run;
  const parts = { source: upstream.source, ask, site };
  // What this walk has brought so far.
  const { fetched: held } = run.memory.of(site);
  const begun = run.state.walk ?? beginWalk();
  tellWalk(run, site, begun, held.size);
  const counted = run.state.counted ?? (await countAll(parts));
  await walkCatalogue(begun, {
    ...{ ...parts, clock, by: 'lastup', extent: 'whole' },
    held: (min, max) => countHeld(held, min, max),
    take: (page) => {
      const fetchedAt = unixSeconds(clock);
      // A page that is read again brings few that are new.
      const rows = page.filter((record) => !isHeld(held, record));
      const put = rows.map((record) => novelOf(record, fetchedAt)).filter((novel) => novel !== undefined);
      const brought = put.length > 0 ? { site, put } : {};
      note(run, brought);
      return (walk) => {
        write(run, brought, { walk, counted });
        tellWalk(run, site, walk, held.size);
      };
    },
  });
  const recounted = await countAll(parts);
  const expected = Math.max(counted, recounted, 1);
  if (held.size < expected * LEAST_PART) {
    throw giveUpWalk(run, `${held.size} of ${expected} novels came.`);
  }
  await buildWalked(run, site, held.size);
  keepAlone(run, taskDone(run));
  return { site, novels: held.size, counted: recounted, missing: Math.max(0, recounted - held.size) };
}

/** All that a walk brought is let go; the next begins anew. */
function giveUpWalk(run: HarvestRun, reason: string): IncompleteWalk {
  keepAlone(run, { walk: null, counted: undefined });
  return new IncompleteWalk(reason);
}

async function buildWalked(run: HarvestRun, site: Site, novels: number): Promise<void> {
  run.tell({ step: 'build', site, done: 0, total: novels });
  const { dir, journal, keep } = run;
  try {
    await buildApart({ dir, site, novels, keep, journalBytes: journal.bytes, of: 'journal' }, run);
  } catch (error) {
    if (isDoubtful(error)) throw giveUpWalk(run, error.message);
    throw error;
  }
}

function tellWalk(run: HarvestRun, site: Site, walk: WalkState, held: number): void {
  if (walk.phase === 'walk') run.tell({ step: 'walk', site, done: held, total: run.state.counted });
  else run.tell({ step: 'recount', site, done: walk.ranges.length, total: undefined });
}
