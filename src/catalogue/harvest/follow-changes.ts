import path from 'node:path';
import { ServiceError } from '../../errors.ts';
import type { NovelRecord } from '../catalogue-source.ts';
import { changeIndex } from '../index/engine/build-index.ts';
import { ncodeToNumber } from '../novels/ncode.ts';
import type { NovelQuery } from '../novels/novel-query.ts';
import { keep, knownOf, unixSeconds } from './harvest-run.ts';
import type { HarvestRun } from './harvest-run.ts';
import { codesOf, marksOf, novelOf } from './harvested-novel.ts';
import type { Marks, Site } from './harvested-novel.ts';
import type { KnownNovels } from './known-novels.ts';
import { PAGE_ROWS, beginWalk } from './walk.ts';
import { searchSite, walkCatalogue } from './walk-catalogue.ts';

/** What changes shows after five minutes, but may show after two hours (manual of novelapi): so far it is asked back. */
const LAG_SECONDS = 7_200;

/** Whether a novel is not the one that is held. */
export function hasChanged(known: KnownNovels, { ncode, lastup, lastupdate }: Marks): boolean {
  const held = known.get(ncodeToNumber(ncode));
  return held?.lastup !== lastup || held.lastupdate !== lastupdate;
}

/**
 * Fetches whole records by their Ncodes, 500 a request, and has them on disk. One that does not come is gone if
 * `mayBeGone` says so, else left as it is. False: something more urgent is due first.
 */
export async function fetchNovels(
  run: HarvestRun,
  site: Site,
  ncodes: readonly string[],
  options: {
    readonly isChange: boolean;
    readonly mayBeGone: (ncode: string) => boolean;
    readonly onPage?: () => void;
  },
): Promise<boolean> {
  const { clock, upstream, ask } = run;
  const parts = { source: upstream.source, ask, site };
  const of = codesOf('whole', site);
  for (let at = 0; at < ncodes.length; at += PAGE_ROWS) {
    if (!options.isChange && run.isInterrupted()) return false;
    const wanted = ncodes.slice(at, at + PAGE_ROWS);
    const page = { order: 'old', st: 1, lim: PAGE_ROWS, opt: 'weekly', of } as const;
    const items = await askForNovels(run, parts, { ncode: [...wanted].sort(), ...page });
    if (items === null) continue;
    const fetchedAt = unixSeconds(clock);
    const put = items.map((record) => novelOf(record, fetchedAt)).filter((novel) => novel !== undefined);
    const came = new Set(put.map(({ ncode }) => ncode));
    const gone = wanted.filter((ncode) => !came.has(ncode) && options.mayBeGone(ncode));
    const entry = { site, put, gone, isChange: options.isChange };
    keep(run, entry);
    options.onPage?.();
  }
  return true;
}

/** Null where no try can read the answer: one such page must not keep all others from being asked for. */
async function askForNovels(
  run: HarvestRun,
  parts: Parameters<typeof searchSite>[0],
  query: NovelQuery,
): Promise<readonly NovelRecord[] | null> {
  try {
    return (await searchSite(parts, query)).items;
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'upstream_invalid')) throw error;
    const asked = { site: parts.site, first: query.ncode?.[0], novels: query.ncode?.length };
    run.logger.warn(asked, 'novels are passed over: what the upstream answered makes no sense');
    return null;
  }
}

/** Ncodes of the novels with an episode or a change since a time, as far as they are not held so. */
async function listChanged(run: HarvestRun, site: Site, since: number): Promise<string[]> {
  const { clock, upstream, ask } = run;
  const known = knownOf(run, site);
  const changed = new Set<string>();
  for (const by of ['lastup', 'lastupdate'] as const) {
    await walkCatalogue(beginWalk({ from: since, isPlain: true }), {
      ...{ source: upstream.source, ask, clock, site, by, extent: 'marks', held: () => Infinity },
      take: (rows) => {
        for (const row of rows) {
          const marks = marksOf(row);
          if (marks && hasChanged(known, marks)) changed.add(marks.ncode);
        }
        return () => undefined;
      },
    });
  }
  return [...changed];
}

/** Fetches what is new or changed of a site since the last look, and has it found. */
export async function followChanges(run: HarvestRun, site: Site): Promise<void> {
  const began = unixSeconds(run.clock);
  const { changes, round } = run.state.follow ?? { changes: {}, round: 0 };
  run.tell({ step: 'changes', site, done: 0, total: undefined });
  const changed = await listChanged(run, site, (changes[site] ?? began) - LAG_SECONDS);
  await fetchNovels(run, site, changed, { isChange: true, mayBeGone: () => false });
  const { fresh } = run.memory.of(site);
  if (fresh.size > 0) await changeIndex(path.join(run.dir, site), { put: [...fresh.values()], remove: [] });
  fresh.clear();
  keep(run, {}, { follow: { changes: { ...changes, [site]: began }, round } });
}
