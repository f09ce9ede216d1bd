import { afterEach, describe, expect, it } from 'vitest';
import { answeredSources, codeOf } from '../../test/answered-source.ts';
import { RECORD_OF_TODAY, omit } from '../../test/invented-records.ts';
import { packed, plain } from '../../../../test/catalogue/loopback-upstream.ts';
import type { NovelQuery } from '../novels/novel-query.ts';
import type { UpstreamHandler } from '../../../../test/catalogue/loopback-upstream.ts';

const { start, closeAll } = answeredSources();
afterEach(closeAll);

const SEARCH = { order: 'new', lim: 20, st: 1 } as const;

describe('a malformed response', () => {
  it.each(['{}', 'null', '[]', '[{}]', '[[]]', '3', '"x"', 'Error: Something.', '[1,2]'])(
    '%s is not a response of a search',
    async (text) => {
      const { source } = await start(plain(text));
      expect(await codeOf(source.novels.novelapi.search(SEARCH))).toBe('upstream_invalid');
      const users = source.searchUsers({ lim: 20, st: 1 });
      // Whether userapi reports no matches by an empty list is unknown, so it may.
      expect(text === '[]' ? (await users).allCount : await codeOf(users)).toBe(
        text === '[]' ? 0 : 'upstream_invalid',
      );
    },
  );

  it('a list without its count is served, with a count if the page is not full', async () => {
    const { source, problems } = await start(packed([RECORD_OF_TODAY]));
    expect((await source.novels.novelapi.search({ ...SEARCH, st: 41 })).allCount).toBe(41);
    expect((await source.novels.novelapi.search({ ...SEARCH, lim: 1 })).allCount).toBeUndefined();
    expect(problems[0]).toMatchObject({ problem: 'missing_field', about: 'allcount' });
  });
});

describe('a page whose count contradicts its rows', () => {
  const rows = (count: number) => Array.from({ length: count }, (_, i) => ({ ncode: `N000${i}A` }));
  const page = { ...SEARCH, lim: 5, of: ['n'] } as const;

  it.each([
    [20, 1, 4],
    [20, 17, 3],
    [999, 995, 4],
    // Large counts may be hours old, but not wrong by a tenth.
    [1_000, 1, 4],
    [1_000, 896, 4],
  ])('is invalid: of %i from %i on, %i rows', async (allcount, st, count) => {
    const { source } = await start(packed([{ allcount }, ...rows(count)]));
    expect(await codeOf(source.novels.novelapi.search({ ...page, st }))).toBe('upstream_invalid');
  });

  it.each([
    [20, 1, 5],
    [20, 17, 4],
    [20, 21, 0],
    [1_000, 897, 4],
    [1_000, 998, 0],
  ])('is valid only as the last page: of %i from %i on, %i rows', async (allcount, st, count) => {
    const { source } = await start(packed([{ allcount }, ...rows(count)]));
    expect((await source.novels.novelapi.search({ ...page, st })).items).toHaveLength(count);
  });

  it('drops one row without a known field, and is invalid with several', async () => {
    const answer = packed([{ allcount: 20 }, ...rows(4), 'nothing']);
    expect(await (await start(answer)).source.novels.novelapi.search(page)).toEqual({
      allCount: 20,
      items: rows(4),
      unreadable: 1,
    });
    const worse = await start(packed([{ allcount: 20 }, ...rows(3), 'nothing', null]));
    expect(await codeOf(worse.source.novels.novelapi.search(page))).toBe('upstream_invalid');
    const alone = await start(packed([{ allcount: 1 }, {}]));
    expect(await codeOf(alone.source.novels.novelapi.search(page))).toBe('upstream_invalid');
  });

  it('has no more rows than requested, whatever the upstream sends', async () => {
    const { source } = await start(packed([{ allcount: 9_000 }, ...rows(6)]));
    expect(await source.novels.novelapi.search(page)).toEqual({ allCount: 9_000, items: rows(5) });
  });

  it.each([
    [1, 41, 3, 43],
    [0, 1, 2, 2],
    [99, 41, 3, 99],
    [20, 41, 0, 20],
  ])(
    'has its count corrected: %i where from %i on there are %i rows means %i',
    async (allcount, st, count, all) => {
      const { source } = await start(packed([{ allcount }, ...rows(count)]));
      const { allCount } = await source.novels.novelapi.search({ ...page, st, lim: 3 });
      expect(allCount).toBe(all);
    },
  );

  it.each([-1, 1.5, '1x', null, {}, []])('of %j is invalid', async (allcount) => {
    const { source, problems } = await start(packed([{ allcount }, ...rows(3)]));
    expect((await source.novels.novelapi.search(page)).allCount).toBe(3);
    expect(problems[0]).toMatchObject({ problem: 'missing_field', about: 'allcount' });
  });

  it('is invalid if its rows are not records of novels', async () => {
    const { source } = await start(packed([{ allcount: 2 }, { memo: 1 }, { memo: 2 }]));
    expect(await codeOf(source.novels.novelapi.search(page))).toBe('upstream_invalid');
    expect(await codeOf(source.novels.novelapi.search(SEARCH))).toBe('upstream_invalid');
  });
});

