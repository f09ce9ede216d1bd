import { describe, expect, it } from 'vitest';
import { startAnsweredSource, codeOf } from '../../test/narou-test-source.ts';
import { RECORD_OF_TODAY, omit } from '../../test/invented-records.ts';
import { packed, plain } from '../../../../test/catalogue/loopback-upstream.ts';
import type { UpstreamHandler } from '../../../../test/catalogue/loopback-upstream.ts';
import type { NovelQuery } from '../novels/novel-query.ts';

const SEARCH = { order: 'new', lim: 20, st: 1 } as const;

/** The page of a search that the upstream answers with this JSON. */
const pageOf = async (json: readonly unknown[], query: Partial<NovelQuery> = {}) =>
  (await startAnsweredSource(json)).source.novels.novelapi.search({ ...SEARCH, ...query });

/** The states of novels that the upstream answers with this JSON. */
const find = async (json: readonly unknown[], codes: readonly string[], of: NovelQuery['of'] = ['n']) =>
  (await startAnsweredSource(json)).source.novels.novelapi.find(codes, of);

const rowsOf = (count: number, fields: object = {}) =>
  Array.from({ length: count }, (_, index) => ({ ncode: `N${1_000 + index}AB`, ...fields }));

describe('a malformed response', () => {
  it.each([
    '{}',
    'null',
    '[]',
    '[{}]',
    '[{"allcount":null}]',
    '[[]]',
    '3',
    '"x"',
    'Error: Something.',
    '[1,2]',
  ])('%s is not a response of a search', async (text) => {
    const { source } = await startAnsweredSource(plain(text));
    expect(await codeOf(source.novels.novelapi.search(SEARCH))).toBe('upstream_invalid');
    expect(await codeOf(source.searchUsers({ lim: 20, st: 1 }))).toBe('upstream_invalid');
  });

  it.each([{ toString: 1 }, [[{ toString: 1 }]], null, true])(
    'a row with the Ncode %j is unreadable',
    async (ncode) => {
      const rows = [...rowsOf(19), { ncode, story: 'x'.repeat(30_000) }];
      const page = await pageOf([{ allcount: 20 }, ...rows], { of: ['n'] });
      expect([page.items.length, page.unreadable]).toEqual([19, 1]);
      const { source } = await startAnsweredSource([{ rank: 1, pt: 2, ncode }]);
      expect(await codeOf(source.getRanking('daily', '2026-11-01'))).toBe('upstream_invalid');
    },
  );

  it.each([{ toString: 1 }, [5], null, -1, '1e3'])(
    'a list with the count %j is one without a count',
    async (allcount) => {
      const { source, problems } = await startAnsweredSource([{ allcount }, RECORD_OF_TODAY]);
      expect((await source.novels.novelapi.search({ ...SEARCH, st: 41 })).allCount).toBe(41);
      expect(problems).toMatchObject([{ problem: 'missing_field', about: 'allcount' }]);
    },
  );

  it('a list without its count is served, with a count if the page is not full', async () => {
    const { source, problems } = await startAnsweredSource([RECORD_OF_TODAY]);
    expect((await source.novels.novelapi.search({ ...SEARCH, st: 41 })).allCount).toBe(41);
    expect((await source.novels.novelapi.search({ ...SEARCH, lim: 1 })).allCount).toBeUndefined();
    expect(problems[0]).toMatchObject({ problem: 'missing_field', about: 'allcount' });
  });
});

