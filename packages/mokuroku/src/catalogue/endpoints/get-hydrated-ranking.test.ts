import { describe, expect, it } from 'vitest';
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
