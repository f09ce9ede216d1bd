import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import { plainNovel } from '../../../../narou/test/plain-novel.ts';
import { TEST_NOW, startTestCatalogue } from '../../../test/catalogue/start-test-catalogue.ts';
import type { TestCatalogue } from '../../../test/catalogue/start-test-catalogue.ts';
import { buildIndex } from '../../../../local-catalogue/src/engine/build-index.ts';
import { overFolder } from '../../../test/catalogue/local-folder.ts';
import { publishRankings } from '../../../../local-catalogue/src/local/ranking-files.ts';
import { RANKING_TYPES, checkRankingDate } from '@mokuroku/narou';

// Every part of the folder has an age of its own, in seconds.
const NOW = TEST_NOW / 1000;
const NOVEL = 60;
const OLD_NOVEL = 3600;
const ADULT_NOVEL = 120;
const LAST = '2013-05-08';
/** Of the rankings of 1 May, the oldest; the one of 8 May is the youngest. */
const RANKING = 209;
const LAST_RANKING = 202;

const dir = temporaryFolder();
let service: TestCatalogue;

beforeAll(async () => {
  const build = (part: string, ages: readonly number[]) =>
    buildIndex(
      path.join(dir, part),
      ages.map((age, at) => plainNovel({ ncode: `N000${at + 1}TA`, title: '猫', fetched_at: NOW - age })),
    );
  await build('novels', [NOVEL, OLD_NOVEL]);
  await build('adult', [ADULT_NOVEL]);
  const dates = Array.from({ length: 8 }, (_, index) => `2013-05-0${index + 1}`);
  const put = RANKING_TYPES.flatMap((type) =>
    dates
      .filter((date) => checkRankingDate(type, date, TEST_NOW).valid)
      .map((date) => {
        const ncode = date === LAST ? 'N0001TA' : 'N0002TA';
        const fetchedAt = NOW - RANKING - 1 + Number(date.slice(-1));
        return { type, date, fetchedAt, rows: [{ ncode, pt: 9, rank: 1 }] };
      }),
  );
  await publishRankings(path.join(dir, 'rankings'), { put });
  service = await startTestCatalogue({ sourceOver: overFolder(dir) });
  return service.close;
});

it.each<[string, number, string?]>([
  ['/v1/novels?ncode=N0001TA', NOVEL],
  ['/v1/novels?lim=2', OLD_NOVEL],
  ['/v1/novels?word=NOTHING', OLD_NOVEL],
  ['/v1/novels/N0001TA', NOVEL],
  ['/v1/r18/novels?lim=1', ADULT_NOVEL],
  ['/v1/r18/novels/N0001TA', ADULT_NOVEL],
  ['/v1/suggest?q=%E7%8C%AB', OLD_NOVEL],
  ['/v1/rankings/daily?date=2013-05-01', RANKING],
  ['/v1/rankings/daily?date=2013-05-01&lim=1', RANKING],
  ['/v1/rankings/daily', LAST_RANKING, LAST],
  ['/v1/rankings/daily?lim=1', LAST_RANKING, LAST],
  ['/v1/rankings/daily?from=2013-05-01', RANKING, LAST],
  ['/v1/rankings/daily?from=2013-05-01&to=2013-05-02', RANKING],
  ['/v1/rankings/daily/hydrated?date=2013-05-01', OLD_NOVEL],
  [`/v1/rankings/daily/hydrated?date=${LAST}`, LAST_RANKING],
  ['/v1/rankings/daily/hydrated', LAST_RANKING, LAST],
  ['/v1/rankings/daily/hydrated?from=2013-05-08', LAST_RANKING, LAST],
  ['/v1/rankings/daily/hydrated?from=2013-05-01', OLD_NOVEL, LAST],
  ['/v1/novels/N0001TA/ranking-history', RANKING, LAST],
  ['/v1/ranking-histories?ncode=N0001TA,N0002TA', RANKING, LAST],
])('a response is as old as its oldest part, and says what it knows until: %s', async (url, age, until) => {
  const { body, headers } = await service.get(url);
  expect([body.meta.asOf, body.meta.until, headers['age']]).toEqual([
    new Date((NOW - age) * 1000).toISOString(),
    until,
    String(age),
  ]);
});

/** The headers and `meta.cached` of two requests for a novel that was fetched so many seconds ago. */
async function novelFetched(secondsAgo: number) {
  const folder = temporaryFolder();
  await buildIndex(path.join(folder, 'novels'), [
    plainNovel({ ncode: 'N0001TA', title: '猫', fetched_at: NOW - secondsAgo }),
  ]);
  const catalogue = await startTestCatalogue({ sourceOver: overFolder(folder) });
  const get = async () => {
    const { headers, body } = await catalogue.get('/v1/novels/N0001TA');
    return [headers['age'], headers['cache-control'], body.meta.cached];
  };
  const both = [await get(), await get()];
  await catalogue.close();
  return both;
}

it('data are served until they are 14 days old, whenever they are requested', async () => {
  const age = 14 * 86_400 - 100;
  const headers = [`${age}`, `public, max-age=${14 * 86_400}`];
  expect(await novelFetched(age)).toEqual([
    [...headers, false],
    [...headers, true],
  ]);
});

it('data from the future, as of a machine whose clock is ahead, are as old as their request', async () => {
  const headers = ['0', 'public, max-age=300'];
  expect(await novelFetched(-3_600)).toEqual([
    [...headers, false],
    [...headers, true],
  ]);
});