describe('a page whose count contradicts its rows', () => {
  const PAGE = { lim: 5, of: ['n'] } as const;

  it.each([
    [20, 1, 4],
    [20, 17, 3],
    [999, 995, 4],
    // Large counts may be hours old, but not wrong by a tenth.
    [1_000, 1, 4],
    [1_000, 896, 4],
  ])('is invalid: of %i from %i on, %i rows', async (allcount, st, count) => {
    expect(await codeOf(pageOf([{ allcount }, ...rowsOf(count)], { ...PAGE, st }))).toBe('upstream_invalid');
  });

  it.each([
    [20, 1, 5],
    [20, 17, 4],
    [20, 21, 0],
    [1_000, 897, 4],
    [1_000, 998, 0],
  ])('is valid only as the last page: of %i from %i on, %i rows', async (allcount, st, count) => {
    const { items } = await pageOf([{ allcount }, ...rowsOf(count)], { ...PAGE, st });
    expect(items).toHaveLength(count);
  });

  it('drops one row without a known field, and is invalid with several', async () => {
    const page = await pageOf([{ allcount: 20 }, ...rowsOf(4), 'nothing'], PAGE);
    expect(page).toEqual({ allCount: 20, items: rowsOf(4), unreadable: 1 });
    for (const json of [
      [{ allcount: 20 }, ...rowsOf(3), 'nothing', null],
      [{ allcount: 1 }, {}],
      [{ allcount: 2 }, { memo: 1 }, { memo: 2 }],
    ]) {
      expect(await codeOf(pageOf(json, PAGE))).toBe('upstream_invalid');
      expect(await codeOf(pageOf(json))).toBe('upstream_invalid');
    }
  });

  it('has no more rows than requested, whatever the upstream sends', async () => {
    const page = await pageOf([{ allcount: 9_000 }, ...rowsOf(6)], PAGE);
    expect(page).toEqual({ allCount: 9_000, items: rowsOf(5) });
  });

  it.each([
    [1, 41, 3, 43],
    [0, 1, 2, 2],
    [99, 41, 3, 99],
    [20, 41, 0, 20],
  ])(
    'has its count corrected: %i where from %i on there are %i rows means %i',
    async (allcount, st, count, all) => {
      const { allCount } = await pageOf([{ allcount }, ...rowsOf(count)], { ...PAGE, st, lim: 3 });
      expect(allCount).toBe(all);
    },
  );

  it.each([-1, 1.5, '1x', null, {}, []])('of %j has that of its rows', async (allcount) => {
    const { source, problems } = await startAnsweredSource([{ allcount }, ...rowsOf(3)]);
    expect((await source.novels.novelapi.search({ ...SEARCH, ...PAGE })).allCount).toBe(3);
    expect(problems[0]).toMatchObject({ problem: 'missing_field', about: 'allcount' });
  });
});

describe('a search', () => {
  it('is forwarded in the upstream’s form, always with lim and st', async () => {
    const { source, upstream } = await startAnsweredSource([{ allcount: 1 }, { ncode: 'N0001A' }]);
    const userid = [7, 8];
    await source.novels.novelapi.search({ ...SEARCH, word: '猫 "港"', title: 1, genre: [101, 302], userid });
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
      userid: '7-8',
    });
  });

  it('with a condition or an order that its interface would ignore is refused without a request', async () => {
    const { source, upstream } = await startAnsweredSource([{ allcount: 1 }, RECORD_OF_TODAY]);
    const { novelapi, novel18api } = source.novels;
    expect(await codeOf(novelapi.search({ ...SEARCH, anykeyword: '猫' }))).toBe('not_available_here');
    expect(await codeOf(novel18api.search({ ...SEARCH, order: 'ncodeasc' }))).toBe('not_available_here');
    expect(upstream.seen).toEqual([]);
  });

  it('goes to its own interface', async () => {
    const { source, upstream } = await startAnsweredSource([{ allcount: 1 }, { ncode: 'N0001A', userid: 7 }]);
    await source.novels.novel18api.search(SEARCH);
    await source.novels.novel18api.find(['N0001A'], undefined);
    await source.searchUsers({ lim: 20, st: 1 });
    expect(new Set(upstream.seen.slice(0, -1).map(({ path }) => path))).toEqual(
      new Set(['/novel18api/api/']),
    );
    expect(upstream.seen.at(-1)?.path).toBe('/userapi/api/');
  });
});