describe('a search', () => {
  it('is forwarded in the upstream’s form, always with lim and st', async () => {
    const { source, upstream } = await start(packed([{ allcount: 0 }]));
    await source.novels.novelapi.search({
      ...SEARCH,
      word: '猫 "港"',
      title: 1,
      genre: [101, 302],
      ncode: ['N0001A', 'N0002B'],
    });
    expect(upstream.seen[0]?.path).toBe('/novelapi/api/');
    expect(Object.fromEntries(upstream.seen[0]?.query ?? [])).toEqual({
      out: 'json',
      gzip: '5',
      order: 'new',
      lim: '20',
      st: '1',
      word: '猫 "港"',
      title: '1',
      genre: '101-302',
      ncode: 'N0001A-N0002B',
    });
  });

  it('goes to its own interface', async () => {
    const { source, upstream } = await start(packed([{ allcount: 0 }]));
    await source.novels.novel18api.search(SEARCH);
    await source.novels.novel18api.find(['N0001A'], undefined);
    await source.searchUsers({ lim: 20, st: 1 });
    expect(upstream.seen.map((request) => request.path)).toEqual([
      '/novel18api/api/',
      '/novel18api/api/',
      '/userapi/api/',
    ]);
  });
});

describe('rows that contradict the search', () => {
  const rows = (count: number, fields: object) =>
    Array.from({ length: count }, (_, index) => ({
      ...RECORD_OF_TODAY,
      ncode: `N${1_000 + index}AA`,
      ...fields,
    }));

  it.each<[string, object, Partial<NovelQuery>]>([
    ['another genre', { genre: 101 }, { genre: [201, 202] }],
    ['a genre that is excluded', { genre: 101 }, { notgenre: [101] }],
    ['another big genre', { biggenre: 1 }, { biggenre: [2] }],
    ['another author', { userid: 7 }, { userid: [8] }],
    ['another Ncode', {}, { ncode: ['N0001A'] }],
    ['another Ncode than the word', {}, { word: 'n0001a' }],
    ['a shorter text', { length: 99 }, { length: { min: 100 } }],
    ['a longer time', { time: 31 }, { time: { max: 30 } }],
    ['no mark', { isbl: 0 }, { isbl: 1 }],
    ['a mark that is excluded', { isr15: 1 }, { notr15: 1 }],
    ['neither of two marks', { istensei: 0, istenni: 0 }, { istt: 1 }],
    ['another type', { novel_type: 1, end: 1 }, { type: 'er' }],
    ['a break', { isstop: 1 }, { stop: '1' }],
    ['another day', { general_lastup: '2026-11-02 00:00:00' }, { lastup: { min: 1, max: 2 } }],
  ])('are left out and counted up to a tenth, else refused: %s', async (_, fields, query) => {
    const good = rows(18, {}).map(({ ncode }, index) => ({
      ncode: query.ncode?.[0] ?? ncode,
      title: `${index}`,
    }));
    const matching =
      query.ncode || query.word ? good.slice(0, 1).map((row) => ({ ...row, ncode: 'N0001A' })) : good;
    const wrong = rows(20, fields).slice(18);
    const some = matching.length === 1 ? wrong.slice(0, 1) : wrong;
    const list = [...matching, ...some];
    const { source } = await start(packed([{ allcount: list.length }, ...list]));
    const page = await source.novels.novelapi.search({ ...SEARCH, ...query });
    expect([page.items.length, page.unreadable]).toEqual([matching.length, some.length]);
    const { source: worse } = await start(packed([{ allcount: 40 }, ...rows(20, fields)]));
    expect(await codeOf(worse.novels.novelapi.search({ ...SEARCH, ...query }))).toBe('upstream_invalid');
  });

  it('are none without the field', async () => {
    const { source } = await start(packed([{ allcount: 1 }, { ncode: 'N0001A', novel_type: 1 }]));
    for (const query of [{ genre: [201] }, { type: 'r' }, { isbl: 1 }, { stop: '1' }] as const) {
      const { items } = await source.novels.novelapi.search({ ...SEARCH, ...query });
      expect(items).toHaveLength(1);
    }
  });

  it('include those that come again, whatever the case and the fields', async () => {
    const list = [...rows(19, {}), { ...RECORD_OF_TODAY, ncode: 'n1000aa' }].map(({ ncode }) => ({
      ncode,
      title: 'a',
    }));
    const { source } = await start(packed([{ allcount: 20 }, ...list]));
    const page = await source.novels.novelapi.search({ ...SEARCH, of: ['t'] });
    expect([page.items.length, page.unreadable]).toEqual([19, 1]);
  });
});

