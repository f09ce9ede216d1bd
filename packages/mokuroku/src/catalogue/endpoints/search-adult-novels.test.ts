import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordByHand, searchByHand } from '../../../test/catalogue/search-by-hand.ts';
import type { SearchParameters } from '../../../test/catalogue/search-by-hand.ts';
import { randomSearches } from '../../../test/catalogue/random-searches.ts';
import { omit } from '../../../../narou/test/invented-records.ts';
import { SOURCES, itRequesting, serviceOn, ordersOn } from '../../../test/catalogue/three-sources.ts';
import { NOCGENRE_LABELS, NOVEL18API_ORDERS } from '@mokuroku/narou';

describe.each(SOURCES)('on %s', (source) => {
  const service = serviceOn(source);

  describe('a search of adult novels', () => {
    it('returns what a plain filter returns, metadata only', async () => {
      const novels = service.catalogue.adultNovels();
      const orders = ordersOn(source === 'upstream', NOVEL18API_ORDERS);
      const search = async (sent: SearchParameters) => {
        const { status, body } = await service.get(`/v1/r18/novels?${new URLSearchParams(sent).toString()}`);
        expect(status, JSON.stringify(sent)).toBe(200);
        const byHand = searchByHand(novels, sent);
        expect(body.meta).toMatchObject({ source: 'novel18api', upstreamAllCount: byHand.all });
        const records = (body.data as Record<string, unknown>[]).map((record) =>
          omit(record, 'nocgenre_label'),
        );
        expect(records).toEqual(byHand.items.map((novel) => recordByHand(novel, sent['of'])));
      };
      await fc.assert(
        fc.asyncProperty(randomSearches(service, 'novel18api', orders), async (searches) => {
          for (const sent of searches) await search(sent);
        }),
        { numRuns: 2, endOnFailure: true },
      );
    });

    it('has the adult genre with its label, by `ng` or without `of`', async () => {
      for (const query of ['', '&of=ng']) {
        const { body } = await service.get(`/v1/r18/novels?lim=3${query}`);
        for (const novel of body.data as Record<string, unknown>[]) {
          expect(novel['nocgenre_label']).toBe(NOCGENRE_LABELS.get(novel['nocgenre'] as number));
        }
      }
    });

    it('never forwards the filters that its upstream lacks, and lists them as ignored', async () => {
      service.upstream.switches.unknownParameter = 'error';
      const query = 'userid=1&genre=101&notgenre=x&biggenre=1&notbiggenre=2&lim=1&typo=1';
      const { status, body } = await service.get(`/v1/r18/novels?${query}`);
      expect(status).toBe(200);
      expect(body.meta.ignored).toEqual(['userid', 'genre', 'notgenre', 'biggenre', 'notbiggenre', 'typo']);
      if (source === 'upstream')
        expect(service.upstream.requests().at(-1)?.query).not.toMatch(/genre=|userid=|typo/);
      expect((await service.get('/v1/r18/novels?lim=1')).body.meta.cached).toBe(true);
    });

    it.each(['u', 'bg', 'g', 'ir', 'u-bg-g-ir'])(
      'rejects of=%s, which selects no field, with the reason',
      async (of) => {
        const { body } = await service.get(`/v1/r18/novels?lim=2&of=${of}`);
        expect([body.data, body.meta.ignored]).toEqual([[{}, {}], [`of=${of}`]]);
      },
    );

    it('lists the omitted codes, and no others', async () => {
      const some = await service.get('/v1/r18/novels?lim=2&of=t-g-n-u&typo=1');
      expect(some.body.meta.ignored).toEqual(['typo', 'of=u-g']);
      expect(some.body.data).toEqual((await service.get('/v1/r18/novels?lim=2&of=t-n')).body.data);
      expect((await service.get('/v1/r18/novels?lim=2&of=t-n-ng')).body.meta.ignored).toBeUndefined();
      const table = await service.get('/v1/r18/novels?lim=2&of=t-g&format=csv');
      expect(table.headers['x-ignored']).toBe('of%3Dg');
      expect(table.text.split('\r\n')[0]).toBe('title');
      // A feed has fields of its own: the whole parameter has no effect.
      const feed = await service.get('/v1/r18/novels?lim=2&of=t-g&format=atom');
      expect(feed.headers['x-ignored']).toBe('of');
    });

    it('rejects orders and codes that only general novels have', async () => {
      const { status, body } = await service.get('/v1/r18/novels?order=ncodeasc&nocgenre=5&of=zz');
      expect(status).toBe(400);
      expect(body.error.details.map((fault) => fault.parameter)).toEqual(['order', 'nocgenre', 'of']);
    });

    itRequesting(source)('queries only the adult interface', async () => {
      const before = service.upstream.requestCount();
      await service.get('/v1/r18/novels?word=a');
      await service.get('/v1/r18/novels/N0001ZZ');
      const paths = service.upstream
        .requests()
        .slice(before - service.upstream.requestCount())
        .map((request) => request.path);
      expect(new Set(paths)).toEqual(new Set(['/novel18api/api/']));
    });
  });
});