describe('a search without matches', () => {
  const answers =
    (all: readonly object[]): UpstreamHandler =>
    (request, response) =>
      packed(request.query.has('word') ? [{ allcount: 0 }] : [{ allcount: all.length }, ...all])(
        request,
        response,
      );

  it('is one of an upstream that finds something without conditions', async () => {
    const { source } = await startAnsweredSource(answers([{ ncode: 'N0001A', userid: 7 }]));
    const { novelapi, novel18api } = source.novels;
    for (const site of [novelapi, novel18api])
      expect(await site.search({ ...SEARCH, word: '猫' })).toMatchObject({ allCount: 0, items: [] });
    expect(await source.searchUsers({ lim: 20, st: 1, word: '猫' })).toMatchObject({
      allCount: 0,
      items: [],
    });
  });

  it('is invalid if the upstream lists a match without conditions', async () => {
    const { source } = await startAnsweredSource((request, response) => {
      const isWitness = request.query.get('lim') === '1';
      packed(isWitness ? [{ allcount: 1 }, { ncode: 'N0001A', userid: 7 }] : [{ allcount: 0 }])(
        request,
        response,
      );
    });
    const { novelapi, novel18api } = source.novels;
    for (const site of [novelapi, novel18api]) {
      expect(await codeOf(site.search(SEARCH))).toBe('upstream_invalid');
      expect(await site.search({ ...SEARCH, notword: '猫' })).toMatchObject({ allCount: 0 });
    }
    const users = { lim: 20, st: 1 };
    for (const query of [users, { ...users, userid: 7 }])
      expect(await codeOf(source.searchUsers(query))).toBe('upstream_invalid');
    for (const query of [
      { ...users, word: '猫' },
      { ...users, notword: '猫' },
    ])
      expect(await source.searchUsers(query)).toMatchObject({ allCount: 0 });
  });

  it('is invalid if the upstream finds nothing at all', async () => {
    const { source } = await startAnsweredSource(answers([]));
    const { novelapi, novel18api } = source.novels;
    for (const site of [novelapi, novel18api])
      expect(await codeOf(site.search({ ...SEARCH, word: '猫' }))).toBe('upstream_invalid');
    expect(await codeOf(source.searchUsers({ lim: 20, st: 1, word: '猫' }))).toBe('upstream_invalid');
  });
});

describe('rows that contradict the search', () => {
  const RECORD = omit(RECORD_OF_TODAY, 'ncode');

  it.each<[string, object, Partial<NovelQuery>]>([
    ['another genre', { genre: 101 }, { genre: [201, 202] }],
    ['a genre that is excluded', { genre: 101 }, { notgenre: [101] }],
    ['another big genre', { biggenre: 1 }, { biggenre: [2] }],
    ['another author', { userid: 7 }, { userid: [8] }],
    ['a shorter text', { length: 99 }, { length: { min: 100 } }],
    ['a longer time', { time: 31 }, { time: { max: 30 } }],
    ['no mark', { isbl: 0 }, { isbl: 1 }],
    ['a mark that is excluded', { isr15: 1 }, { notr15: 1 }],
    ['neither of two marks', { istensei: 0, istenni: 0 }, { istt: 1 }],
    ['another type', { novel_type: 1, end: 1 }, { type: 'er' }],
    ['a break', { isstop: 1 }, { stop: '1' }],
    ['another day', { general_lastup: '2026-11-02 00:00:00' }, { lastup: { min: 1, max: 2 } }],
  ])('are left out and counted up to a tenth, else refused: %s', async (_, fields, query) => {
    const isOfOne = query.word !== undefined;
    const matching = isOfOne ? [{ ncode: 'N0001A' }] : rowsOf(18);
    const wrong = rowsOf(20, { ...RECORD, ...fields });
    const some = wrong.slice(isOfOne ? 19 : 18);
    const list = [...matching, ...some];
    const page = await pageOf([{ allcount: list.length }, ...list], query);
    expect([page.items.length, page.unreadable]).toEqual([matching.length, some.length]);
    expect(await codeOf(pageOf([{ allcount: 40 }, ...wrong], query))).toBe('upstream_invalid');
  });

  it.each([{ genre: [201] }, { type: 'r' }, { isbl: 1 }, { stop: '1' }] as const)(
    'are none without the field: %j',
    async (query) => {
      const page = await pageOf([{ allcount: 1 }, { ncode: 'N0001A', novel_type: 1 }], query);
      expect(page.items).toHaveLength(1);
    },
  );

  it.each([{ lastup: 'thisweek' }, { ispickup: 1 }, { word: '猫' }, { notword: '犬' }] as const)(
    'are none where the upstream may read a condition in another way: %j',
    async (query) => {
      const old = { ncode: 'N0001A', title: '犬', general_lastup: '2013-09-09 00:00:00', end: 1, length: 1 };
      expect((await pageOf([{ allcount: 1 }, old], query)).items).toHaveLength(1);
    },
  );

  it('include those that come again, whatever the case and the fields', async () => {
    const list = [...rowsOf(19, { title: 'a' }), { ncode: 'n1000ab', title: 'a' }];
    const page = await pageOf([{ allcount: 20 }, ...list], { of: ['t'] });
    expect([page.items.length, page.unreadable]).toEqual([19, 1]);
  });
});