describe('a batch by Ncode', () => {
  it('is one request with lim and the Ncode field, joined by code whatever the order', async () => {
    const codes = Array.from({ length: 300 }, (_, i) => `N${String(i).padStart(4, '0')}AB`);
    const rows = codes
      .filter((_, i) => i !== 150)
      .map((ncode, i) => ({ title: `t${i}`, ncode: i % 2 ? ncode : ncode.toLowerCase() }));
    const { source, upstream } = await start(packed([{ allcount: 299 }, ...rows.reverse()]));
    const { value: result } = await source.novels.novelapi.find(codes, ['t']);
    expect(upstream.seen).toHaveLength(1);
    expect(upstream.seen[0]?.query.get('lim')).toBe('300');
    expect(upstream.seen[0]?.query.get('of')).toBe('n-t');
    expect(result.map(({ state }) => state)).toEqual(codes.map((_, i) => (i === 150 ? 'denied' : 'found')));
    expect(result[7]).toEqual({ state: 'found', record: { title: 't7' } });
  });

  const CODES = Array.from({ length: 300 }, (_, i) => `N${1_000 + i}AB`);
  /** What an upstream without these novels returns of a list, after which it may lose a part of it. */
  const responding =
    (gone: readonly string[], lose: (list: readonly string[]) => readonly string[]): UpstreamHandler =>
    (request, response) => {
      const list = lose((request.query.get('ncode') ?? '').split('-'));
      const rows = list.filter((ncode) => !gone.includes(ncode)).map((ncode) => ({ ncode }));
      packed([{ allcount: rows.length }, ...rows])(request, response);
    };
  const GONE = [0, 77, 200, 298, 299].map((index) => CODES[index] as string);
  const MANY_GONE = CODES.filter((_, index) => index % 3 === 1);

  it.each<[string, readonly string[], (list: readonly string[]) => readonly string[], number]>([
    ['whole', GONE, (list) => list, 2],
    ['whole, most of which is gone', MANY_GONE, (list) => list, 2],
    ['cut after 100 Ncodes', GONE, (list) => list.slice(0, 100), 4],
    ['cut after 299 Ncodes', GONE.slice(0, 3), (list) => list.slice(0, 299), 2],
  ])(
    'of a list that the upstream reads %s denies what is gone, and nothing else',
    async (_, gone, lose, requests) => {
      const { source, upstream } = await start(responding(gone, lose));
      const { value } = await source.novels.novelapi.find(CODES, ['n']);
      expect(value.map(({ state }) => state)).toEqual(
        CODES.map((ncode) => (gone.includes(ncode) ? 'denied' : 'found')),
      );
      expect(upstream.seen).toHaveLength(requests);
    },
  );

  it.each<[string, (list: readonly string[]) => readonly string[], number]>([
    ['returns nothing of a list', () => [], 1],
    ['returns a novel of each list', (list) => list.slice(0, 1), 6],
  ])('that %s denies nothing', async (_, lose, requests) => {
    const { source, upstream } = await start(responding([], lose));
    const { value } = await source.novels.novelapi.find(CODES, ['n']);
    expect(value.some(({ state }) => state === 'denied')).toBe(false);
    expect(value.filter(({ state }) => state === 'unknown').length).toBeGreaterThan(290);
    expect(upstream.seen).toHaveLength(requests);
  });

  it('with a novel twice proves nothing', async () => {
    const { source } = await start(packed([{ allcount: 2 }, { ncode: 'N1000AB' }, { ncode: 'n1000ab' }]));
    expect(await codeOf(source.novels.novelapi.find(CODES.slice(0, 3), ['n']))).toBe('upstream_invalid');
  });

  it.each<[string, unknown[]]>([
    ['a novel that was not asked for', [{ allcount: 1 }, RECORD_OF_TODAY]],
    ['a record without its Ncode', [{ allcount: 1 }, omit(RECORD_OF_TODAY, 'ncode')]],
    ['no row where one is counted', [{ allcount: 1 }]],
    ['a row that is no record', [{ allcount: 1 }, 7]],
    ['no list', []],
  ])('never reads %s as the absence of a novel', async (_what, json) => {
    const { source } = await start(packed(json));
    expect(await codeOf(source.novels.novelapi.find(['N9999ZZ'], undefined))).toBe('upstream_invalid');
    expect(await codeOf(source.novels.novelapi.find(['N9999ZZ'], []))).toBe('upstream_invalid');
  });

  it('never reads an unreadable row among others as the absence of a novel', async () => {
    const codes = Array.from({ length: 20 }, (_, i) => `N${String(i).padStart(4, '0')}AB`);
    const rows = codes.slice(1).map((ncode) => ({ title: 't', ncode }));
    const { source } = await start(packed([{ allcount: 20 }, [], ...rows]));
    expect(await codeOf(source.novels.novelapi.find(codes, ['t']))).toBe('upstream_invalid');
  });

  it('reads a count of zero as the absence of all', async () => {
    const { source } = await start(packed([{ allcount: 0 }]));
    expect((await source.novels.novelapi.find(['N9999ZZ'], undefined)).value).toEqual([{ state: 'denied' }]);
  });

  it('without codes sends no request', async () => {
    const { source, upstream } = await start(packed([]));
    expect((await source.novels.novelapi.find([], undefined)).value).toEqual([]);
    expect(upstream.seen).toEqual([]);
  });
});
