import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { OF_CODES, recordByHand, searchByHand } from '../../../test/catalogue/search-by-hand.ts';
import type { SearchParameters } from '../../../test/catalogue/search-by-hand.ts';
import { omit } from '../../../../narou/test/invented-records.ts';
import { startTestCatalogue } from '../../../test/catalogue/start-test-catalogue.ts';
import type { TestCatalogue } from '../../../test/catalogue/start-test-catalogue.ts';
import { SOURCES, ordersOn, requestsOn, startOn } from '../../../test/catalogue/three-sources.ts';
import { BIGGENRES, GENRES, GENRE_LABELS, dateOfDay, dayOfDate, NOVELAPI_ORDERS } from '@mokuroku/narou';
import { TIME_WORDS } from '../../../../narou/src/novels/search-conditions.ts';

describe.each(SOURCES)('on %s', (source) => {
  let service: TestCatalogue;
  beforeAll(async () => {
    // No ceiling on the start position, so that every page can be looked at.
    service = await startOn(source, { switches: { stBeyondWindow: 'serve' }, maxStart: null });
  });
  afterAll(() => service.close());

  /** The time of the clock: noon in Japan on Saturday, 21 November 2026, in seconds. */
  const NOON = Date.parse('2026-11-21T12:00:00+09:00') / 1000;
  const TODAY = dayOfDate('2026-11-21') ?? 0;

  const url = (requested: SearchParameters) => `/v1/novels?${new URLSearchParams(requested).toString()}`;

  /** Every documented parameter, in combinations, with values of the sample. */
  function questions(): fc.Arbitrary<SearchParameters> {
    const novels = service.catalogue.novels();
    const some = <Value>(values: readonly Value[]) => fc.constantFrom(...values);
    const lists = (values: readonly (string | number)[], maxLength: number) =>
      fc.array(some(values), { minLength: 1, maxLength }).map((items) => items.join(','));
    const word = some(novels).chain((novel) =>
      fc.constantFrom(
        novel.title.slice(0, 2),
        novel.writer,
        novel.keyword.split(' ')[0] ?? '',
        novel.story.slice(3, 5),
        novel.ncode,
      ),
    );
    const words = fc
      .array(
        word.filter((text) => text.trim() !== ''),
        { minLength: 1, maxLength: 2 },
      )
      .chain((items) => fc.constantFrom(items.join(' '), items.join('　')));
    const flag = fc.constantFrom('0', '1');
    const codes = (table: readonly { code: number }[]) =>
      lists(
        table.map((row) => row.code),
        4,
      );
    const rarely = fc.constant('1');
    const rangeOf = (least: number, most: number) =>
      fc
        .tuple(
          fc.integer({ min: least, max: most }),
          fc.integer({ min: 0, max: most }),
          fc.constantFrom(0, 1, 2, 3),
        )
        .map(
          ([from, more, form]) => [`${from}`, `${from}-`, `-${from}`, `${from}-${from + more}`][form] ?? '',
        );
    const day = fc.integer({ min: 0, max: 900 }).map((back) => dateOfDay(TODAY - back));
    const days = fc.tuple(day, day).map((two) => two.sort().join(','));
    const spans = fc.oneof(
      fc.constantFrom(...TIME_WORDS),
      days,
      fc.integer({ min: 0, max: 400 }).map((back) => `${NOON - back * 86_400}-${NOON}`),
    );
    // The upstream takes one way of saying length or time, not several together.
    const bounds = (name: string) => ({
      [`min${name}`]: fc.integer({ min: 0, max: 500 }).map((n) => String(n * (name === 'len' ? 100 : 1))),
      [`max${name}`]: fc.integer({ min: 500, max: 9_000 }).map((n) => String(n * (name === 'len' ? 100 : 1))),
    });
    return fc
      .constantFrom(
        bounds('len'),
        bounds('time'),
        { length: rangeOf(0, 500_000) },
        { time: rangeOf(0, 1_000) },
      )
      .chain((lengths: Record<string, fc.Arbitrary<string>>) =>
        fc
          .record(
            {
              word: words,
              notword: words,
              title: flag,
              ex: flag,
              keyword: flag,
              wname: flag,
              genre: codes(GENRES),
              notgenre: codes(GENRES),
              biggenre: codes(BIGGENRES),
              notbiggenre: codes(BIGGENRES),
              userid: lists(
                novels.map((novel) => novel.userid),
                3,
              ),
              ncode: lists(
                novels.map((novel) => novel.ncode),
                60,
              ),
              type: fc.constantFrom('t', 'r', 'er', 're', 'ter'),
              ...lengths,
              kaiwaritu: rangeOf(0, 80),
              sasie: rangeOf(0, 20),
              lastup: spans,
              lastupdate: spans,
              firstup: days,
              ...(source !== 'local' && { buntai: lists([1, 2, 4, 6], 3) }),
              ispickup: rarely,
              istt: rarely,
              stop: fc.constantFrom('1', '2'),
              isr15: rarely,
              notr15: rarely,
              iszankoku: rarely,
              nottensei: rarely,
              notbl: rarely,
              istenni: rarely,
              order: fc.constantFrom(...ordersOn(source === 'upstream', NOVELAPI_ORDERS)),
              lim: fc.integer({ min: 1, max: 120 }).map(String),
              st: fc.integer({ min: 1, max: 3_600 }).map(String),
              of: fc
                .uniqueArray(some(OF_CODES.filter((code) => code !== 'ng')), { minLength: 1, maxLength: 8 })
                .map((each) => each.join('-')),
            },
            { requiredKeys: [] },
          )
          // With every parameter at once nothing would match, so only a few are combined.
          .chain((all) => {
            const names = Object.keys(all);
            return fc
              .subarray(names, { maxLength: Math.min(names.length, 4) })
              .map((selected) =>
                Object.fromEntries(Object.entries(all).filter(([name]) => selected.includes(name))),
              );
          }),
      );
  }

  describe('a search', () => {
    it('returns what a plain filter over the catalogue returns, in its order, with the selected fields', async () => {
      await fc.assert(
        fc.asyncProperty(questions(), async (sent) => {
          const { status, body } = await service.get(url(sent));
          expect(status).toBe(200);
          const byHand = searchByHand(service.catalogue.novels(), sent);
          expect(body.meta.upstreamAllCount).toBe(byHand.all);
          const records = (body.data as Record<string, unknown>[]).map((record) =>
            omit(record, 'genre_label'),
          );
          expect(records).toEqual(byHand.items.map((novel) => recordByHand(novel, sent['of'])));
        }),
        { numRuns: source === 'upstream' ? 120 : 40 },
      );
    });

    it.each(ordersOn(source === 'upstream', NOVELAPI_ORDERS))(
      'begins in the order %s like a plain sort',
      async (order) => {
        const { body } = await service.get(`/v1/novels?of=n&lim=60&order=${order}`);
        const byHand = searchByHand(service.catalogue.novels(), { order, lim: '60' });
        expect(body.data).toEqual(byHand.items.map(({ ncode }) => ({ ncode })));
      },
    );

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
      ];
      const answers = await Promise.all(ways.map((way) => service.get(`/v1/novels?${way}`)));
      const again = await service.get(`/v1/novels?${ways[1] ?? ''}`);
      expect(service.upstream.requestCount() - before).toBe(requestsOn(source, 1));
      expect(new Set(answers.map((answer) => JSON.stringify(answer.body.data))).size).toBe(1);
      expect(again.body.meta.cached).toBe(true);
      expect(answers[3]?.body.meta.ignored).toEqual(['foo']);
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
      const live = await startTestCatalogue({ maxStart: 2_000 });
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
  const ncodes = service.catalogue
    .novels()
    .slice(0, 2)
    .map(({ ncode }) => ncode);
  const path = `/v1/novels?of=n&ncode=${ncodes.join()}`;
  expect((await service.get(`${path}&format=csv`)).headers['x-incomplete']).toBe('unreadable=1');
  const { body, headers } = await service.get(path);
  expect([
    new Set((body.data as { ncode: string }[]).map(({ ncode }) => ncode)),
    body.meta.unreadable,
  ]).toEqual([new Set(ncodes), 1]);
  expect(headers['cache-control']).toMatch(/^public, max-age=60\b/);
});
