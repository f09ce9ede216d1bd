import { describe, expect, it, onTestFinished } from 'vitest';
import { TEST_NOW, startTestCatalogue } from '../../../test/catalogue/start-test-catalogue.ts';
import { SOURCES, itRequesting, requestsOn, serviceOn } from '../../../test/catalogue/three-sources.ts';
import { ServiceError } from '@mokuroku/kit';
import { dayOfDate, NOVEL_ERRORS } from '@mokuroku/narou';

describe.each(SOURCES)('on %s', (source) => {
  const service = serviceOn(source, 'test');

  const HOUR = 3_600_000;

  describe('a ranking', () => {
    it.each([
      ['daily', '2026-03-14', '2026-03-14'],
      ['weekly', '2026-03-09', '2026-03-10'],
      ['monthly', '2026-03-01', '2026-03-01'],
      ['quarterly', '2026-03-01', '2026-03-01'],
      ['daily', '2013-05-01', '2013-05-01'],
      ['weekly', '2013-05-06', '2013-05-07'],
    ] as const)(
      '%s of %s is the ranking that the upstream publishes as %s',
      async (type, date, upstreamDate) => {
        const { body } = await service.get(`/v1/rankings/${type}?date=${date}`);
        const rows = service.catalogue.ranking(type, dayOfDate(upstreamDate) ?? 0) ?? [];
        expect(body.data).toEqual(rows.map(({ rank, pt, ncode }) => ({ rank, pt, ncode })));
        expect(body.meta).toMatchObject({ source: 'rank', date });
      },
    );

    it('of the past is fetched twice, and again only after two weeks', async () => {
      const { headers } = await service.get('/v1/rankings/daily?date=2026-03-14');
      const first = source === 'upstream' ? 3_600 : 14 * 24 * 3_600;
      expect(headers['cache-control']).toBe(`public, max-age=${first}`);
      if (source === 'upstream') {
        // The list may be cut, or of another date, until a look of another day says the same.
        service.advance(22 * 3_600);
        const later = await service.get('/v1/rankings/daily?date=2026-03-14');
        expect(later.headers['cache-control']).toBe(`public, max-age=${14 * 24 * 3_600}`);
      }
      const sentCount = service.upstream.requestCount();
      service.advance(14 * 24 * 3600 - 10);
      expect((await service.get('/v1/rankings/daily?date=2026-03-14')).body.meta.cached).toBe(true);
      expect(service.upstream.requestCount()).toBe(sentCount);
      service.advance(20);
      expect((await service.get('/v1/rankings/daily?date=2026-03-14')).body.meta.cached).toBe(false);
    });
  });

  describe('without a date', () => {
    it.each([
      ['daily', '2026-11-21'],
      ['weekly', '2026-11-16'],
      ['monthly', '2026-11-01'],
      ['quarterly', '2026-11-01'],
    ])('the newest %s ranking is served: %s', async (type, date) => {
      const newest = await service.get(`/v1/rankings/${type}`);
      const named = await service.get(`/v1/rankings/${type}?date=${date}`);
      expect(newest.body.meta.date).toBe(date);
      expect(newest.body.data).toEqual(named.body.data);
    });

    it.each([
      [3.9, 'daily', '2026-11-20', 1],
      [4.1, 'daily', '2026-11-21', 1],
      [6.9, 'daily', '2026-11-21', 1],
      [23.9, 'daily', '2026-11-21', 1],
      [24.1, 'daily', '2026-11-21', 1],
    ])(
      'at %f o’clock of 21 November in Japan the %s ranking is that of %s',
      async (hour, type, date, requests) => {
        service.setTime(TEST_NOW + (hour - 12) * HOUR);
        const { body } = await service.get(`/v1/rankings/${type}`);
        expect(body.meta.date).toBe(date);
        expect(service.upstream.requestCount()).toBe(requestsOn(source, requests));
      },
    );

    // A folder contains the newest one, whatever the upstream responds.
    itRequesting(source)(
      'the previous one is served while the newest is late, and the newest soon after its publication',
      async () => {
        service.upstream.switches.rankingReadyHour = 7;
        service.setTime(TEST_NOW - 7 * HOUR);
        expect((await service.get('/v1/rankings/daily')).body.meta.date).toBe('2026-11-20');
        expect(service.upstream.requestCount()).toBe(2);
        service.advance(3 * 3600);
        expect((await service.get('/v1/rankings/daily')).body.meta.date).toBe('2026-11-21');
      },
    );
  });

  describe('a date that is not published', () => {
    it.each([
      ['daily', '2026-11-22'],
      ['daily', '2030-01-01'],
      ['weekly', '2026-11-23'],
      ['monthly', '2026-12-01'],
      ['quarterly', '9999-12-01'],
    ])('%s %s lies in the future: the error says so, and no request is sent', async (type, date) => {
      const { status, body } = await service.get(`/v1/rankings/${type}?date=${date}`);
      expect([status, body.error.code]).toEqual([404, 'ranking_not_published']);
      expect(body.error.details).toMatchObject({ type, date });
      expect(service.upstream.requestCount()).toBe(0);
    });

    itRequesting(source).each(['empty', 'error'] as const)(
      'today, while the upstream creates it, is reported as not published (upstream: %s)',
      async (unpublishedRanking) => {
        Object.assign(service.upstream.switches, { unpublishedRanking, rankingReadyHour: 7 });
        service.setTime(TEST_NOW - 7 * HOUR);
        const { status, body } = await service.get('/v1/rankings/daily?date=2026-11-21');
        expect([status, body.error.code]).toEqual([404, 'ranking_not_published']);
        service.advance(3 * 3600);
        expect((await service.get('/v1/rankings/daily?date=2026-11-21')).status).toBe(200);
      },
    );

    it('the weekly ranking of a Monday is published on Tuesday', async () => {
      service.setTime(Date.UTC(2026, 10, 16, 3));
      expect((await service.get('/v1/rankings/weekly?date=2026-11-16')).status).toBe(404);
      expect((await service.get('/v1/rankings/weekly')).body.meta.date).toBe('2026-11-09');
      service.setTime(Date.UTC(2026, 10, 17, 3));
      expect((await service.get('/v1/rankings/weekly?date=2026-11-16')).status).toBe(200);
    });
  });
});

