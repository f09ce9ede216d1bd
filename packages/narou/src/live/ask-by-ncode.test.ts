import { describe, expect, it } from 'vitest';
import { packed } from '../../../../test/catalogue/loopback-upstream.ts';
import type { UpstreamHandler } from '../../../../test/catalogue/loopback-upstream.ts';
import { startAnsweredSource, codeOf } from '../../test/narou-test-source.ts';
import { compareNcodes } from '../novels/ncode.ts';
import type { NovelInterface } from '../novels/of-fields.ts';
import type { NovelQuery } from '../novels/novel-query.ts';
import { askByNcode } from './ask-by-ncode.ts';

const named = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `N${1_000 + from + index}AB`);

/** All that the site ever had, of which some novels are gone. */
const ALL = named(520);
const GONE = [0, 77, 200, 298, 299, 500].map((index) => ALL[index] as string);
const HELD = ALL.filter((ncode) => !GONE.includes(ncode));

interface Faults {
  /** What it reads of a list of Ncodes. */
  readonly read?: (list: readonly string[]) => readonly string[];
  /** What it returns of the rows, in the requested order. */
  readonly cut?: (rows: readonly string[]) => readonly string[];
  /** Whether its count is that of the matches, not of the rows. */
  readonly isCounted?: boolean;
  /** Whether the row in the middle of a list has no readable Ncode. */
  readonly isSpoilt?: boolean;
}

/** A site of novels. The later one has the later episode, whatever its Ncode; of two genres in turn. */
const site =
  ({
    read = (list) => list,
    cut = (rows) => rows,
    isCounted = false,
    isSpoilt = false,
  }: Faults = {}): UpstreamHandler =>
  (request, response) => {
    const given = (name: string) => request.query.get(name);
    const asked = read(given('ncode')?.split('-') ?? []);
    const matches = HELD.filter((ncode) => given('ncode') === null || asked.includes(ncode));
    const isDescending = ['new', 'ncodedesc'].includes(given('order') ?? 'new');
    const sorted = matches.toSorted((a, b) => compareNcodes(a, b) * (isDescending ? -1 : 1));
    const rows = cut(sorted).slice(0, Number(given('lim') ?? 20));
    const allcount = isCounted ? matches.length : given('ncode') === null ? HELD.length : rows.length;
    const fields = (ncode: string, at: number) => ({
      ncode: isSpoilt && rows.length > 1 && at === Math.floor(rows.length / 2) ? '?' : ncode,
      genre: Number(ncode.slice(1, 5)) % 2 === 0 ? 201 : 202,
    });
    packed([{ allcount }, ...rows.map(fields)])(request, response);
  };

const CUTS: [string, Faults][] = [
  ['reads 300 of 500 codes', { read: (list) => list.slice(0, 300) }],
  ['reads the last 300 codes', { read: (list) => list.slice(-300) }],
  ['reads 2,048 characters', { read: (list) => list.slice(0, 245) }],
  ['returns one row', { cut: (rows) => rows.slice(0, 1) }],
  ['returns one row and counts all', { cut: (rows) => rows.slice(0, 1), isCounted: true }],
  ['returns 20 rows, newest first', { cut: (rows) => rows.toSorted().reverse().slice(0, 20) }],
  ['returns 20 rows, oldest first', { cut: (rows) => rows.toSorted().slice(0, 20) }],
  [
    'returns 20 rows, in another order',
    {
      cut: (rows) =>
        rows.length === HELD.length ? rows : [...new Set([...rows.slice(-10), ...rows.slice(0, 10)])],
    },
  ],
  [
    'returns 20 rows, half of them backwards',
    {
      cut: (rows) =>
        rows.length === HELD.length
          ? rows
          : [...new Set([...rows.slice(0, 10), ...rows.slice(-10).reverse()])],
    },
  ],
  ['loses its last row', { cut: (rows) => rows.slice(0, Math.max(1, rows.length - 1)) }],
  ['returns none of a list', { read: () => [] }],
  ['spoils an Ncode of a list', { isSpoilt: true }],
  [
    'loses a row of several, and counts it',
    { cut: (rows) => rows.toSpliced(1, rows.length > 2 ? 1 : 0), isCounted: true },
  ],
];

const SEARCH = { order: 'new', st: 1, lim: 500, of: ['n'] } as const;
const started = async (faults: Faults = {}, interfaceName: NovelInterface = 'novelapi') => {
  const { source, upstream } = await startAnsweredSource(site(faults));
  return { novels: source.novels[interfaceName], upstream };
};

