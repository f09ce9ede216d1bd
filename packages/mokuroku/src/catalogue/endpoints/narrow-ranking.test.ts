import { describe, expect, it } from 'vitest';
import { searchByHand } from '../../../test/catalogue/search-by-hand.ts';
import {
  SOURCES,
  itRequesting,
  requestsOn,
  serviceOn,
  startOn,
} from '../../../test/catalogue/three-sources.ts';
import { startTestCatalogue } from '../../../test/catalogue/start-test-catalogue.ts';
import { Admission } from '../../../../kit/src/limits/admission.ts';

describe.each(SOURCES)('on %s', (source) => {
  const service = serviceOn(source);

  type Entry = Record<string, unknown> & { rank: number; ncode: string };
  interface Dated {
    date: string;
    entries: Entry[];
  }
  const list = async (path: string) => {
    const { status, body, headers } = await service.get(`/v1/rankings/${path}`);
    expect([path, status]).toEqual([path, 200]);
    return { data: body.data as Entry[], meta: body.meta as Record<string, unknown>, headers };
  };
  /** The ranks of the ranking whose novels a search by hand finds. */
  const ranksByHand = (raw: readonly Entry[], search: Record<string, string>) => {
    const sent = { ...search, ...(search['worktype'] && { type: search['worktype'] }), lim: '100000' };
    const found = new Set(searchByHand(service.catalogue.novels(), sent).items.map(({ ncode }) => ncode));
    return raw.filter(({ ncode }) => found.has(ncode)).map(({ rank }) => rank);
  };
  const ranksOf = (entries: readonly Entry[]) => entries.map(({ rank }) => rank);

  describe('a ranking is filtered like a search, with the ranks of the whole', () => {
    const date = '2026-06-01';
    it.each([
      { genre: '201,202' },
      { notgenre: '201' },
      { biggenre: '2' },
      { istt: '1', worktype: 'er' },
      { worktype: 'r', stop: '1' },
      { minlen: '100000', maxlen: '900000' },
      { length: '-100000' },
      { mintime: '30' },
      { kaiwaritu: '40-' },
      { lastup: '2026-01-01,2026-11-20' },
      { isr15: '1', nottensei: '1' },
      { ispickup: '1' },
      { episodes: '10-100', points: '100-' },
      { anykeyword: '料理 猫' },
      { notkeyword: '料理 魔法' },
    ])('%j', async (search: Record<string, string>) => {
      const raw = await list(`monthly?date=${date}`);
      const expected = ranksByHand(raw.data, search);
      expect(expected.length).toBeGreaterThan(0);
      expect(expected.length).toBeLessThan(300);
      const query = `monthly/hydrated?date=${date}&${new URLSearchParams(search).toString()}`;
      for (const of of ['', '&of=t']) {
        const { data, meta, headers } = await list(`${query}${of}`);
        expect(ranksOf(data)).toEqual(expected);
        expect(meta).toMatchObject({ ranked: 300, matches: expected.length, date });
        expect(headers['x-total-count']).toBe(String(expected.length));
      }
      const { data } = await list(`${query}&of=t`);
      for (const entry of data) expect(Object.keys(entry)).toEqual(['rank', 'pt', 'ncode', 'title']);
      const few = await list(`${query}&of=t&lim=2`);
      expect([few.data, few.meta['matches']]).toEqual([data.slice(0, 2), expected.length]);
    });
  });

  it('a withdrawn novel matches no filter, not even its own Ncode', async () => {
    const path = 'quarterly/hydrated?date=2026-01-01&of=n';
    const known = new Set(service.catalogue.novels().map(({ ncode }) => ncode));
    const { data } = await list(path);
    const withdrawn = data.find(({ ncode }) => !known.has(ncode))!;
    const living = data.find(({ ncode }) => known.has(ncode))!;
    const both = await list(`${path}&ncode=${withdrawn.ncode},${living.ncode}`);
    expect([both.data, both.meta['matches']]).toEqual([[living], 1]);
    expect((await list(`${path}&ncode=${withdrawn.ncode}`)).data).toEqual([]);
  });

  it('order=rise sorts by the ranks gained since the ranking before, new novels from below the last', async () => {
    const before = new Map(
      (await list('weekly?date=2026-03-02')).data.map(({ ncode, rank }) => [ncode, rank]),
    );
    const raw = (await list('weekly?date=2026-03-09')).data;
    const gained = ({ ncode, rank }: Entry) => (before.get(ncode) ?? 301) - rank;
    const expected = [...raw].sort((a, b) => gained(b) - gained(a) || a.rank - b.rank);
    expect(raw.some(({ ncode }) => !before.has(ncode))).toBe(true);
    const risen = await list('weekly/hydrated?date=2026-03-09&of=t&order=rise');
    expect(ranksOf(risen.data)).toEqual(ranksOf(expected));
    const some = new Set(ranksByHand(raw, { istt: '1' }));
    const filtered = await list('weekly/hydrated?date=2026-03-09&of=t&order=rise&istt=1&lim=5');
    expect(ranksOf(filtered.data)).toEqual(
      ranksOf(expected)
        .filter((rank) => some.has(rank))
        .slice(0, 5),
    );
  });

  it('the first ranking of all is one of new novels: by rank', async () => {
    const { data } = await list('daily/hydrated?date=2013-05-01&of=t&order=rise');
    expect(ranksOf(data)).toEqual(data.map((_, at) => at + 1));
  });

  it('several rankings are filtered and sorted one by one', async () => {
    const span = 'weekly/hydrated?from=2026-03-02&to=2026-03-16&of=t&genre=201&order=rise&lim=3';
    const { data: rankings, meta } = await list(span);
    const data = rankings as unknown as Dated[];
    expect(data.map(({ date }) => date)).toEqual(['2026-03-02', '2026-03-09', '2026-03-16']);
    let matches = 0;
    for (const { date, entries } of data) {
      const own = await list(`weekly/hydrated?date=${date}&of=t&genre=201&order=rise&lim=3`);
      expect(entries).toEqual(own.data);
      matches += own.meta['matches'] as number;
    }
    expect(meta).toMatchObject({ ranked: 900, matches });
  });

  itRequesting(source)('filters send no further upstream request', async () => {
    const path = 'monthly/hydrated?date=2026-05-01';
    await list(path);
    const before = service.upstream.requestCount();
    await list(`${path}&genre=201`);
    expect(service.upstream.requestCount() - before).toBe(0);
    await list(`${path}&genre=201&order=rise`);
    expect(service.upstream.requestCount() - before).toBe(requestsOn(source, 1));
  });

  it('other parameters are named as ignored, and share the cached response', async () => {
    const path = 'monthly/hydrated?date=2026-04-01&of=t&genre=201';
    await list(path);
    const { meta } = await list(`${path}&buntai=1&sort=rise`);
    expect([meta['cached'], meta['ignored']]).toEqual([true, ['buntai', 'sort']]);
    const plain = await list('monthly/hydrated?date=2026-04-01&of=t&order=rank&lim=1');
    expect(plain.meta).not.toHaveProperty('matches');
  });

  it('faults of all filters are reported together', async () => {
    const { status, body } = await service.get(
      '/v1/rankings/weekly/hydrated?genre=1&order=fall&minlen=9&maxlen=1&date=2026-03-10',
    );
    expect([status, body.error.details.map(({ parameter }) => parameter).sort()]).toEqual([
      400,
      ['date', 'genre', 'minlen', 'order'],
    ]);
  });

  it('CSV has the rows of the JSON; a feed has an id of its own', async () => {
    const path = '/v1/rankings/monthly/hydrated?date=2026-06-01&of=t&istt=1&order=rise';
    const { data } = await list(path.replace('/v1/rankings/', ''));
    const { text: csv } = await service.get(`${path}&format=csv`);
    expect(
      csv
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line) => Number(line.split(',')[0])),
    ).toEqual(ranksOf(data));
    const { text: feed } = await service.get(`${path}&format=atom`);
    expect(feed).toMatch(/<id>[^<]*rankings\/monthly\/2026-06-01\?istt=1&amp;order=rise<\/id>/);
    expect(feed.split('<entry ')).toHaveLength(data.length + 1);
  });
});

