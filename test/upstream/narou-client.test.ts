import {
  BigGenre,
  Fields,
  Genre,
  NarouNovelFetch,
  NovelTypeParam,
  Order,
  R18Fields,
  R18Site,
  ranking,
  rankingHistory,
  RankingType,
  search,
  searchR18,
  searchUser,
  UserFields,
  UserOrder,
} from 'narou';
import { describe, expect, test } from 'vitest';
import { upstreamUnderTest } from '../../packages/narou/test/upstream-under-test.ts';

// npm `narou` 2.0.1, an independent client of the live interfaces, unchanged. Only its fetch function is replaced, to
// use our address. It requests gzip=5 and unpacks the body by itself.

const upstream = upstreamUnderTest();
const { catalogue } = upstream;
const api = new NarouNovelFetch((url, init) => {
  if (!(url instanceof URL)) throw new Error('The client asks by URL object.');
  return fetch(url.href.replace('https://api.syosetu.com', upstream.server.url), init);
});
const sampleNovels = new Map(catalogue.novels().map((novel) => [novel.ncode, novel]));
/** A day's midnight in the machine's own zone: so the client parses dates. */
const local = (year: number, month: number, day: number): Date => new Date(year, month - 1, day);

describe('novelapi', () => {
  test('a search by word, genre, kind and order', async () => {
    const page = await search('の', api)
      .byTitle()
      .genre([Genre.RenaiIsekai, Genre.FantasyHigh])
      .type(NovelTypeParam.RensaiEnd)
      .order(Order.FavoriteNovelCount)
      .limit(30)
      .execute();
    expect([page.limit, page.length]).toEqual([30, 30]);
    expect(page.allcount).toBeGreaterThan(100);
    for (const { ncode, title, genre, novel_type, end } of page.values) {
      expect(title).toContain('の');
      expect([101, 201]).toContain(genre);
      expect([novel_type, end]).toEqual([1, 0]);
      expect(sampleNovels.has(ncode)).toBe(true);
    }
    const favourites = page.values.map((novel) => novel.fav_novel_cnt);
    expect(favourites.toSorted((a, b) => b - a)).toEqual(favourites);
  });

  test('selected fields have the names that the client expects', async () => {
    // Without its isr15: the client requests it by a code that the upstream does not have.
    const { isr15, ...requested } = Fields;
    const page = await search('', api)
      .bigGenre(BigGenre.Bungei)
      .fields(Object.values(requested))
      .limit(5)
      .execute();
    expect(isr15).toBe('isr');
    for (const novel of page.values)
      expect(Object.keys(novel).toSorted()).toEqual(Object.keys(requested).toSorted());
  });

  test('a batch of 300 Ncodes with opt=weekly, joined by Ncode', async () => {
    const ncodes = [...sampleNovels.keys()].slice(100, 400);
    const page = await search('', api).ncode(ncodes).opt('weekly').limit(500).execute();
    expect(page.values.map((novel) => novel.ncode).toSorted()).toEqual(ncodes.toSorted());
    expect(page.values.every((novel) => typeof novel.weekly_unique === 'number')).toBe(true);
  });
});

test('novel18api: by site, with nocgenre in the records and no userid', async () => {
  const page = await searchR18('', api)
    .r18Site(R18Site.MoonLight)
    .fields([R18Fields.ncode, R18Fields.nocgenre, R18Fields.userid])
    .limit(500)
    .execute();
  const expected = catalogue.adultNovels().filter((novel) => novel.nocgenre === 2);
  expect(page.allcount).toBe(expected.length);
  expect(page.values[0]).toEqual({ ncode: expect.any(String) as string, nocgenre: 2 });
});

describe('rankget', () => {
  test.each([
    ['the first month', RankingType.Monthly, local(2013, 5, 1)],
    ['a Tuesday', RankingType.Weekly, local(2026, 11, 17)],
    ['a day', RankingType.Daily, local(2026, 11, 20)],
    ['a quarter', RankingType.Quarterly, local(2020, 1, 1)],
  ])('%s has 300 rows', async (_, type, date) => {
    const rows = await ranking(api).date(date).type(type).execute();
    expect(rows).toHaveLength(300);
    expect([rows[0]?.rank, rows[299]?.rank]).toEqual([1, 300]);
  });

  test('with fields: each row is joined with its novel; withdrawn ones have no fields', async () => {
    const rows = await ranking(api)
      .date(local(2026, 11, 20))
      .type(RankingType.Daily)
      .executeWithFields([Fields.title, Fields.ncode]);
    expect(rows).toHaveLength(300);
    for (const { ncode, title } of rows) {
      const novel = sampleNovels.get(ncode);
      if (novel === undefined) expect(title).toBeUndefined();
      else
        expect(title).toHaveLength(
          novel.title.replace(/&/g, '&amp;').replace(/[<>]/g, '&lt;').replace(/"/g, '&quot;').length,
        );
    }
    expect(rows.filter((row) => row.title === undefined).length).toBeGreaterThan(0);
  });

  test('a weekly date other than a Tuesday rejects with the text of the error', async () => {
    const monday = ranking(api)
      .date(local(2026, 11, 16))
      .type(RankingType.Weekly)
      .execute();
    await expect(monday).rejects.toBe('DATE ERROR[2]');
  });
});

describe('rankin', () => {
  test('the history of a ranked novel, dates read', async () => {
    const [top] = catalogue.novelIndex().search({ order: 'monthlypoint', st: 1, lim: 1 }).records;
    const history = await rankingHistory(top?.ncode ?? '', undefined, api);
    const november = history.find(
      (row) => row.type === RankingType.Monthly && row.date.getTime() === local(2026, 11, 1).getTime(),
    );
    expect(history.length).toBeGreaterThan(3);
    expect(november?.rank).toBeGreaterThanOrEqual(1);
  });

  test('an unknown novel rejects with the text of the error, plain or packed', async () => {
    await expect(rankingHistory('n0000a', undefined, api)).rejects.toBe('Error: Novel not found.');
    upstream.server.switches.errorGzipped = true;
    await expect(rankingHistory('n0000a', undefined, api)).rejects.toBe('Error: Novel not found.');
  });
});

test('userapi: authors by the first kana, most novels first', async () => {
  const page = await searchUser('', api)
    .name1st('は')
    .minNovel(1)
    .order(UserOrder.NovelCount)
    .fields([UserFields.userid, UserFields.novel_cnt, UserFields.name1st])
    .limit(500)
    .execute();
  const expected = catalogue.users().filter((user) => user.name1st === 'は' && user.novel_cnt > 0);
  expect(page.allcount).toBe(expected.length);
  const counts = page.values.map((user) => user.novel_cnt);
  expect(counts.toSorted((a, b) => b - a)).toEqual(counts);
});
