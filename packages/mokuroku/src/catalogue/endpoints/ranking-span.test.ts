import { describe, expect, it, onTestFinished } from 'vitest';
import { TEST_NOW, startTestCatalogue } from '../../../test/catalogue/start-test-catalogue.ts';
import { SOURCES, itRequesting, requestsOn, serviceOn } from '../../../test/catalogue/three-sources.ts';
import { ServiceError } from '@mokuroku/kit';
import type { TestCatalogue } from '../../../test/catalogue/start-test-catalogue.ts';
import { NOVEL_ERRORS } from '@mokuroku/narou';

interface Dated {
  date: string;
  entries: unknown[];
}
const rankingsOf = (service: TestCatalogue) => async (type: string, query: string) =>
  (await service.get(`/v1/rankings/${type}?${query}`)).body.data as Dated[];
const datesOf = (rankings: Dated[]) => rankings.map(({ date }) => date);

describe.each(SOURCES)('on %s', (source) => {
  describe('several rankings in one request', () => {
    const service = serviceOn(source);
    const between = rankingsOf(service);

    it.each([
      ['daily', 'from=2026-02-27&to=2026-03-01', ['2026-02-27', '2026-02-28', '2026-03-01']],
      [
        'weekly',
        'from=2026-03-01&to=2026-03-31',
        ['2026-03-02', '2026-03-09', '2026-03-16', '2026-03-23', '2026-03-30'],
      ],
      ['weekly', 'from=2026-03-02&to=2026-03-02', ['2026-03-02']],
      ['monthly', 'from=2026-01-02&to=2026-03-01', ['2026-02-01', '2026-03-01']],
      ['quarterly', 'from=2026-03-02&to=2026-03-31', []],
      ['daily', 'from=2013-05-01&to=2013-05-01', ['2013-05-01']],
      ['daily', 'from=2026-11-20', ['2026-11-20', '2026-11-21']],
      ['daily', 'from=2026-11-20&to=2027-01-01', ['2026-11-20', '2026-11-21']],
      ['monthly', 'from=2027-01-01', []],
    ])('%s %s are those of %j', async (type, query, dates) => {
      const rankings = await between(type, query);
      expect(datesOf(rankings)).toEqual(dates);
      for (const { date, entries } of rankings) {
        const own = await service.get(`/v1/rankings/${type}?date=${date}`);
        expect([own.body.meta.cached, own.body.data]).toEqual([true, entries]);
      }
    });

    it.each(['daily?', 'daily/hydrated?of=t&'])(
      '%s: in CSV, rows with the date of their ranking',
      async (path) => {
        const query = 'from=2026-03-01&to=2026-03-02&lim=1&format=csv';
        const { text } = await service.get(`/v1/rankings/${path}${query}`);
        const rows = text.split('\r\n').map((row) => row.split(',', 2).join());
        expect(rows).toEqual(['date,rank', '2026-03-01,1', '2026-03-02,1', '']);
      },
    );

    it('as a feed have the titles of their novels', async () => {
      const span = 'from=2026-11-18&to=2026-11-19&lim=3&format=atom';
      const titlesAt = async (path: string) =>
        [...(await service.get(`${path}?${span}`)).text.matchAll(/<title>(\d\. .*)<\/title>/g)].map(
          ([, title]) => title,
        );
      const titles = await titlesAt('/v1/rankings/daily');
      expect(titles).toHaveLength(6);
      expect(titles[0]).not.toMatch(/N\d/);
      expect(await titlesAt('/v1/rankings/daily/hydrated')).toEqual(titles);
    });
  });

  describe('an invalid range of dates', () => {
    const service = serviceOn(source);
    const between = rankingsOf(service);

    it.each([
      ['from=2026-03-01&to=2026-02-01', ['to']],
      ['from=2026-02-30', ['from']],
      ['from=x&to=y', ['from', 'to']],
      ['from=2013-04-30&to=2013-05-02', ['from']],
      ['to=2026-03-01', ['from']],
      ['from=2026-03-01&date=2026-03-01', ['from']],
      ['from=2026-03-01&date=x', ['date', 'from']],
    ])('%s is rejected: %j', async (query, parameters) => {
      const before = service.upstream.requestCount();
      const { status, body } = await service.get(`/v1/rankings/daily?${query}`);
      expect([status, body.error.details.map(({ parameter }) => parameter)]).toEqual([400, parameters]);
      expect(service.upstream.requestCount()).toBe(before);
    });

    it('is rejected with the nearest days', async () => {
      const { body } = await service.get('/v1/rankings/monthly?from=2026-02-30&to=2013-04-30');
      const nearest = body.error.details.map((fault) => fault['nearest']);
      expect(nearest).toEqual([['2026-02-28', '2026-03-01'], ['2013-05-01']]);
    });

    it.each([
      ['daily', '2026-01-01', '2026-01-31', '2026-02-01'],
      ['weekly', '2026-01-01', '2026-08-03', '2026-08-10'],
      ['weekly/hydrated', '2026-01-01', '2026-08-03', '2026-08-10'],
    ])(
      'more than 31 %s rankings from %s are rejected, with the last valid end date',
      async (type, from, last, over) => {
        const { status, body } = await service.get(`/v1/rankings/${type}?from=${from}&to=${over}`);
        expect(status).toBe(400);
        expect(body.error.details).toMatchObject([{ parameter: 'to', nearest: [last] }]);
        expect(await between(type, `from=${from}&to=${last}&lim=10`)).toHaveLength(31);
      },
    );
  });

  describe('several rankings in one request', () => {
    const service = serviceOn(source, 'test');
    const between = rankingsOf(service);

    it('cost one upstream request for each that is not cached', async () => {
      await service.get('/v1/rankings/daily?date=2026-03-05');
      await service.get('/v1/rankings/daily/hydrated?date=2026-03-06&of=t');
      const before = service.upstream.requestCount();
      expect(await between('daily', 'from=2026-03-01&to=2026-03-31')).toHaveLength(31);
      expect(service.upstream.requestCount() - before).toBe(requestsOn(source, 29));
      const { headers } = await service.get('/v1/rankings/daily?from=2026-03-10&to=2026-03-20');
      expect(headers['cache-status']).toMatch(/; hit; ttl=\d+$/);
      expect(service.upstream.requestCount() - before).toBe(requestsOn(source, 29));
    });

    it('and single ones can be limited to their first places, without further upstream requests', async () => {
      const firstOf = async (path: string): Promise<unknown> =>
        (await service.get(`/v1/rankings/${path}`)).body.data;
      const rankings = await between('weekly', 'from=2026-03-01&to=2026-03-31&lim=2');
      expect(rankings.map(({ entries }) => entries.length)).toEqual([2, 2, 2, 2, 2]);
      const before = service.upstream.requestCount();
      const whole = (await firstOf('weekly?date=2026-03-09')) as unknown[];
      expect(rankings[1]).toEqual({ date: '2026-03-09', entries: whole.slice(0, 2) });
      const few = await service.get('/v1/rankings/weekly?date=2026-03-09&lim=3');
      expect([few.body.data, few.headers['x-total-count']]).toEqual([whole.slice(0, 3), '300']);
      expect(service.upstream.requestCount()).toBe(before);
      const titled = (await firstOf('weekly/hydrated?date=2026-03-09&of=t')) as unknown[];
      expect(await firstOf('weekly/hydrated?date=2026-03-09&of=t&lim=3')).toEqual(titled.slice(0, 3));
      expect(await firstOf('weekly/hydrated?from=2026-03-09&to=2026-03-09&of=t&lim=1')).toEqual([
        { date: '2026-03-09', entries: titled.slice(0, 1) },
      ]);
      for (const lim of ['0', '301', 'x']) {
        expect((await service.get(`/v1/rankings/weekly?lim=${lim}`)).status).toBe(400);
      }
    });

    it('are different responses for different numbers of places', async () => {
      const lengths = async (more: string) =>
        (await between('weekly', `from=2026-03-09&to=2026-03-16${more}`)).map(
          ({ entries }) => entries.length,
        );
      expect(await lengths('&lim=2')).toEqual([2, 2]);
      expect(await lengths('')).toEqual([300, 300]);
      expect(await lengths('&lim=3')).toEqual([3, 3]);
      for (const path of ['weekly', 'weekly/hydrated'])
        for (const lim of [2, 3]) {
          const { body } = await service.get(`/v1/rankings/${path}?date=2026-03-09&lim=${lim}`);
          expect(body.data).toHaveLength(lim);
        }
    });

    it('share a response with their novels if only the Ncode is added to of', async () => {
      const path = '/v1/rankings/weekly/hydrated?from=2026-03-09&to=2026-03-16';
      await service.get(`${path}&of=t`);
      const { headers } = await service.get(`${path}&of=n-t`);
      expect(headers['cache-status']).toMatch(/; hit; ttl=\d+$/);
    });

    it.each([
      ['daily', 'from=2026-02-08&to=2026-03-09&lim=20', 1],
      ['quarterly', 'from=2023-10-01&to=2026-03-09', 2],
    ])(
      '%s %s with their novels cost one upstream request for each 500 novels more',
      async (type, query, batches) => {
        const raw = await between(type, query);
        const before = service.upstream.requestCount();
        const rankings = await between(`${type}/hydrated`, `${query}&of=t-g`);
        // A folder does not know the withdrawn ones of each batch: they are requested again, with two witnesses.
        const costs = { sample: 0, upstream: batches, local: batches + 3 };
        expect(service.upstream.requestCount() - before).toBe(costs[source]);
        expect(datesOf(rankings)).toEqual(datesOf(raw));
        const { date, entries } = rankings.at(-1)!;
        const own = await service.get(`/v1/rankings/${type}/hydrated?date=${date}&of=t-g`);
        expect(entries).toEqual((own.body.data as unknown[]).slice(0, entries.length));
      },
    );

    // A folder contains them all, whatever the upstream responds.
    itRequesting(source)(
      'end where the newest is, and name a requested one that is still created',
      async () => {
        service.upstream.switches.rankingReadyHour = 7;
        service.setTime(TEST_NOW - 7 * 3_600_000);
        for (const path of ['daily', 'daily/hydrated']) {
          for (const [to, missing] of [
            ['', undefined],
            ['&to=2026-11-21', ['2026-11-21']],
          ] as const) {
            const { body } = await service.get(`/v1/rankings/${path}?from=2026-11-19${to}`);
            expect(datesOf(body.data as Dated[])).toEqual(['2026-11-19', '2026-11-20']);
            expect(body.meta.missing).toEqual(missing);
            const none = await service.get(`/v1/rankings/${path}?from=2026-11-21${to}`);
            expect([none.body.data, none.body.meta.missing]).toEqual([[], missing]);
          }
          for (const format of ['csv', 'atom']) {
            const span = `from=2026-11-19&to=2026-11-21&format=${format}`;
            const { headers } = await service.get(`/v1/rankings/${path}?${span}`);
            expect(headers['x-incomplete']).toBe('missing=2026-11-21');
          }
        }
        service.advance(3 * 3_600);
        expect(datesOf(await between('daily', 'from=2026-11-19'))).toHaveLength(3);
      },
    );

    itRequesting(source)('have one a minute after its publication, like a single one', async () => {
      service.upstream.switches.rankingReadyHour = 7;
      // 6:59:50 in Japan.
      service.setTime(TEST_NOW - 5 * 3_600_000 - 10_000);
      expect(datesOf(await between('daily', 'from=2026-11-19'))).toHaveLength(2);
      service.advance(61);
      expect(datesOf(await between('daily', 'from=2026-11-19'))).toHaveLength(3);
    });

    itRequesting(source)('fail if a past one fails: a gap would look like a fact', async () => {
      service.upstream.switches.status = 500;
      const { status } = await service.get('/v1/rankings/daily?from=2026-03-01&to=2026-03-02');
      expect(status).toBe(503);
    });
  });
});

it('a ranking that came empty or with holes is named, and requested again after a minute', async () => {
  const requests: string[] = [];
  const service = await startTestCatalogue({
    sourceOver: (source) => ({
      ...source,
      getRanking: (type, date, requester) => {
        requests.push(date);
        return date === '2026-03-02'
          ? Promise.reject(new ServiceError(NOVEL_ERRORS.upstream_invalid))
          : source.getRanking(type, date, requester);
      },
    }),
  });
  onTestFinished(() => service.close());
  const path = '/v1/rankings/daily?from=2026-03-01&to=2026-03-03';
  for (let round = 1; round <= 2; round++) {
    const { status, headers, body } = await service.get(path);
    expect([status, (body.data as { date: string }[]).map(({ date }) => date), body.meta.missing]).toEqual([
      200,
      ['2026-03-01', '2026-03-03'],
      ['2026-03-02'],
    ]);
    expect(headers['cache-control']).toMatch(/^public, max-age=60\b/);
    service.advance(61);
  }
  await expect.poll(() => requests).toEqual(['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-02']);
  const alone = await service.get('/v1/rankings/daily?from=2026-03-02&to=2026-03-02');
  expect([alone.status, alone.body.error.code]).toEqual([502, 'upstream_invalid']);
});