it('an entry whose record lacks the field of a filter is unknown, unless another filter excludes it', async () => {
  const service = await startOn('upstream', { switches: { missingField: 'genre', fieldFaultEvery: 5 } });
  const get = async (query: string) => {
    const { body } = await service.get(`/v1/rankings/daily/hydrated?date=2026-06-01&of=g-nt${query}`);
    return { entries: body.data as Record<string, unknown>[], unknown: body.meta.unknown ?? [] };
  };
  const { entries } = await get('');
  const lacking = entries.filter((entry) => 'noveltype' in entry && !('genre' in entry));
  const ncodesOf = (some: typeof entries) => some.map(({ ncode }) => ncode).sort();
  const found = await get('&genre=201,202');
  expect(found.entries).toEqual(entries.filter(({ genre }) => genre === 201 || genre === 202));
  expect(found.unknown.toSorted()).toEqual(ncodesOf(lacking));
  const short = lacking.filter(({ noveltype }) => noveltype === 2);
  expect(short.length * (lacking.length - short.length)).toBeGreaterThan(0);
  expect((await get('&genre=201,202&worktype=t')).unknown.toSorted()).toEqual(ncodesOf(short));
  await service.close();
});

it('rankings of a span are written one a turn of the event loop, between the requests of others', async () => {
  let turns = 0;
  let waiting = 0;
  let mostWaiting = 0;
  class CountedTurns extends Admission {
    override async nextTurn(...turn: Parameters<Admission['nextTurn']>): Promise<void> {
      turns += 1;
      mostWaiting = Math.max(mostWaiting, ++waiting);
      await super.nextTurn(...turn);
      waiting -= 1;
    }
  }
  const service = await startOn('sample', { admission: new CountedTurns({}) });
  const turnsOf = async (to: string, minlen: number) => {
    [turns, mostWaiting] = [0, 0];
    const span = `/v1/rankings/monthly/hydrated?from=2025-01-01&to=${to}&of=t&minlen=${minlen}`;
    const { body } = await service.get(span);
    return { turns, rankings: (body.data as unknown[]).length };
  };
  // The raw rankings and their novels are cached then.
  for (const to of ['2025-01-01', '2026-10-01']) await turnsOf(to, 1);
  const [one, many] = [await turnsOf('2025-01-01', 2), await turnsOf('2026-10-01', 2)];
  expect([one.rankings, many.rankings]).toEqual([1, 22]);
  // Each is waited for.
  expect(mostWaiting).toBe(1);
  // Each batch of novels is one, too.
  expect(many.turns - one.turns).toBeGreaterThanOrEqual(21);
  await service.close();
});

it('without the ranking before, order=rise is a fault of the upstream: the ranking asked for is published', async () => {
  const service = await startTestCatalogue({
    sourceOver: (upstream) => ({
      ...upstream,
      getRanking: (type, date, requester) =>
        date === '2026-11-20'
          ? Promise.resolve({ absent: 'not_returned' })
          : upstream.getRanking(type, date, requester),
    }),
  });
  // At five in Japan that of the day is made, and that of the day before is not overdue.
  service.setTime(Date.parse('2026-11-21T05:00:00+09:00'));
  const path = '/v1/rankings/daily/hydrated?date=2026-11-21&of=t';
  expect((await service.get(path)).status).toBe(200);
  const { status, body } = await service.get(`${path}&order=rise`);
  await service.close();
  expect([status, body.error.code]).toEqual([502, 'upstream_invalid']);
});
