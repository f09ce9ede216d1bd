import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { buildIndex } from '../../../local-catalogue/src/engine/build-index.ts';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { publishRankings } from '../../../local-catalogue/src/local/ranking-files.ts';
import { openLocalSource } from '../../../local-catalogue/src/local/local-source.ts';
import type { LocalSource } from '../../../local-catalogue/src/local/local-source.ts';
import { silentLogger } from '@mokuroku/kit/process';
import type { Clock } from '@mokuroku/kit/process';
import type { CatalogueSource } from '@mokuroku/narou/source';
import type { StoredRanking } from '../../../local-catalogue/src/local/ranking-files.ts';
import { dayOfDate, RANKING_TYPES, newestRankingDate, rankingDateBefore, toRtype } from '@mokuroku/narou';
import type { RankingType } from '@mokuroku/narou';
import type { EmbeddedCatalogue } from '../../../narou/src/sample/embedded-catalogue.ts';
import { TEST_NOW } from './start-test-catalogue.ts';

/** A ranking of the embedded catalogue, as a harvest stores it. */
export function storedRanking(
  catalogue: EmbeddedCatalogue,
  type: RankingType,
  date: string,
  fetchedAt: number,
): StoredRanking {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)/.exec(toRtype(type, date)) ?? [];
  const rows = catalogue.ranking(type, dayOfDate(`${year}-${month}-${day}`) ?? 0) ?? [];
  return { type, date, fetchedAt, rows };
}

/** Old rankings that tests read. */
const LOOKED_INTO = /^(?:2013-05-0\d|2026-0[1-3]-\d\d|2026-06-0\d)$/;

/**
 * Every ranking up to the newest at `now` (milliseconds UTC). Rows take seconds to invent, so only the last hundred
 * of each type and those that tests read have those of the catalogue.
 */
function* allRankings(catalogue: EmbeddedCatalogue, now: number, fetchedAt: number): Iterable<StoredRanking> {
  for (const type of RANKING_TYPES) {
    let left = 100;
    let date: string | null = newestRankingDate(type, now);
    for (; date !== null; date = rankingDateBefore(type, date), left--) {
      yield left > 0 || LOOKED_INTO.test(date)
        ? storedRanking(catalogue, type, date, fetchedAt)
        : { type, date, fetchedAt, rows: [{ ncode: 'N0001A', pt: 1, rank: 1 }] };
    }
  }
}

export interface LocalFolderOptions {
  /** Unix seconds. */
  fetchedAt: number;
  /** Milliseconds UTC. */
  now: number;
  adult?: boolean;
}

/** The embedded catalogue as a harvested folder. */
export async function fillLocalFolder(
  dir: string,
  catalogue: EmbeddedCatalogue,
  { fetchedAt, now, adult = true }: LocalFolderOptions,
): Promise<void> {
  const dated = (novels: readonly CatalogueNovel[]) =>
    novels.map((novel) => ({ ...novel, fetched_at: fetchedAt }));
  await buildIndex(path.join(dir, 'novels'), dated(catalogue.novels()));
  if (adult) await buildIndex(path.join(dir, 'adult'), dated(catalogue.adultNovels()));
  const put = allRankings(catalogue, now, fetchedAt);
  await publishRankings(path.join(dir, 'rankings'), { put });
}

const filledFolders = new Map<number, Promise<string>>();

/** The shared catalogue in a folder that no test changes, fetched at a time (Unix seconds): one for all threads. */
export function filledFolder(catalogue: EmbeddedCatalogue, fetchedAt: number): Promise<string> {
  const fill = async (): Promise<string> => {
    const shared = path.join(os.tmpdir(), `filled-${fetchedAt}`);
    if (fs.existsSync(shared)) return shared;
    const dir = temporaryFolder();
    await fillLocalFolder(dir, catalogue, { fetchedAt, now: TEST_NOW });
    try {
      fs.renameSync(dir, shared);
      return shared;
    } catch {
      return dir; // Another thread was faster.
    }
  };
  const filled = filledFolders.get(fetchedAt) ?? fill();
  filledFolders.set(fetchedAt, filled);
  return filled;
}

/** A service over a folder alone, for `sourceOver`. */
export const overFolder =
  (dir: string) =>
  (_upstream: CatalogueSource, clock: Clock): LocalSource =>
    openLocalSource({ dir, upstream: undefined, clock, logger: silentLogger() });
