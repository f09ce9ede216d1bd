import { beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import { startCatalogue } from '../../packages/mokuroku/src/catalogue/main.ts';
import { startNarouServer } from '../upstream/index.ts';
import type { MetaSource } from '../../packages/mokuroku/src/catalogue/endpoints/catalogue-answer.ts';
import { OF_FIELDS } from '@mokuroku/narou';
import { createEmbeddedCatalogue } from '@mokuroku/narou/sample';
import { createCatalogueClient } from 'mokuroku-client/source';
import type { CatalogueClient, Novel, NovelOfCode } from 'mokuroku-client/source';

let service: Awaited<ReturnType<typeof startCatalogue>>;
let client: CatalogueClient;

beforeAll(async () => {
  service = await startCatalogue({ CATALOGUE_PORT: '0', LOG_LEVEL: 'silent', RATE_LIMIT: '0' });
  client = createCatalogueClient({ baseUrl: `${service.address}/` });
  return service.close;
});

describe('facets and suggestions of a local catalogue', () => {
  it('counts of all matches, typed by facet', async () => {
    const { data, meta } = await client.novels({ word: '猫', of: ['n'], lim: 1, facets: ['type', 'genre'] });
    const counts = Object.values(meta.facets?.type ?? {}).reduce((sum, count) => sum + count, 0);
    expect([data.length, counts]).toEqual([1, meta.upstreamAllCount]);
    expect(meta.facets?.genre).toBeDefined();
  });

  it('suggestions for the typed text', async () => {
    const { data } = await client.suggest({ q: '図書', lim: 2 });
    expect(data.titles).toHaveLength(2);
    expect(data.keywords[0]?.keyword).toContain('図書');
    expectTypeOf(data.keywords[0]!.novels).toEqualTypeOf<number>();
  });
});

describe('a record matches its type', () => {
  it('with of: exactly the selected fields', async () => {
    const { data } = await client.novels({ of: ['t', 'w'], lim: 1 });
    expectTypeOf(data[0]!).toEqualTypeOf<{ title: string; writer: string }>();
    expect(Object.keys(data[0]!).sort()).toEqual(['title', 'writer']);
  });

  it('a genre brings its label', async () => {
    const { data } = await client.novels({ of: ['g'], lim: 1 });
    expectTypeOf(data[0]!).toEqualTypeOf<{ genre: number; genre_label: string }>();
    expect(Object.keys(data[0]!).sort()).toEqual(['genre', 'genre_label']);
  });

  it('with a list known only at run time: each field may be missing', async () => {
    const of: NovelOfCode[] = ['n', 'e'];
    const { data } = await client.novels({ of, lim: 1 });
    expectTypeOf(data[0]!).toEqualTypeOf<Partial<Novel>>();
    expect(Object.keys(data[0]!).sort()).toEqual(['end', 'ncode']);
  });

  it('without of: all fields, each of the type in the table', async () => {
    const { data } = await client.novels({ lim: 1 });
    expectTypeOf(data[0]!).toEqualTypeOf<Novel>();
    expectTypeOf(data[0]!.end).toEqualTypeOf<0 | 1>();
    expectTypeOf(data[0]!.novelupdated_at).toEqualTypeOf<string>();
    for (const { field, type: kind, servedBy } of OF_FIELDS) {
      if (servedBy === 'novel18api') continue;
      const isText = kind === 'string' || kind === 'datetime';
      const type = isText ? 'string' : 'number';
      expect([field, typeof data[0]![field]], 'invent a new field in sample/works.ts').toEqual([field, type]);
    }
  });

  it('an adult novel has its own genre and no author id', async () => {
    const { data } = await client.adultNovels({ of: ['n', 'ng', 'u'], lim: 1 });
    expectTypeOf(data[0]!).toEqualTypeOf<{ ncode: string; nocgenre: number; nocgenre_label: string }>();
    expect(Object.keys(data[0]!).sort()).toEqual(['ncode', 'nocgenre', 'nocgenre_label']);
  });
});

describe('each endpoint has its method', () => {
  it('novels, one novel and its history', async () => {
    const result = await client.novels({
      genre: [101, 102],
      istensei: true,
      order: 'hyoka',
      lim: 2,
      of: ['n', 'g'],
    });
    expect(result.data.map(({ genre }) => genre === 101 || genre === 102)).toEqual([true, true]);
    expect(result.meta.upstreamAllCount).toBeGreaterThan(2);
    const ncode = result.data[0]!.ncode;
    expect((await client.novel(ncode.toLowerCase())).data.ncode).toBe(ncode);
    const pasted = `https://ncode.syosetu.com/${ncode.toLowerCase()}/1/`;
    expect((await client.novel(pasted)).data.ncode).toBe(ncode);
    const history = await client.rankingHistory(ncode);
    expect(Object.keys(history.data[0]!).sort()).toEqual(['date', 'pt', 'rank', 'rtype', 'type']);
    expect(history.data[0]!.rtype).toMatch(/^\d{8}-[dwmq]$/);
  });

  it('a batch of codes', async () => {
    const some = await client.novels({ of: ['n'], lim: 3 });
    const ncode = some.data.map((novel) => novel.ncode);
    const batch = await client.novels({ ncode, of: ['n'] });
    expect(batch.data.map((novel) => novel.ncode).sort()).toEqual([...ncode].sort());
  });

  it('rankings, raw and hydrated', async () => {
    const raw = await client.ranking('weekly', { date: '2026-01-05' });
    expect(raw.meta.date).toBe('2026-01-05');
    const whole = await client.hydratedRanking('weekly', { date: '2026-01-05', of: ['t'] });
    expectTypeOf(whole.data[0]!.title).toEqualTypeOf<string | undefined>();
    expect(whole.data.map(({ rank, pt, ncode }) => ({ rank, pt, ncode }))).toEqual(raw.data);
  });

  it('many histories, and pages of any number of them', async () => {
    const { data: novels } = await client.novels({ of: ['n'], order: 'old', lim: 60 });
    const codes = [...novels.map(({ ncode }) => ncode), 'N9999ZZ'];
    const { data } = await client.rankingHistories(codes.slice(0, 2));
    expect(data[codes[0]!]).toEqual((await client.rankingHistory(codes[0]!)).data);
    const pages: number[] = [];
    for await (const page of client.rankingHistoryPages(codes)) {
      pages.push(Object.keys(page.data).length);
      if (pages.length === 2) expect(page.data['N9999ZZ']).toBeNull();
    }
    expect(pages).toEqual([50, 11]);
  });

  it.each([
    ['daily', 365],
    ['weekly', 52],
    ['monthly', 12],
  ] as const)('several rankings: a year of %s ones are %i, by pages', async (type, count) => {
    const dates: string[] = [];
    for await (const { data } of client.rankingPages(type, { from: '2025-01-01', to: '2025-12-31' })) {
      dates.push(...data.map(({ date }) => date));
    }
    expect([new Set(dates).size, dates.length]).toEqual([count, count]);
    const [first] = (await client.rankingsBetween(type, { from: dates[0]!, to: dates[0]! })).data;
    expect(first?.entries).toEqual((await client.ranking(type, { date: dates[0] })).data);
  });

  it.each([
    ['2026-02-30', '2026-03-05'],
    ['2026-02-01', '2026-02-30'],
  ])(
    'several rankings: a day that does not exist is rejected by the service (%s to %s)',
    async (from, to) => {
      const pages = client.rankingPages('daily', { from, to });
      await expect(pages.next()).rejects.toMatchObject({ code: 'invalid_parameter' });
    },
  );

  it('users, one user', async () => {
    const { data } = await client.users({ lim: 1 });
    expectTypeOf(data[0]!.userid).toEqualTypeOf<string>();
    expect((await client.user(data[0]!.userid)).data).toEqual(data[0]);
  });

  it('one adult novel', async () => {
    const { data } = await client.adultNovels({ nocgenre: 1, lim: 1, of: ['n'] });
    expect((await client.adultNovel(data[0]!.ncode)).data.nocgenre).toBe(1);
  });

  it('the code tables', async () => {
    expect((await client.genres()).data.biggenres).toContainEqual({ code: 1, label_ja: '恋愛' });
    expect((await client.nocgenres()).data.nocgenres).toHaveLength(4);
  });
});

describe('pages', () => {
  it('return every match once, in order, and end', async () => {
    const search = { userid: await idOfBusyAuthor(), of: ['n'] } as const;
    const all = await client.novels({ ...search, lim: 500 });
    const seen: string[] = [];
    let pages = 0;
    for await (const { data } of client.novelPages({ ...search, lim: 2 })) {
      pages++;
      seen.push(...data.map(({ ncode }) => ncode));
    }
    expect(seen).toEqual(all.data.map(({ ncode }) => ncode));
    expect(pages).toBe(Math.ceil(all.data.length / 2));
  });

  it('are empty for a search without matches', async () => {
    const pages = client.userPages({ word: 'ありえない名前ゼロ件' });
    expect((await pages.next()).done).toBe(true);
  });

  it('of the live upstream end at its 2,499th row and report truncation', async () => {
    const clock = { now: () => Date.now(), monotonic: () => performance.now() };
    const upstream = await startNarouServer({ catalogue: createEmbeddedCatalogue({ clock }), clock });
    const live = await startCatalogue({
      CATALOGUE_PORT: '0',
      LOG_LEVEL: 'silent',
      RATE_LIMIT: '0',
      CATALOGUE_SOURCE: 'narou',
      NAROU_BASE_URL: upstream.url,
    });
    try {
      const seen = new Set<string>();
      let isTruncated = false;
      const pages = createCatalogueClient({ baseUrl: live.address }).novelPages({ of: ['n'], lim: 500 });
      for await (const { data, truncated } of pages) {
        for (const { ncode } of data) seen.add(ncode);
        isTruncated = truncated;
      }
      expect([seen.size, isTruncated]).toEqual([2499, true]);
    } finally {
      await live.close();
      await upstream.close();
    }
  });

  async function idOfBusyAuthor(): Promise<string> {
    const { data } = await client.users({ lim: 500 });
    return data.find(({ novel_cnt }) => (novel_cnt ?? 0) >= 4)!.userid;
  }
});

it('the sources are those of the service', async () => {
  const { meta } = await client.genres();
  expectTypeOf<typeof meta.source>().toEqualTypeOf<MetaSource>();
  expect(meta.source).toBe('static');
});

it('a response states that its data are a sample', async () => {
  const { response } = await client.genres();
  expect(response.sample).toBe(true);
  expect(response.requestId).toMatch(/^\S+$/);
});

it('an error has code, status and every fault', async () => {
  const refused = client.novels({ lim: 501, order: 'best' as 'new' });
  await expect(refused).rejects.toMatchObject({
    name: 'MokurokuError',
    code: 'invalid_parameter',
    status: 400,
    details: [{ parameter: 'lim' }, { parameter: 'order' }],
    retryAfterSeconds: undefined,
    url: `${service.address}/v1/novels?lim=501&order=best`,
  });
});

it.each(['', '.', '..'])('the code "%s" is rejected by the service, and is no other path', async (code) => {
  const fault = { code: 'invalid_parameter', status: 400 };
  await expect(client.novel(code)).rejects.toMatchObject(fault);
  await expect(client.rankingHistory(code)).rejects.toMatchObject(fault);
  await expect(client.user(code)).rejects.toMatchObject(fault);
});