describe.each(['novelapi', 'novel18api'] as const)('novels by Ncode, on %s', (name) => {
  it.each([1, 30, 300, 500])('of %d each is found, or denied, if the upstream is well', async (count) => {
    const { novels } = await started({}, name);
    const asked = ALL.slice(0, count);
    const { value } = await novels.find(asked, ['n']);
    expect(value.map(({ state }) => state)).toEqual(
      asked.map((ncode) => (GONE.includes(ncode) ? 'denied' : 'found')),
    );
  });

  it.each(CUTS)('that %s denies none that it has', async (_, faults) => {
    for (const count of [1, 2, 300, 500]) {
      const { novels } = await started(faults, name);
      const asked = HELD.slice(0, count);
      const { value } = await novels.find(asked, ['n']);
      expect(value.map(({ state }) => state)).not.toContain('denied');
    }
  });

  it.each(CUTS)('that %s: a search names those that it does not know', async (_, faults) => {
    const { novels } = await started(faults, name);
    const asked = ALL.slice(0, 500);
    const page = await novels.search({ ...SEARCH, ncode: asked }).catch(() => null);
    if (page === null) return;
    const rows = page.items.map(({ ncode }) => ncode as string);
    const { unknown = [] } = page;
    for (const ncode of asked)
      if (HELD.includes(ncode)) expect([...rows, ...unknown], ncode).toContain(ncode);
    expect(new Set([...rows, ...unknown]).size).toBe(rows.length + unknown.length);
  });
});

it('an adult list may be cut between any two Ncodes, since its order is another', async () => {
  const cut = (rows: readonly string[]) => (rows.length === 4 ? rows.filter((_, at) => at % 2 === 0) : rows);
  const { novels } = await started({ cut }, 'novel18api');
  const { value } = await novels.find(HELD.slice(0, 4), ['n']);
  expect(value.map(({ state }) => state)).not.toContain('denied');
});

describe('the requests for novels by Ncode', () => {
  it('are one for novels that exist, and no more than six lists', async () => {
    const { novels, upstream } = await started();
    await novels.find(HELD.slice(0, 300), ['n']);
    expect(upstream.seen).toHaveLength(1);
    const cut = await started({ cut: (rows) => rows.slice(0, 1) });
    await cut.novels.find(HELD.slice(0, 300), ['n']);
    // And two for the first and the last novel.
    expect(cut.upstream.seen).toHaveLength(8);
  });

  it('have two witnesses from the second absence on, at the ends of the order', async () => {
    const { novels, upstream } = await started();
    await novels.find([GONE[1] as string], ['n']);
    upstream.seen.length = 0;
    const { value } = await novels.find([GONE[2] as string], ['n']);
    expect(value).toEqual([{ state: 'denied' }]);
    expect(upstream.seen.map(({ query }) => [query.get('order'), query.get('ncode')])).toEqual([
      ['ncodeasc', [HELD[0], GONE[2], HELD.at(-1)].join('-')],
    ]);
    const { value: of300 } = await novels.find(ALL.slice(0, 300), ['n']);
    expect(of300.filter(({ state }) => state === 'denied')).toHaveLength(5);
    expect(upstream.seen).toHaveLength(2);
  });

  it('have 500 Ncodes at most, of which two may be witnesses', async () => {
    const { novels, upstream } = await started();
    await novels.find([GONE[1] as string], ['n']);
    await novels.find(ALL.slice(0, 500), ['n']);
    upstream.answer = site({ read: () => [] });
    await novels.find(ALL.slice(0, 500), ['n']);
    for (const { query } of upstream.seen) {
      expect(query.get('ncode')?.split('-').length ?? 0).toBeLessThanOrEqual(500);
      expect(Number(query.get('lim'))).toBeLessThanOrEqual(500);
    }
  });

  it('find each of 500 novels also if the upstream reads 60 of a list: lists that prove count for nothing', async () => {
    const { novels } = await started({ read: (list) => list.slice(0, 60) });
    const { value } = await novels.find(HELD.slice(0, 500), ['n']);
    expect(new Set(value.map(({ state }) => state))).toEqual(new Set(['found']));
  });

  it('do not have the witnesses of ten minutes ago, beyond which there may be a new novel', async () => {
    const time = { ms: 0 };
    const clock = { now: () => Date.now(), monotonic: () => time.ms };
    const added = HELD.at(-1) as string;
    const before = site({ cut: (rows) => rows.filter((ncode) => ncode !== added) });
    const { source, upstream } = await startAnsweredSource(before, { clock });
    const { novelapi } = source.novels;
    await novelapi.find([GONE[1] as string], ['n']);
    time.ms += 600_000;
    upstream.answer = site({ cut: (rows) => (rows.length > 2 ? rows.slice(0, -1) : rows) });
    expect((await novelapi.find([added], ['n'])).value).toMatchObject([{ state: 'found' }]);
  });

  it('are sorted by the order that they ask for', async () => {
    const { novels, upstream } = await started();
    await novels.find(['N0001AA', 'N9999B', 'N0001B'], ['n']);
    expect(upstream.seen[0]?.query.get('ncode')).toBe('N0001B-N9999B-N0001AA');
  });

  it('find a novel that exists though the upstream returns one row, after witnesses are known too', async () => {
    const { novels, upstream } = await started();
    await novels.find([GONE[1] as string], ['n']);
    upstream.answer = site({ cut: (rows) => rows.slice(0, 1) });
    const { value } = await novels.find([HELD[100] as string], ['n']);
    expect(value).toMatchObject([{ state: 'found' }]);
    expect((await novels.find([GONE[2] as string], ['n'])).value).toMatchObject([{ state: 'unknown' }]);
  });

  it('find another witness if a novel was withdrawn since', async () => {
    const { novels, upstream } = await started();
    await novels.find([GONE[1] as string], ['n']);
    upstream.answer = site({ cut: (rows) => rows.filter((ncode) => ncode !== HELD[0]) });
    expect((await novels.find([GONE[2] as string], ['n'])).value).toEqual([{ state: 'denied' }]);
  });
});

