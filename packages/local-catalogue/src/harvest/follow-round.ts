import { MAX_AGE_SECONDS } from '@mokuroku/narou/queries';
import { ncodeFromNumber } from '@mokuroku/narou';
import { buildInThread } from './build-catalogue.ts';
import { fetchNovels, hasChanged } from './follow-changes.ts';
import { trustIdentities } from './foreign-rows.ts';
import { FOLLOWED_SECONDS } from './harvest-rankings.ts';
import type { KnownNovels } from './harvest-memory.ts';
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

/**
 * The round of a day: the figures of each novel, then the records that changed, are old, or lack figures, then the new
 * index. An interrupted one resumes: its walk has ended, its records are new.
 */
export async function followRound(run: HarvestRun, site: Site): Promise<void> {
  await followFigures(run, site);
  await followTexts(run, site);
  await rebuild(run, site);
}

/** Fetches the figures of every novel of a site. Notes the novels whose records have changed. */
async function followFigures(run: HarvestRun, site: Site): Promise<void> {
  const { memory } = run;
  const knownNovels = memory.novelsOf(site);
  const { seen } = memory.siteMemory(site);
  const reportStep = () =>
    run.reportStep({ step: 'figures', site, done: seen.size, total: knownNovels.size });
  reportStep();
  await walkCatalogue(memory.state.walk ?? beginWalk(), {
    run,
    site,
    by: 'lastup',
    fieldSet: 'figures',
    novels: knownNovels.size,
    countFetched: (min, max) => countBetween(seen.values(), min, max),
    applyPage: ({ items: rows }) => {
      const stamps = rows.map(stampOf);
      const changed = stamps.filter((each) => hasChanged(knownNovels, each)).map(({ ncode }) => ncode);
      const { settled: figures, doubts } = settlePage(run, site, rows.map(figuresOf));
      const fetched = { site, figures, changed, doubts };
      memory.add(fetched);
      return (walk) => {
        memory.write(fetched, { walk });
        reportStep();
      };
    },
  });
  trustIdentities(run, site);
}

interface RoundFacts {
  readonly knownNovels: KnownNovels;
  readonly seen: Pick<ReadonlyMap<number, unknown>, 'has'>;
  readonly changed: Iterable<string>;
  readonly began: number;
  readonly now: number;
}

/**
 * The novels of a round whose whole records are fetched: changed ones, `missing` ones, which may be withdrawn, old ones,
 * and beyond that the oldest, up to a fourteenth of all per day.
 */
export function recordsToFetch({ knownNovels, seen, changed, began, now }: RoundFacts): {
  readonly ncodes: ReadonlySet<string>;
  readonly missing: ReadonlySet<string>;
} {
  const unseen = [...knownNovels].filter(([key, { fetchedAt }]) => !seen.has(key) && fetchedAt < began);
  const missing = new Set(unseen.map(([key]) => ncodeFromNumber(key)));
  const ncodes = new Set([...changed, ...missing]);
  // A future time comes from a clock that has been corrected since: the age is unknown.
  const byAge = [...knownNovels]
    .map(([key, { fetchedAt }]) => [key, fetchedAt > now ? 0 : fetchedAt] as const)
    .sort(([, a], [, b]) => a - b);
  const fetchedToday = byAge.filter(([, fetchedAt]) => fetchedAt >= began).length;
  const quota = Math.ceil(knownNovels.size / DAYS_OF_ALL) - fetchedToday;
  for (const [key, fetchedAt] of byAge) {
    if (fetchedAt > now - FOLLOWED_SECONDS && ncodes.size >= quota) break;
    ncodes.add(ncodeFromNumber(key));
  }
  return { ncodes, missing };
}

async function followTexts(run: HarvestRun, site: Site): Promise<void> {
  const { memory } = run;
  const { changed, seen } = memory.siteMemory(site);
  const knownNovels = memory.novelsOf(site);
  const began = memory.state.follow.round;
  const now = unixSeconds(run.clock);
  const { ncodes, missing } = recordsToFetch({ knownNovels, seen, changed, began, now });
  const total = ncodes.size;
  let done = 0;
  const fetched = await fetchNovels(run, site, [...ncodes], {
    isChange: false,
    changed,
    listed: seen.keys(),
    onPage: () => {
      done += PAGE_ROWS;
      run.reportStep({ step: 'texts', site, done: Math.min(done, total), total });
    },
  });
  const unlisted = fetched.missing.filter((ncode) => missing.has(ncode));
  withdrawNovels(run, site, unlisted, fetched.denied);
}

/**
 * Rebuilds the index from its novels and all changes. A round fetches its old novels first, so what is too old since its
 * beginning was not returned. The clock may have jumped since.
 */
export async function rebuild(run: HarvestRun, site: Site): Promise<void> {
  const removeFetchedBefore = run.memory.state.follow.round - MAX_AGE_SECONDS;
  await buildInThread(run, { site, source: 'index', removeFetchedBefore });
}
