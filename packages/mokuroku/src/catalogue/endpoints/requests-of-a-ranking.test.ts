import { describe, expect, it } from 'vitest';
import { startTestCatalogue } from '../../../test/catalogue/start-test-catalogue.ts';

const RANKING = '/v1/rankings/daily?date=2026-06-05';
const HYDRATED = '/v1/rankings/daily/hydrated?date=2026-06-05';

/** The upstream requests caused by a sequence of requests to a service with an empty cache. */
async function costsOf(paths: readonly string[]): Promise<number[]> {
  const service = await startTestCatalogue();
  const costs: number[] = [];
  for (const path of paths) {
    const before = service.upstream.requestCount();
    expect((await service.get(path, { isChecked: false })).status).toBe(200);
    costs.push(service.upstream.requestCount() - before);
  }
  await service.close();
  return costs;
}

describe('the upstream requests of one ranking', () => {
  it.each([
    [
      [RANKING, HYDRATED, HYDRATED, RANKING],
      [1, 1, 0, 0],
    ],
    [
      [HYDRATED, `${HYDRATED}&of=t-w`, `${HYDRATED}&of=w-t-n`, RANKING],
      [2, 1, 0, 0],
    ],
    [
      [`${HYDRATED}&of=n`, RANKING],
      [2, 0],
    ],
    [
      [RANKING, `${RANKING}&format=atom`, `${RANKING}&format=csv`, `${HYDRATED}&format=atom`],
      [1, 1, 0, 0],
    ],
  ])('%j: %j requests', async (paths, costs) => {
    expect(await costsOf(paths)).toEqual(costs);
  });

  it.each([
    ['06:59:59', '5 minutes', 300, 1],
    ['07:00:00', 'an hour', 3_599, 0],
  ])('one that is fetched at %s on its day in Japan is fresh for %s', async (time, _, seconds, costs) => {
    const service = await startTestCatalogue();
    const now = Date.parse(`2026-11-20T${time}+09:00`);
    const send = async (at: number) => {
      service.setTime(at);
      const before = service.upstream.requestCount();
      expect((await service.get('/v1/rankings/daily?date=2026-11-20')).status).toBe(200);
      return service.upstream.requestCount() - before;
    };
    expect(await send(now)).toBe(1);
    expect(await send(now + 299_000)).toBe(0);
    expect(await send(now + (seconds + 600 * costs) * 1_000)).toBe(costs);
    await service.close();
  });

  it('the newest ranking and the same one by date share one request', async () => {
    const newest = '/v1/rankings/daily';
    const paths = [newest, `${newest}?date=2026-11-21`, `${newest}/hydrated?of=t-w`];
    const dated = `${newest}/hydrated?date=2026-11-21`;
    expect(await costsOf([...paths, `${dated}&of=t-w`, `${dated}&of=w`])).toEqual([1, 0, 1, 0, 1]);
  });

  it.each([
    ['', 2],
    ['?lim=5', 2],
    ['/hydrated?of=t', 4],
    ['/hydrated?of=t&lim=5', 4],
    ['?format=atom&lim=5', 4],
  ])(
    'the newest ranking, as %j, is in the cache by its date and as the newest, and so are its novels and the two joined: %i entries',
    async (form, count) => {
      const service = await startTestCatalogue();
      await service.get(`/v1/rankings/daily${form}`, { isChecked: false });
      expect(service.cacheEntries()).toBe(count);
      await service.close();
    },
  );

  it('simultaneous requests for the raw, the hydrated and the newest one share one upstream request each', async () => {
    const service = await startTestCatalogue();
    const path = '/v1/rankings/daily';
    const forms = [
      path,
      `${path}?date=2026-11-21`,
      `${path}/hydrated?of=t`,
      `${path}/hydrated?date=2026-11-21&of=t`,
    ];
    await Promise.all([...forms, ...forms].map((form) => service.get(form, { isChecked: false })));
    expect(service.upstream.requestCount()).toBe(2);
    await service.close();
  });
});

describe('a hydrated ranking over a cached raw one', () => {
  it('is not published as long as that, even if it was before', async () => {
    const service = await startTestCatalogue({
      switches: { unpublishedRanking: 'empty', rankingReadyHour: 4 },
    });
    const date = '?date=2026-11-21';
    const statusAt = async (time: string, path: string) => {
      service.setTime(Date.parse(`2026-11-21T${time}+09:00`));
      return (await service.get(path)).status;
    };
    expect(await statusAt('03:58:55', `/v1/rankings/daily${date}`)).toBe(404);
    expect(await statusAt('03:59:45', `/v1/rankings/daily/hydrated${date}`)).toBe(404);
    expect(await statusAt('04:00:00', `/v1/rankings/daily/hydrated${date}`)).toBe(200);
    service.upstream.switches.rankingReadyHour = 7;
    expect(await statusAt('06:00:00', `/v1/rankings/daily/hydrated${date}`)).toBe(404);
    await service.close();
  });

  it('is absent as long as that, a minute after the upstream said so', async () => {
    const service = await startTestCatalogue({
      switches: { unpublishedRanking: 'empty', rankingReadyHour: 7 },
    });
    const date = '?date=2026-11-21';
    const statusAt = async (time: string, path: string) => {
      service.setTime(Date.parse(`2026-11-21T${time}+09:00`));
      return (await service.get(path)).status;
    };
    expect(await statusAt('06:00:00', `/v1/rankings/daily${date}`)).toBe(404);
    service.upstream.switches.rankingReadyHour = 4;
    expect(await statusAt('06:00:50', `/v1/rankings/daily/hydrated${date}`)).toBe(404);
    expect(await statusAt('06:01:00', `/v1/rankings/daily/hydrated${date}`)).toBe(200);
    await service.close();
  });

  it('is as old as its oldest part, and expires 14 days after that was fetched', async () => {
    const service = await startTestCatalogue();
    const day = 86_400;
    await service.get(RANKING);
    service.advance(day);
    await service.get(RANKING);
    service.advance(13 * day);
    const { headers, body } = await service.get(`${HYDRATED}&of=t`);
    expect([headers.age, body.meta.cached]).toEqual([String(13 * day), false]);
    expect(headers['cache-control']).toBe(`public, max-age=${13 * day + 3_600}`);
    service.upstream.switches.status = 500;
    service.advance(day - 60);
    expect((await service.get(`${HYDRATED}&of=t`)).body.meta.stale).toBe(true);
    service.advance(61);
    expect((await service.get(`${HYDRATED}&of=t`)).status).toBe(503);
    await service.close();
  });
});
