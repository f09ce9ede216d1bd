import fc from 'fast-check';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { OF_CODES, recordByHand, searchByHand } from '../../../test/catalogue/search-by-hand.ts';
import type { SearchParameters } from '../../../test/catalogue/search-by-hand.ts';
import { omit } from '../../../../narou/test/invented-records.ts';
import { startTestCatalogue } from '../../../test/catalogue/start-test-catalogue.ts';
import type { TestCatalogue } from '../../../test/catalogue/start-test-catalogue.ts';
import { SOURCES, ordersOn, requestsOn, startOn } from '../../../test/catalogue/three-sources.ts';
import { randomSearches } from '../../../test/catalogue/random-searches.ts';
import { GENRE_LABELS, NOVELAPI_ORDERS } from '@mokuroku/narou';

describe.each(SOURCES)('on %s', (source) => {
  let service: TestCatalogue;
  beforeAll(async () => {
    // No ceiling on the start position, so that every page can be looked at.
    service = await startOn(source, { switches: { stBeyondWindow: 'serve' }, maxStart: null });
    return service.close;
  });

  const url = (requested: SearchParameters) => `/v1/novels?${new URLSearchParams(requested).toString()}`;

  const orders = ordersOn(source === 'upstream', NOVELAPI_ORDERS);

  describe('a search', () => {
    it('returns what a plain filter over the catalogue returns, in its order, with the selected fields', async () => {
      const search = async (sent: SearchParameters) => {
        const { status, body } = await service.get(url(sent));
        const byHand = searchByHand(service.catalogue.novels(), sent);
        expect([status, body.meta.upstreamAllCount], JSON.stringify(sent)).toEqual([200, byHand.all]);
        const records = (body.data as Record<string, unknown>[]).map((record) => omit(record, 'genre_label'));
        const expected = byHand.items.map((novel) => recordByHand(novel, sent['of']));
        expect(records, JSON.stringify(sent)).toEqual(expected);
      };
      await fc.assert(
        fc.asyncProperty(randomSearches(service, 'novelapi', orders), async (searches) => {
          for (const sent of searches) await search(sent);
        }),
        { numRuns: source === 'upstream' ? 3 : 2, endOnFailure: true },
      );
    });

    it.each(orders)('begins in the order %s like a plain sort', async (order) => {
      const { body } = await service.get(`/v1/novels?of=n&lim=60&order=${order}`);
      const byHand = searchByHand(service.catalogue.novels(), { order, lim: '60' });
      expect(body.data).toEqual(byHand.items.map(({ ncode }) => ({ ncode })));
    });

    it('without parameters returns the 20 newest with all fields and the number of matches', async () => {
      const { body } = await service.get('/v1/novels');
      expect(body.data).toHaveLength(20);
      expect(body.meta).toMatchObject({
        source: 'novelapi',
        upstreamAllCount: service.catalogue.novels().length,
      });
      for (const novel of body.data as Record<string, unknown>[]) {
        expect(novel['genre_label']).toBe(GENRE_LABELS.get(novel['genre'] as number));
        expect(novel).not.toHaveProperty('novel_type');
      }
    });

    it('returns one field for each of the 37 codes', async () => {
      for (const code of OF_CODES.filter((each) => each !== 'ng')) {
        const { body } = await service.get(`/v1/novels?lim=1&of=${code}`);
        const names = Object.keys((body.data as object[])[0] ?? {});
        const [expected] = Object.keys(recordByHand(service.catalogue.novels()[0] as never, code));
        expect(names).toEqual(code === 'g' ? ['genre', 'genre_label'] : [expected]);
      }
    });

    it('is one upstream request for all equivalent queries, and one for simultaneous ones', async () => {
      const before = service.upstream.requestCount();
      const ways = [
        'lim=7&genre=101,201',
        'genre=201,101,201&lim=007',
        'st=1&genre=101,201&lim=7&order=new',
        'lim=7&genre=201,101&foo=1',
        'lim=7&genre=201,101&wname=1&ex=0&title=1',
      ];
      const answers = await Promise.all(ways.map((way) => service.get(`/v1/novels?${way}`)));
      const again = await service.get(`/v1/novels?${ways[1] ?? ''}`);
      expect(service.upstream.requestCount() - before).toBe(requestsOn(source, 1));
      expect(new Set(answers.map((answer) => JSON.stringify(answer.body.data))).size).toBe(1);
      expect(again.body.meta.cached).toBe(true);
      expect(answers[3]?.body.meta.ignored).toEqual(['foo']);
      expect(answers[4]?.body.meta.ignored, 'targets without words').toEqual(['title', 'wname']);
      const { ncode } = service.catalogue.novels()[0]!;
      const named = (await service.get(`/v1/novels?word=${ncode}&title=1`)).body;
      expect([named.meta.upstreamAllCount, named.meta.ignored], 'an Ncode').toEqual([1, ['title']]);
      const { meta } = (await service.get('/v1/novels?notword=a&title=1&lim=1')).body;
      expect(meta, 'a target with a word').not.toHaveProperty('ignored');
      expect(again.body.meta).not.toHaveProperty('ignored');
    });

    it('of 500 Ncodes returns all of them with one upstream request; 501 are rejected', async () => {
      const codes = service.catalogue
        .novels()
        .slice(0, 501)
        .map((novel) => novel.ncode);
      const before = service.upstream.requestCount();
      const { body } = await service.get(
        `/v1/novels?of=n&ncode=${codes.slice(0, 500).join(',').toLowerCase()}`,
      );
      expect((body.data as { ncode: string }[]).map((novel) => novel.ncode).sort()).toEqual(
        codes.slice(0, 500).sort(),
      );
      expect(service.upstream.requestCount() - before).toBe(requestsOn(source, 1));
      const refused = await service.get(`/v1/novels?ncode=${codes.join('%2C')}`);
      expect(refused.status).toBe(400);
      expect(refused.body.error.details[0]?.['reason']).toBe('501 codes, more than 500');
    });

    it('with several words matches nothing if one of them occurs nowhere', async () => {
      const { body } = await service.get('/v1/novels?word=%E9%BE%98%E9%BE%98%E9%BE%98');
      expect(body).toMatchObject({ data: [], meta: { upstreamAllCount: 0 } });
    });
  });

  describe('an invalid search', () => {
    it('causes no upstream request', async () => {
      const before = service.upstream.requestCount();
      const { status, body } = await service.get('/v1/novels?lim=501&st=0');
      expect([status, body.error.code]).toEqual([400, 'invalid_parameter']);
      expect(service.upstream.requestCount()).toBe(before);
    });
  });

  describe('a start position above 2000', () => {
    it('is rejected with the reason if the upstream cannot serve it, and served if it can', async () => {
      const live = await startTestCatalogue();
      const { status, body } = await live.get('/v1/novels?st=2001');
      await live.close();
      expect(status).toBe(400);
      expect(body.error.details[0]).toMatchObject({
        parameter: 'st',
        given: '2001',
        allowed: 'a whole number from 1 to 2000, in digits',
      });
      expect((await service.get('/v1/novels?st=2001&lim=1')).body.data).toHaveLength(1);
    });
  });

  describe('additional fields', () => {
    it.each(['', '&of=t', '&of=n-w'])('opt=weekly adds the unique readers of last week (%s)', async (of) => {
      const { body } = await service.get(`/v1/novels?lim=5&order=weekly&opt=weekly${of}`);
      const byHand = searchByHand(service.catalogue.novels(), { order: 'weekly', lim: '5' });
      expect((body.data as { weekly_unique: number }[]).map((novel) => novel.weekly_unique)).toEqual(
        byHand.items.map((novel) => novel.weekly_unique),
      );
      const without = await service.get(`/v1/novels?lim=5&order=weekly${of}`);
      expect(Object.keys((without.body.data as object[])[0] ?? {})).not.toContain('weekly_unique');
    });

    it.each([
      'lastup=1960-01-01,1969-12-31',
      'firstup=0001-01-01,0001-01-02',
      'lastupdate=9998-01-01,9999-12-31',
      'minlen=9999999999',
      'st=9999999999',
    ])('%s finds nothing, however far it exceeds all values', async (condition) => {
      const { status, body } = await service.get(`/v1/novels?lim=1&${condition}`);
      expect(status).toBe(200);
      expect(body.data).toEqual([]);
    });

    it.each(['lastup=1960-01-01,9999-12-31', 'firstup=0001-01-01,2026-11-21', 'maxlen=9999999999'])(
      '%s finds all',
      async (condition) => {
        const { body } = await service.get(`/v1/novels?lim=1&of=n&${condition}`);
        expect(body.meta['upstreamAllCount']).toBe(service.catalogue.novels().length);
      },
    );

    it.each(['minlen', 'maxtime', 'st'])('%s of eleven digits is rejected', async (name) => {
      const { status, body } = await service.get(`/v1/novels?${name}=10000000000`);
      expect(status).toBe(400);
      expect(body.error.details[0]).toMatchObject({ parameter: name, reason: 'must be at most 9999999999' });
    });

    it('combinations that the upstream rejects are a 400 with the reason', async () => {
      const { status, body } = await service.get('/v1/novels?length=1-&minlen=5&maxtime=3');
      expect(status).toBe(400);
      expect(body.error.details.map(({ parameter, reason }) => [parameter, reason])).toEqual([
        ['length', 'the upstream does not accept it together with minlen'],
        ['maxtime', 'the upstream does not accept it together with length, minlen'],
      ]);
    });
  });
});

