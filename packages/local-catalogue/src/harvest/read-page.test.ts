import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { followedUpstream, novel } from '../../test/followed-upstream.ts';
import { harvestedIn, reportIn } from '../../test/harvest-under-test.ts';
import { ServiceError } from '@mokuroku/kit';
import type { NovelRecord } from '@mokuroku/narou/source';
import { japanSeconds } from '@mokuroku/narou';
import { harvest } from './harvest.ts';
import { readPage } from './read-page.ts';
import { RefusedRequest } from './retrying-fetch.ts';
import { NOVEL_ERRORS } from '@mokuroku/narou';

it('a row without any field of a novel is rejected without a name, and all others are stored', async () => {
  const rows = Array.from({ length: 20 }, (_, index): NovelRecord => ({ ncode: `N${1000 + index}A` }));
  const requests: (number | undefined)[] = [];
  // The upstream's page has one such row; a request by Ncodes never meets it.
  const page = await readPage(
    ({ ncode }) => {
      requests.push(ncode?.length);
      const items = rows.filter((row) => !ncode || ncode.includes(row['ncode'] as string));
      return Promise.resolve({ allCount: 21, items, ...(!ncode && { unreadable: 1 }) });
    },
    { order: 'old', of: ['n', 't'], st: 1, lim: 500 },
  );
  expect(page).toEqual({
    allCount: 21,
    items: rows,
    lacking: 0,
    overlong: [],
    refused: [{ ncode: 'unknown', reason: 'the row has nothing of a novel, or did not come again' }],
  });
  expect(requests).toEqual([undefined, undefined, 10, 10]);
});

it('texts that are too long are reported also if their page is read in halves', async () => {
  const overlong = [{ ncode: 'N1001A', field: 'story', length: 20_001 }];
  const page = await readPage(({ ncode }) => {
    const items = RECORDS.filter((row) => !ncode || ncode.includes(row['ncode'] as string));
    const hasLong = ncode?.includes('N1001A') === true;
    return Promise.resolve({
      allCount: 101,
      items,
      ...(!ncode && { unreadable: 1 }),
      ...(hasLong && { overlong }),
    });
  }, QUERY);
  expect(page.overlong).toEqual(overlong);
});

const RECORDS = Array.from({ length: 100 }, (_, index): NovelRecord => ({ ncode: `N${1000 + index}A` }));
const QUERY = { order: 'old', of: ['n', 't'], st: 1, lim: 500 } as const;

/** Reads a page of which the upstream refuses everything but the stamps of so many first records. */
const readRefused = (bad: number) =>
  readPage(({ ncode, of }) => {
    const rows = RECORDS.filter((row) => !ncode || ncode.includes(row['ncode'] as string));
    const isRefused = of?.includes('t') === true && rows.some((row) => RECORDS.indexOf(row) < bad);
    if (isRefused)
      return Promise.reject(new RefusedRequest(new ServiceError(NOVEL_ERRORS.upstream_unavailable)));
    return Promise.resolve({ allCount: RECORDS.length, items: rows });
  }, QUERY);

it('refuses up to 24 records of a page that the upstream refuses; more are no fault of records', async () => {
  const { items, refused } = await readRefused(24);
  expect([items.length, refused.length]).toEqual([76, 24]);
  await expect(readRefused(25)).rejects.toThrow(RefusedRequest);
});

it('an outage while the cause is looked for is no refusal', async () => {
  const outage = new ServiceError(NOVEL_ERRORS.upstream_timeout);
  const refused = new RefusedRequest(new ServiceError(NOVEL_ERRORS.upstream_unavailable));
  const search = ({ of }: { of?: readonly string[] | undefined }) =>
    Promise.reject(of?.includes('t') ? refused : outage);
  await expect(readPage(search, QUERY)).rejects.toBe(outage);
});

describe('an upstream that always fails', { timeout: 120_000 }, () => {
  const upstream = followedUpstream();
  const COUNT = 700;
  /** Each in a second of its own, a day apart. */
  const novels = Array.from({ length: COUNT }, (_, index) => {
    const day = new Date(Date.UTC(2010, 0, 1 + index)).toISOString().slice(0, 10);
    return novel(index, { general_lastup: `${day} 18:00:00` });
  });
  const lastupOf = (index: number) => japanSeconds(novels[index]?.general_lastup ?? '');

  /** Harvests all but one novel. */
  async function harvestWithout(ncode: string) {
    const dir = temporaryFolder();
    upstream.novels = novels;
    await harvest(upstream.options(dir));
    const harvested = harvestedIn(dir, 'novels');
    expect([harvested.size, harvested.has(ncode)]).toEqual([COUNT - 1, false]);
    return reportIn(dir);
  }

  it('for the story of one novel costs this novel, which the report names', async () => {
    upstream.set({ failingStory: true });
    const report = await harvestWithout('N0007AA');
    const reason = expect.stringMatching(/responds to others\..*upstream responded 500/) as string;
    const walk = { unreadable: 1, refused: [{ ncode: 'N0007AA', lastup: lastupOf(7), reason }] };
    expect(report).toMatchObject({ had: COUNT - 1, counted: COUNT, missing: 1, walk });
  });

  it('for any page with one novel costs the second of that novel, which the report names', async () => {
    upstream.searchBy((query, index) => {
      const page = index.search(query);
      if (page.records.some(({ ncode }) => ncode === 'N0333AA')) throw new Error('the upstream fails');
      return page;
    });
    const report = await harvestWithout('N0333AA');
    const second = '2010-11-30 18:00:00';
    const reason = expect.stringContaining(`novels with lastup from ${second} to ${second}`) as string;
    expect(report?.walk?.refused).toEqual([{ ncode: 'unknown', lastup: lastupOf(333), reason }]);
  });
});
