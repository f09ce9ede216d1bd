import { MAX_AGE_SECONDS } from '../novels/max-age.ts';
import { ncodeFromNumber } from '../novels/ncode.ts';
import { buildInThread } from './build-catalogue.ts';
import { fetchNovels, hasChanged } from './follow-changes.ts';
import type { FollowOutcome } from './follow-changes.ts';
import { FOLLOWED_SECONDS } from './harvest-rankings.ts';
import { unixSeconds } from './harvest-run.ts';
import type { HarvestRun } from './harvest-run.ts';
import { countBetween } from './harvest-site.ts';
import { figuresOf, stampOf } from './harvested-novel.ts';
import type { Site } from './harvested-novel.ts';
import { settlePage } from './settle-page.ts';
import { PAGE_ROWS, beginWalk } from './walk.ts';
import { walkCatalogue } from './walk-catalogue.ts';
import { withdrawNovels } from './withdraw-novels.ts';

/** Days in which every record is fetched again, the oldest first. */
const DAYS_OF_ALL = 14;

/** Fetches the figures of every novel of a site. Notes the novels whose records have changed. */
export async function followFigures(
  run: HarvestRun,
  site: Site,
  isInterrupted: () => boolean,
): Promise<FollowOutcome> {
  const { memory } = run;
  const knownNovels = memory.novelsOf(site);
  const { seen } = memory.siteMemory(site);
  const reportStep = () =>
    run.reportStep({ step: 'figures', site, done: seen.size, total: knownNovels.size });
  reportStep();
  const walked = await walkCatalogue(memory.state.walk ?? beginWalk(), {
    run,
    site,
    by: 'lastup',
    fieldSet: 'figures',
    novels: knownNovels.size,
    isInterrupted,
    countFetched: (min, max) => countBetween(seen.values(), min, max),
    applyPage: ({ items: rows }) => {
      const stamps = rows.map(stampOf).filter((each) => each !== undefined);
      const changed = stamps.filter((each) => hasChanged(knownNovels, each)).map(({ ncode }) => ncode);
      const received = rows.map(figuresOf).filter((each) => each !== undefined);
      const { settled: figures, doubts = {} } = settlePage(run, site, received);
      const fetched = rows.length === 0 ? {} : { site, figures, changed, doubts };
      memory.add(fetched);
      return (walk) => {
        memory.write(fetched, { walk });
        reportStep();
      };
    },
  });
  return walked.phase === 'done' ? 'done' : 'interrupted';
}

/** Novels without figures in this round: they may be withdrawn. */
function findMissing({ memory }: HarvestRun, site: Site, began: number): ReadonlySet<string> {
  const knownNovels = memory.novelsOf(site);
  const { seen } = memory.siteMemory(site);
  const missing = new Set<string>();
  for (const [key, { fetchedAt }] of knownNovels) {
    if (!seen.has(key) && fetchedAt < began) missing.add(ncodeFromNumber(key));
  }
  return missing;
}

/** Adds old records, and beyond that the oldest, up to a fourteenth of all per day. */
function addOldest(
  { memory, clock }: HarvestRun,
  site: Site,
  began: number,
  novelsToFetch: Set<string>,
): void {
  const knownNovels = memory.novelsOf(site);
  const now = unixSeconds(clock);
  // A future time comes from a clock that has been corrected since: the age is unknown.
  const byAge = [...knownNovels]
    .map(([key, { fetchedAt }]) => [key, fetchedAt > now ? 0 : fetchedAt] as const)
    .sort(([, a], [, b]) => a - b);
  const fetchedToday = byAge.filter(([, fetchedAt]) => fetchedAt >= began).length;
  const quota = Math.ceil(knownNovels.size / DAYS_OF_ALL) - fetchedToday;
  for (const [key, fetchedAt] of byAge) {
    if (fetchedAt >= began || (fetchedAt > now - FOLLOWED_SECONDS && novelsToFetch.size >= quota)) break;
    novelsToFetch.add(ncodeFromNumber(key));
  }
}

/** Fetches whole records: of novels with unnoticed changes, of missing ones, and of the oldest. */
export async function followTexts(
  run: HarvestRun,
  site: Site,
  isInterrupted: () => boolean,
): Promise<FollowOutcome> {
  const { memory } = run;
  const began = memory.state.follow?.round ?? 0;
  const missing = findMissing(run, site, began);
  const novelsToFetch = new Set([...memory.siteMemory(site).changed, ...missing]);
  addOldest(run, site, began, novelsToFetch);
  let done = 0;
  const { outcome, unanswered } = await fetchNovels(run, site, [...novelsToFetch], {
    isChange: false,
    isInterrupted,
    onPage: () => {
      done += PAGE_ROWS;
      run.reportStep({
        step: 'texts',
        site,
        done: Math.min(done, novelsToFetch.size),
        total: novelsToFetch.size,
      });
    },
  });
  if (outcome !== 'interrupted')
    await withdrawNovels(
      run,
      site,
      unanswered.filter((ncode) => missing.has(ncode)),
      memory.siteMemory(site).seen.keys(),
    );
  return outcome;
}

/**
 * Rebuilds the index from its novels and all changes. A round fetches its old novels first, so what is too old since its
 * beginning was not returned. The clock may have jumped since.
 */
export async function rebuild(run: HarvestRun, site: Site): Promise<void> {
  const { memory } = run;
  const novels = memory.novelsOf(site).size;
  const removeFetchedBefore = (memory.state.follow?.round ?? 0) - MAX_AGE_SECONDS;
  await buildInThread(run, { site, novels, source: 'index', removeFetchedBefore });
  memory.commit({ site, isIndexed: true });
}