it('many novels are not requested one by one of an upstream that proves nothing', async () => {
  const requests: (readonly string[])[] = [];
  const found = await askByNcode(named(300), {
    request: (ncodes) => {
      requests.push(ncodes);
      return Promise.resolve({ rows: new Map(), isWhole: true });
    },
    listEnds: () => Promise.resolve(['N0001AA', 'N9999ZZ']),
    maxRequests: 600,
  });
  expect(new Set(found.map(({ state }) => state))).toEqual(new Set(['unknown']));
  expect(requests.length).toBeLessThan(20);
});

describe('a search among Ncodes', () => {
  const search = async (query: Partial<NovelQuery>, faults?: Faults) =>
    (await started(faults)).novels.search({ ...SEARCH, ncode: ALL.slice(0, 100), ...query });

  it('has the matches of its other conditions, their count, their order and its page', async () => {
    const even = HELD.filter((ncode) => ALL.indexOf(ncode) < 100 && ALL.indexOf(ncode) % 2 === 0);
    const page = await search({ genre: [201], order: 'ncodedesc', st: 11, lim: 5 });
    expect(page.allCount).toBe(even.length);
    expect(page.items).toEqual(
      even
        .toReversed()
        .slice(10, 15)
        .map((ncode) => ({ ncode })),
    );
  });

  it('has the selected fields alone, with or without the Ncode', async () => {
    const { items } = await search({ genre: [201], of: ['g'], lim: 1 });
    expect(items.map((item) => Object.keys(item))).toEqual([['genre', 'genre_label']]);
  });

  it('has every match though the upstream cuts its list', async () => {
    const { items, unknown } = await search(
      { genre: [201], ncode: HELD.slice(0, 500) },
      { read: (list) => list.slice(0, 300) },
    );
    expect(unknown).toBeUndefined();
    expect(items).toHaveLength(
      HELD.slice(0, 500).filter((ncode) => Number(ncode.slice(1, 5)) % 2 === 0).length,
    );
  });

  it('leaves words to the upstream, and names novels that nothing proves absent', async () => {
    const query = { word: '猫', ncode: HELD.slice(0, 10) };
    expect((await search(query)).items).toHaveLength(10);
    const cut = await search(query, { read: (list) => list.slice(0, 4) });
    expect([cut.items.length, cut.unknown]).toEqual([10, undefined]);
    const { unknown } = await search(query, { cut: (rows) => rows.slice(0, 1) });
    expect(unknown?.length).toBeGreaterThan(0);
  });

  it('has every match, or names it, though a row is lost where the upstream alone decides', async () => {
    const cut = (rows: readonly string[]) => rows.toSpliced(1, rows.length > 2 ? 1 : 0);
    const { source } = await startAnsweredSource((request, response) =>
      site(request.query.has('word') ? { cut, isCounted: true } : {})(request, response),
    );
    const ncode = HELD.slice(0, 10);
    const page = await source.novels.novelapi.search({ ...SEARCH, word: '猫', ncode });
    const named = [...page.items.map((item) => item['ncode']), ...(page.unknown ?? [])];
    expect(named.toSorted()).toEqual(ncode);
  });

  it('is in the order of the weekly readers, whose number is in the answer only if it was asked for', async () => {
    const readers = new Map([10, 30, 20].map((weekly_unique, at) => [HELD[at] as string, weekly_unique]));
    const { source } = await startAnsweredSource((request, response) => {
      const isWeekly = request.query.get('opt') === 'weekly';
      const rows = [...readers].map(([ncode, weekly_unique]) => ({
        ncode,
        ...(isWeekly && { weekly_unique }),
      }));
      packed([{ allcount: rows.length }, ...rows])(request, response);
    });
    const query = { order: 'weekly', st: 1, lim: 500, ncode: HELD.slice(0, 3) } as const;
    const { items } = await source.novels.novelapi.search(query);
    expect(items).toEqual([1, 2, 0].map((at) => ({ ncode: HELD[at] })));
    const asked = await source.novels.novelapi.search({ ...query, opt: 'weekly' });
    expect(asked.items.map((item) => item['weekly_unique'])).toEqual([30, 20, 10]);
  });

  it('fails if the upstream proves nothing', async () => {
    expect(await codeOf(search({}, { read: () => [] }))).toBe('upstream_invalid');
  });
});