describe('a batch by Ncode', () => {
  it('is one request with lim and the Ncode field, joined by code whatever the order', async () => {
    const codes = Array.from({ length: 300 }, (_, i) => `N${String(i).padStart(4, '0')}AB`);
    const rows = codes.map((ncode, i) => ({ title: `t${i}`, ncode: i % 2 ? ncode : ncode.toLowerCase() }));
    const { source, upstream } = await startAnsweredSource(packed([{ allcount: 300 }, ...rows.reverse()]));
    const { value: result } = await source.novels.novelapi.find(codes, ['t']);
    expect(upstream.seen).toHaveLength(1);
    expect(upstream.seen[0]?.query.get('lim')).toBe('300');
    expect(upstream.seen[0]?.query.get('of')).toBe('n-t');
    expect(result[7]).toEqual({ state: 'found', record: { title: 't7' } });
  });

  const CODES = Array.from({ length: 300 }, (_, i) => `N${1_000 + i}AB`);

  it.each<[string, unknown[]]>([
    ['a novel twice', [{ allcount: 20 }, ...rowsOf(19), { ncode: 'n1000ab' }]],
    ['an unreadable row', [{ allcount: 20 }, [], ...rowsOf(19)]],
    ['a novel that was not asked for', [{ allcount: 20 }, ...rowsOf(19), { ncode: 'N9999ZZ' }]],
    ['fewer novels than it counts', [{ allcount: 20 }, ...rowsOf(18)]],
  ])('with %s proves nothing', async (_, json) => {
    const { value } = await find(json, CODES.slice(0, 22));
    expect(new Set(value.slice(19).map(({ state }) => state))).toEqual(new Set(['unknown']));
    expect(value[5]).toMatchObject({ state: 'found' });
  });

  it.each<[string, unknown[]]>([
    ['a novel that was not asked for', [{ allcount: 1 }, RECORD_OF_TODAY]],
    ['a record without its Ncode', [{ allcount: 1 }, omit(RECORD_OF_TODAY, 'ncode')]],
    ['no row where one is counted', [{ allcount: 1 }]],
    ['a row that is no record', [{ allcount: 1 }, 7]],
    ['no list', []],
  ])('never reads %s as the absence of a novel', async (_what, json) => {
    for (const of of [undefined, []])
      expect(await codeOf(find(json, ['N9999ZZ'], of))).toBe('upstream_invalid');
  });

  it('reads a count of zero as the absence of none', async () => {
    const { value } = await find([{ allcount: 0 }], ['N9999ZZ'], undefined);
    expect(value).toMatchObject([{ state: 'unknown' }]);
  });

  it('without codes sends no request', async () => {
    const { source, upstream } = await startAnsweredSource([]);
    expect((await source.novels.novelapi.find([], undefined)).value).toEqual([]);
    expect(upstream.seen).toEqual([]);
  });
});
