import path from 'node:path';
import { ServiceError } from '@mokuroku/kit';
import { describeFailure } from '@mokuroku/kit/process';
import type { NovelRecord } from '@mokuroku/narou/source';
import { hasGenerations } from '../engine/generations.ts';
import { newestGeneration } from '../engine/index-generations.ts';
import { MAX_AGE_SECONDS } from '@mokuroku/narou/queries';
import { ncodeFromNumber, ncodeToNumber } from '@mokuroku/narou';
import { buildInThread } from './build-catalogue.ts';
import { fetchNovels } from './follow-changes.ts';
import { withWalkDoubt } from './harvest-journal.ts';
import type { HarvestState } from './harvest-journal.ts';
import type { KnownNovels } from './harvest-memory.ts';
import { discardDamaged, unixSeconds } from './harvest-run.ts';
import type { HarvestRun } from './harvest-run.ts';
import { stampOf, novelOf } from './harvested-novel.ts';
import type { Site } from './harvested-novel.ts';
import { settlePage } from './settle-page.ts';
import { beginWalk } from './walk.ts';
import type { WalkState } from './walk.ts';
import { addPage, decideWalk } from './tally.ts';
import type { WalkFindings } from './tally.ts';
import { withdrawNovels } from './withdraw-novels.ts';
import { writeReport } from './write-report.ts';
import type { SiteReport } from './write-report.ts';
import { IncompleteWalk, countAll, walkCatalogue } from './walk-catalogue.ts';

export interface SiteSummary extends SiteReport {
  readonly site: Site;
}

export function countBetween(
  novels: Iterable<{ readonly lastup?: number | undefined }>,
  min: number,
  max: number,
): number {
  let count = 0;
  for (const { lastup = 0 } of novels) if (lastup >= min && lastup <= max) count++;
  return count;
}

function isFetched(fetched: KnownNovels, record: NovelRecord): boolean {
  const { ncode, lastup } = stampOf(record);
  return fetched.get(ncodeToNumber(ncode))?.lastup === lastup;
}

/**
 * Fetches every novel of a site and builds its index; a failure is in the report too. After IncompleteWalk, the next
 * walk starts from the beginning; after damage in the existing index, this one continues beside the previous one.
 */
export async function harvestSite(run: HarvestRun, site: Site): Promise<SiteSummary> {
  try {
    return await walkAndBuild(run, site);
  } catch (error) {
    if (discardDamaged(run, error)) return harvestSite(run, site);
    if (error instanceof ServiceError) {
      const { counted = 0 } = run.memory.state;
      const refusedBecause = describeFailure(error);
      writeReport(run, site, { ...reportOf(run, site, counted), refusedBecause });
    }
    if (error instanceof IncompleteWalk) run.memory.restart({});
    throw error;
  }
}

function reportOf({ memory, clock }: HarvestRun, site: Site, counted: number) {
  const had = memory.siteMemory(site).fetched.size;
  const missing = Math.max(0, counted - had);
  return { at: new Date(clock.now()).toISOString(), had, counted, missing, walk: memory.state.tally };
}

/** An index that is damaged, or of another release, takes days of requests to replace: the operator may have a copy. */
function warnOfLoss({ dir, logger }: HarvestRun, site: Site): void {
  const folder = path.join(dir, site);
  if (!hasGenerations(folder) || newestGeneration(folder) !== null) return;
  logger.warn(
    { dir: folder },
    'no complete index of this version of mokuroku: everything is fetched again, and the old files stay until then',
  );
}