// Rejected before any source is asked.
describe('an invalid date', () => {
  const service = serviceOn('upstream', 'test');

  it.each([
    ['daily', '2026-02-30', ['2026-02-28', '2026-03-01']],
    ['daily', 'today', ['2026-11-21']],
    ['weekly', '2026-03-10', ['2026-03-09', '2026-03-16']],
    ['monthly', '2026-03-02', ['2026-03-01', '2026-04-01']],
    ['quarterly', '2026-03-31', ['2026-03-01', '2026-04-01']],
  ])('%s %s is rejected with the nearest valid ones', async (type, date, nearest) => {
    const { status, body } = await service.get(`/v1/rankings/${type}?date=${date}`);
    expect(status).toBe(400);
    expect(body.error.details).toHaveLength(1);
    expect(body.error.details[0]).toMatchObject({ parameter: 'date', given: date });
    for (const each of nearest) {
      expect(body.error.details[0]?.['nearest']).toContain(each);
      expect((await service.get(`/v1/rankings/${type}?date=${each}`)).status).toBe(200);
    }
    expect(service.upstream.requestCount()).toBe(nearest.length);
  });

  it('an unknown period is rejected with the valid ones', async () => {
    const { status, body } = await service.get('/v1/rankings/yearly');
    expect(status).toBe(400);
    expect(body.error.details[0]).toMatchObject({
      parameter: 'type',
      values: ['daily', 'weekly', 'monthly', 'quarterly'],
    });
  });

  it.each(['', '/hydrated'])('is not judged without a valid period: yearly%s', async (path) => {
    const { status, body } = await service.get(`/v1/rankings/yearly${path}?date=2026-02-30&lim=0`);
    expect([status, body.error.details.map(({ parameter }) => parameter)]).toEqual([400, ['type', 'lim']]);
  });
});

