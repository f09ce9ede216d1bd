import { describe, expect, it } from 'vitest';
import { followedUpstream, novel } from '../../test/followed-upstream.ts';
import { harvestedIn, reportIn } from '../../test/harvest-under-test.ts';
import { describeFailure } from '@mokuroku/kit/process';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { japanSeconds } from '@mokuroku/narou';
import type { NovelQuery } from '@mokuroku/narou/queries';
import { harvest } from './harvest.ts';

const upstream = followedUpstream();
const COUNT = 700;
/** Each in a second of its own, a day apart. */
const novels = Array.from({ length: COUNT }, (_, index) => {
  const day = new Date(Date.UTC(2010, 0, 1 + index)).toISOString().slice(0, 10);
  return novel(index, { general_lastup: `${day} 18:00:00` });
});

/** Harvests; if `fails`, a search of the upstream ends with a server error. */
async function harvestWhere(
  fails: (query: NovelQuery, rows: readonly CatalogueNovel[]) => boolean,
  of: Parameters<typeof upstream.options>[1] & { dir?: string } = {},
) {
  const { dir = upstream.folders.next(), ...options } = of;
  upstream.novels = novels;
  upstream.searchBy((query, index) => {
    const result = index.search(query);
    if (fails(query, result.records)) throw new Error('the upstream fails');
    return result;
  });
  let failure = '';
  await harvest(upstream.options(dir, options)).catch((error: unknown) => {
    failure = describeFailure(error);
  });
  return { dir, failure };
}

describe('an upstream that always fails', { timeout: 120_000 }, () => {
  it('for the story of one novel costs this novel, which the report names', async () => {
    upstream.set({ failingStory: true });
    const { dir, failure } = await harvestWhere(() => false);
    expect(failure).toBe('');
    const harvested = harvestedIn(dir, 'novels');
    expect([harvested.size, harvested.has('N0007AA')]).toEqual([COUNT - 1, false]);
    const { general_lastup = '' } = novels[7] ?? {};
    const reason = expect.stringMatching(/responds to others\..*upstream responded 500/) as string;
    const walk = {
      unreadable: 1,
      refused: [{ ncode: 'N0007AA', lastup: japanSeconds(general_lastup), reason }],
    };
    expect(reportIn(dir)).toMatchObject({ had: COUNT - 1, counted: COUNT, missing: 1, walk });
  });

  it('for any page with one novel costs the second of that novel, which the report names', async () => {
    const isBad = (rows: readonly CatalogueNovel[]) => rows.some(({ ncode }) => ncode === 'N0333AA');
    const { dir, failure } = await harvestWhere((_, rows) => isBad(rows));
    expect(failure).toBe('');
    const harvested = harvestedIn(dir, 'novels');
    expect([harvested.size, harvested.has('N0333AA')]).toEqual([COUNT - 1, false]);
    const lastup = japanSeconds(novels[333]?.general_lastup ?? '');
    const reason = expect.stringMatching(
      /^novels with lastup from 2010-11-30 18:00:00 to 2010-11-30 18:00:00/,
    ) as string;
    expect(reportIn(dir)?.walk?.refused).toEqual([{ ncode: 'unknown', lastup, reason }]);
  });
});