async function walkAndBuild(run: HarvestRun, site: Site): Promise<SiteSummary> {
  if (run.memory.state.walk === null) warnOfLoss(run, site);
  const { fetched } = run.memory.siteMemory(site);
  reportWalk(run, site, run.memory.state.walk ?? beginWalk(), fetched.size);
  const counted = await walkSite(run, site);
  await settleUnlisted(run, site);
  const recounted = await countAll(run, site);
  const { tally } = run.memory.state;
  run.memory.commit({}, requireAccepted(run, site, { tally, counted, recounted, had: fetched.size }));
  const removeFetchedBefore = unixSeconds(run.clock) - MAX_AGE_SECONDS;
  await buildInThread(run, { site, source: 'walk', removeFetchedBefore });
  const report = { ...reportOf(run, site, recounted), refusedBecause: null };
  writeReport(run, site, report);
  return { site, ...report };
}

/**
 * Ends the walk if a field is missing so often that the remaining novels could not make up for it. Returns the count at
 * its start.
 */
async function walkSite(run: HarvestRun, site: Site): Promise<number> {
  const { fetched } = run.memory.siteMemory(site);
  let spent = run.upstream.total();
  const counted = run.memory.state.counted ?? (await countAll(run, site));
  let { tally } = run.memory.state;
  await walkCatalogue(run.memory.state.walk ?? beginWalk(), {
    run,
    site,
    by: 'lastup',
    fieldSet: 'whole',
    novels: counted,
    // A refused novel would be refused again, so its range is complete without it.
    countFetched: (min, max) =>
      countBetween(fetched.values(), min, max) + countBetween(tally.refused, min, max),
    applyPage: ({ items, refused, overlong, lacking }) => {
      const fetchedAt = unixSeconds(run.clock);
      // A page that is read again contains few new records.
      const fresh = items.filter((record) => !isFetched(fetched, record));
      const novels = fresh.map((record) => novelOf(record, fetchedAt));
      const isDamaged = refused.length + lacking > 0;
      const { settled: put, compared, doubts } = settlePage(run, site, novels, { isDamaged });
      const added = { site, put, doubts };
      run.memory.add(added);
      const total = run.upstream.total();
      const since = { requests: total.requests - spent.requests, bytes: total.bytes - spent.bytes };
      spent = total;
      tally = addPage(tally, site, { items, refused, overlong, compared, ...since });
      return (walk) => {
        run.memory.write(added, { walk, counted, tally });
        reportWalk(run, site, walk, fetched.size);
        requireAccepted(run, site, { tally, counted, had: fetched.size });
      };
    },
  });
  return counted;
}

/** Throws unless the data of a walk are accepted. Returns the doubts about them. */
function requireAccepted(
  { dir, memory, clock }: HarvestRun,
  site: Site,
  findings: WalkFindings,
): Pick<HarvestState, 'walkDoubts'> {
  const before = memory.state.walkDoubts[site];
  const { doubt, refusedBecause } = decideWalk(findings, before, unixSeconds(clock));
  const built = newestGeneration(path.join(dir, site)) === null ? unixSeconds(clock) : before?.['built'];
  const doubted = withWalkDoubt(memory.state, site, { ...doubt, ...(built !== undefined && { built }) });
  if (refusedBecause === undefined) return doubted;
  memory.commit({}, doubted);
  throw new IncompleteWalk(site, refusedBecause);
}

/** Requests by Ncode the novels of the existing index that the walk did not list, and withdraws or keeps them. */
async function settleUnlisted(run: HarvestRun, site: Site): Promise<void> {
  const { fetched } = run.memory.siteMemory(site);
  const unlisted = [...run.memory.novelsOf(site).keys()]
    .filter((key) => !fetched.has(key))
    .map(ncodeFromNumber);
  const options = { isChange: false, changed: new Set<string>(), listed: [...fetched.keys()] };
  const { missing, denied } = await fetchNovels(run, site, unlisted, options);
  withdrawNovels(run, site, missing, denied);
}

function reportWalk(run: HarvestRun, site: Site, walk: WalkState, done: number): void {
  if (walk.phase === 'walk') run.reportStep({ step: 'walk', site, done, total: run.memory.state.counted });
  else run.reportStep({ step: 'recount', site, done: walk.ranges.length });
}