it('an earlier ranking does not replace the newest one while the upstream fails', async () => {
  const service = await startTestCatalogue({
    sourceOver: (source) => ({
      ...source,
      getRanking: (type, date, requester) =>
        date === '2026-11-21'
          ? Promise.reject(new ServiceError(NOVEL_ERRORS.upstream_unavailable))
          : source.getRanking(type, date, requester),
    }),
  });
  onTestFinished(() => service.close());
  expect((await service.get('/v1/rankings/daily?date=2026-11-20')).status).toBe(200);
  const { status, body } = await service.get('/v1/rankings/daily');
  expect([status, body.error.code]).toEqual([503, 'upstream_unavailable']);
});

it('a past ranking that may be cut off is cached for minutes, not for two weeks', async () => {
  const service = await startTestCatalogue({
    sourceOver: (source) => ({
      ...source,
      getRanking: async (type, date, requester) => {
        const { value } = await source.getRanking(type, date, requester);
        return { value: value?.slice(0, date === '2026-11-02' ? 299 : 300) ?? [] };
      },
    }),
  });
  onTestFinished(() => service.close());
  const maxAgeOf = async (date: string) =>
    (await service.get(`/v1/rankings/daily?date=${date}`)).headers['cache-control'];
  expect(await maxAgeOf('2026-11-02')).toMatch(/^public, max-age=300\b/);
  expect(await maxAgeOf('2026-11-03')).toMatch(/^public, max-age=1209600\b/);
});

it.each([
  [5, 'daily', [502, 'upstream_invalid']],
  [12, 'daily', [502, 'upstream_invalid']],
  [12, 'quarterly', [502, 'upstream_invalid']],
] as const)(
  'at %i o’clock an upstream without any newest ranking fails: one of %s was due',
  async (hour, type, failure) => {
    const service = await startTestCatalogue({
      sourceOver: (source) => ({ ...source, getRanking: () => Promise.resolve({ absent: 'not_returned' }) }),
    });
    onTestFinished(() => service.close());
    service.setTime(TEST_NOW + (hour - 12) * 3_600_000);
    for (const path of [type, `${type}/hydrated`]) {
      const { status, body } = await service.get(`/v1/rankings/${path}`);
      expect([status, body.error.code]).toEqual(failure);
    }
  },
);

it('a doubtful ranking is named wherever it is served, and cached for a minute', async () => {
  const service = await startTestCatalogue({
    sourceOver: (source) => ({
      ...source,
      getRanking: async (type, date, requester) => {
        const ranking = await source.getRanking(type, date, requester);
        return ['2026-10-31', '2026-11-02'].includes(date) && !('absent' in ranking)
          ? { ...ranking, standing: 'doubtful' }
          : ranking;
      },
    }),
  });
  onTestFinished(() => service.close());
  const span = 'from=2026-11-01&to=2026-11-03';
  for (const query of [
    'daily?date=2026-11-02',
    'daily/hydrated?date=2026-11-02',
    `daily?${span}`,
    `daily/hydrated?${span}`,
    'daily/hydrated?date=2026-11-03&order=rise',
  ]) {
    const { body, headers } = await service.get(`/v1/rankings/${query}`);
    expect(body.meta.missing).toEqual(['2026-11-02']);
    expect(headers['cache-control']).toBe('public, max-age=60');
    if (query.includes('from')) expect(body.data).toHaveLength(3);
  }
  // The first of the span is compared with another doubtful one.
  const { body } = await service.get(`/v1/rankings/daily/hydrated?${span}&order=rise`);
  expect(body.meta.missing).toEqual(['2026-10-31', '2026-11-02']);
});
