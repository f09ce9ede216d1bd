import { describe, expect, it } from 'vitest';
import { startLoopbackUpstream } from '../../../../../test/catalogue/loopback-upstream.ts';
import { untilTestEnds } from '../../../../../test/http/serve-http.ts';
import { startCatalogue } from '../main.ts';
import { recordByHand } from '../../../test/catalogue/search-by-hand.ts';
import { omit } from '../../../../narou/test/invented-records.ts';
import { SOURCES, itRequesting, serviceOn } from '../../../test/catalogue/three-sources.ts';

describe.each(SOURCES)('on %s', (source) => {
  const service = serviceOn(source);

  type Entry = Record<string, unknown> & { rank: number; pt: number; ncode: string };

  /** The raw ranking with the novels joined by hand. */
  async function joinedByHand(path: string, of: string | undefined): Promise<Entry[]> {
    const raw = (await service.get(path)).body.data as Entry[];
    const novels = new Map(service.catalogue.novels().map((novel) => [novel.ncode, novel]));
    return raw.map((entry) => {
      const novel = novels.get(entry.ncode);
      return novel ? { ...recordByHand(novel, of), ...entry } : entry;
    });
  }

  it.each([undefined, 't-w-g', 'n', 'nt', 't-t-n'])(
    'the ranking is joined with its novels by code (of=%s)',
    async (of) => {
      const date = '2026-06-01';
      const path = `/v1/rankings/monthly`;
      const { body } = await service.get(
        `${path}/hydrated?date=${date}${of === undefined ? '' : `&of=${of}`}`,
      );
      expect(body.meta).toMatchObject({ source: 'hydrated', date });
      const entries = (body.data as Entry[]).map((entry) => omit(entry, 'genre_label'));
      expect(entries).toEqual(await joinedByHand(`${path}?date=${date}`, of));
      expect(entries).toHaveLength(300);
    },
  );

  it('a ranked novel that has been deleted keeps rank, pt and ncode alone', async () => {
    const { body } = await service.get('/v1/rankings/quarterly/hydrated?date=2026-01-01&of=t');
    const entries = body.data as Entry[];
    const knownNcodes = new Set(service.catalogue.novels().map((novel) => novel.ncode));
    const deleted = entries.filter((entry) => !knownNcodes.has(entry.ncode));
    expect(deleted.length).toBeGreaterThan(0);
    for (const entry of deleted) expect(Object.keys(entry)).toEqual(['rank', 'pt', 'ncode']);
    const living = entries.filter((entry) => knownNcodes.has(entry.ncode));
    for (const entry of living) expect(Object.keys(entry)).toEqual(['rank', 'pt', 'ncode', 'title']);
  });

  itRequesting(source)('costs two upstream requests, the second for the batch of novels', async () => {
    const before = service.upstream.requestCount();
    await service.get('/v1/rankings/daily/hydrated?date=2026-06-05&of=t');
    expect(service.upstream.requestCount() - before).toBe(2);
    const query = new URLSearchParams(service.upstream.requests().at(-1)?.query);
    expect(query.get('lim')).toBe('300');
    expect(query.get('ncode')?.split('-')).toHaveLength(300);
  });

  it('without a date the newest is served', async () => {
    expect((await service.get('/v1/rankings/weekly/hydrated?of=t')).body.meta.date).toBe('2026-11-16');
  });

  it('faults of date and of are reported together', async () => {
    const { status, body } = await service.get('/v1/rankings/weekly/hydrated?of=zz&date=2026-11-17');
    expect(status).toBe(400);
    expect(body.error.details.map((fault) => fault.parameter).sort()).toEqual(['date', 'of']);
  });

  it('a ranking that is not published has no novels either', async () => {
    const { status, body } = await service.get('/v1/rankings/daily/hydrated?date=2027-01-01');
    expect([status, body.error.code]).toEqual([404, 'ranking_not_published']);
  });
});

it('a novel of whose requested fields none is readable is unknown, and not withdrawn', async () => {
  const rows = new Map(Object.entries({ N0001A: ['no title'], N0002A: 'Rain' }));
  const { url } = await startLoopbackUpstream(({ path, query }, response) => {
    if (path === '/rank/rankget/')
      return response.end(
        JSON.stringify([1, 2, 3].map((rank) => ({ ncode: `N000${rank}A`, pt: 9 - rank, rank }))),
      );
    const end = query.get('order') === 'ncodedesc' ? 'N9999ZZ' : 'N0000A';
    const found = (query.get('ncode')?.split('-') ?? [end]).filter((ncode) => ncode !== 'N0003A');
    const novels = found.map((ncode) => ({ ncode, title: rows.get(ncode) ?? 'End', genre: 201 }));
    response.end(JSON.stringify([{ allcount: novels.length }, ...novels]));
  });
  const settings = { CATALOGUE_PORT: '0', LOG_LEVEL: 'silent', CATALOGUE_SOURCE: 'narou' };
  const started = await startCatalogue({
    ...settings,
    NAROU_BASE_URL: url,
    NAROU_CONTACT: 'https://a.example',
  });
  const { address } = untilTestEnds(started);
  const get = async (query: string) => {
    const response = await fetch(`${address}/v1/rankings/daily/hydrated?date=2026-06-05&${query}`);
    const { data } = (await response.json()) as { data: object[] };
    return data;
  };
  const entries = [1, 2, 3].map((rank) => ({ rank, pt: 9 - rank, ncode: `N000${rank}A` }));
  const [unread, read, gone] = entries;
  const found = [
    { ...unread, unknown: 'upstream_invalid' },
    { ...read, title: 'Rain' },
  ];
  expect(await get('of=t')).toEqual([...found, gone]);
  expect(await get('of=t&genre=201')).toEqual(found);
  expect(await get('of=n')).toEqual(entries);
});
