import { ncodeFromNumber } from '../novels/ncode.ts';
import { fetchNovels, hasChanged } from './follow-changes.ts';
import { commit, knownOf, noteProgress, taskDone, unixSeconds, write } from './harvest-run.ts';
import type { HarvestRun } from './harvest-run.ts';
import { countHeld } from './harvest-site.ts';
import { figuresOf, marksOf } from './harvested-novel.ts';
import type { Site } from './harvested-novel.ts';
import { PAGE_ROWS, beginWalk } from './walk.ts';
import { walkCatalogue } from './walk-catalogue.ts';

const DAY_SECONDS = 86_400;
/** Whole records are fetched anew a part of the catalogue a day, the oldest first ... */
const DAYS_OF_ALL = 14;
/** ... and in any case when they are so old: a day and a half before they may not be kept any more. */
const OLD_SECONDS = 12.5 * DAY_SECONDS;

/** More novels than this, and than a tenth of all, do not vanish in a day: the upstream was not well. */
const FEW_UNMET = 1_000;
const MOST_UNMET = 0.1;

/** Fetches the figures of every novel of a site, noting whose records are not those held. */
export async function followFigures(run: HarvestRun, site: Site): Promise<void> {
  const { upstream, ask, clock } = run;
  const known = knownOf(run, site);
  const { met } = run.memory.of(site);
  const tell = () => {
    run.reportStep({ step: 'figures', site, done: met.size, total: known.size });
  };
  tell();
  const walked = await walkCatalogue(run.state.walk ?? beginWalk(), {
    source: upstream.source,
    ask,
    clock,
    site,
    by: 'lastup',
    extent: 'figures',
    isInterrupted: run.isInterrupted,
    held: (min, max) => countHeld(met, min, max),
    applyPage: ({ items: rows }) => {
      const marks = rows.map(marksOf).filter((each) => each !== undefined);
      const changed = marks.filter((each) => hasChanged(known, each)).map(({ ncode }) => ncode);
      const figures = rows.map(figuresOf).filter((each) => each !== undefined);
      const brought = rows.length === 0 ? {} : { site, figures, changed };
      noteProgress(run, brought);
      return (walk) => {
        write(run, brought, { walk });
        tell();
      };
    },
  });
  if (walked.phase === 'done') commit(run, {}, taskDone(run));
}

/**
 * Fetches whole records: of what has changed unnoticed, of what was not met among the figures (which is how novels are
 * found that are no more), of what is old, and beyond that the oldest, up to a fourteenth of all in a day.
 */
export async function followTexts(run: HarvestRun, site: Site): Promise<void> {
  const known = knownOf(run, site);
  const { met, changed } = run.memory.of(site);
  const now = unixSeconds(run.clock);
  const began = run.state.follow?.round ?? 0;
  const wanted = new Set(changed);
  const unmet = new Set<string>();
  for (const [key, { fetchedAt }] of known) {
    if (!met.has(key) && fetchedAt < began) unmet.add(ncodeFromNumber(key));
  }
  if (unmet.size > Math.max(FEW_UNMET, known.size * MOST_UNMET)) unmet.clear();
  for (const ncode of unmet) wanted.add(ncode);
  // What was fetched in the future, by a clock that has been put right, may be of any age.
  const byAge = [...known]
    .map(([key, { fetchedAt }]) => [key, fetchedAt > now ? 0 : fetchedAt] as const)
    .sort(([, a], [, b]) => a - b);
  const fetchedToday = byAge.filter(([, fetchedAt]) => fetchedAt >= began).length;
  const quota = Math.ceil(known.size / DAYS_OF_ALL) - fetchedToday;
  for (const [key, fetchedAt] of byAge) {
    if (fetchedAt >= began || (fetchedAt > now - OLD_SECONDS && wanted.size >= quota)) break;
    wanted.add(ncodeFromNumber(key));
  }
  let done = 0;
  const outcome = await fetchNovels(run, site, [...wanted], {
    isChange: false,
    mayBeGone: (ncode) => unmet.has(ncode),
    onPage: () => {
      done += PAGE_ROWS;
      run.reportStep({ step: 'texts', site, done: Math.min(done, wanted.size), total: wanted.size });
    },
  });
  if (outcome !== 'left') commit(run, {}, taskDone(run));
}