it('a list names the number of rows that it lacks, and is cached for a minute', async () => {
  const service = await startTestCatalogue({ switches: { doubledRows: true } });
  onTestFinished(() => service.close());
  const path = `/v1/novels?of=n&lim=500&userid=${service.catalogue.novels()[0]!.userid}`;
  expect((await service.get(`${path}&format=csv`)).headers['x-incomplete']).toBe('unreadable=1');
  const { body, headers } = await service.get(path);
  const ncodes = (body.data as { ncode: string }[]).map(({ ncode }) => ncode);
  expect([new Set(ncodes).size, body.meta.unreadable]).toEqual([ncodes.length, 1]);
  expect(headers['cache-control']).toMatch(/^public, max-age=60\b/);
});

it('has another validator once the count is another, so that no 304 keeps an old one', async () => {
  let allCount = 700;
  const service = await startTestCatalogue({
    sourceOver: ({ novels, ...source }) => {
      const search: typeof novels.novelapi.search = async (...asked) => ({
        ...(await novels.novelapi.search(...asked)),
        allCount,
      });
      return { ...source, novels: { ...novels, novelapi: { ...novels.novelapi, search } } };
    },
  });
  onTestFinished(() => service.close());
  const first = await service.get('/v1/novels?lim=1&of=n&order=ncodeasc');
  const again = () =>
    service.get('/v1/novels?lim=1&of=n&order=ncodeasc', {
      headers: { 'if-none-match': first.headers.etag ?? '' },
    });
  service.advance(3_600);
  expect((await again()).status).toBe(304);
  allCount++;
  service.advance(3_600);
  const { status, body } = await again();
  expect([status, body.meta.upstreamAllCount]).toEqual([200, 701]);
});
