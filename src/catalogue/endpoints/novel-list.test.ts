import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCatalogue } from '../../../test/catalogue/start-test-catalogue.ts';
import type { TestCatalogue } from '../../../test/catalogue/start-test-catalogue.ts';
import { makeSwitches } from '../narou-server/switches.ts';
import type { NarouServerSwitches } from '../narou-server/switches.ts';
import { OF_FIELDS, ofCodesServedBy } from '../novels/of-fields.ts';
import { FieldSets } from './field-sets.ts';

const RANKING = '/v1/rankings/daily?date=2026-06-05';
const HYDRATED = '/v1/rankings/daily/hydrated?date=2026-06-05';

/** What a row of questions costs upstream, one after the other, on a service that knows nothing yet. */
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

describe('what one ranking costs upstream', () => {
  it.each([
    [
      [RANKING, HYDRATED, `${HYDRATED}&of=t`, `${HYDRATED}&of=t-w`],
      [1, 1, 0, 0],
    ],
    [
      [HYDRATED, `${HYDRATED}&of=t-w`, `${HYDRATED}&of=t`, RANKING],
      [2, 0, 0, 0],
    ],
    [
      [`${HYDRATED}&of=t-w`, `${HYDRATED}&of=t`, RANKING, HYDRATED],
      [2, 0, 0, 1],
    ],
    [
      [RANKING, `${HYDRATED}&of=t`, `${HYDRATED}&of=t-w`, HYDRATED],
      [1, 1, 1, 1],
    ],
    [
      [`${HYDRATED}&of=n`, RANKING],
      [2, 0],
    ],
  ])('%j: %j requests', async (paths, costs) => {
    expect(await costsOf(paths)).toEqual(costs);
  });

  it('the newest and the same by its date are one', async () => {
    const newest = '/v1/rankings/daily';
    const paths = [newest, `${newest}?date=2026-11-21`, `${newest}/hydrated?of=t-w`];
    const dated = `${newest}/hydrated?date=2026-11-21`;
    expect(await costsOf([...paths, `${dated}&of=t-w`, `${dated}&of=w`, `${newest}/hydrated?of=t`])).toEqual([
      1, 0, 1, 0, 0, 0,
    ]);
  });

  it('all that ask at once for the raw one, the joined one and the newest share one request each', async () => {
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

describe('a row of rankings with fewer fields behind one with all', () => {
  const months = Array.from({ length: 24 }, (_, month) => new Date(Date.UTC(2024, 10 + month, 1)));
  const paths = months.map((day) => `/v1/rankings/monthly/hydrated?date=${day.toISOString().slice(0, 10)}`);

  /** Asks for all of them; what that cost upstream. */
  async function costOf({ get, upstream }: TestCatalogue, of = ''): Promise<number> {
    const before = upstream.requestCount();
    for (const path of paths) await get(`${path}${of}`, { isChecked: false });
    return upstream.requestCount() - before;
  }

  // In ten megabytes there is room for four of those with all fields.
  it.each([80_000_000, 10_000_000])('costs nothing, in a cache of %d bytes', async (cacheBytes) => {
    const service = await startTestCatalogue({ cacheBytes });
    expect(await costOf(service)).toBe(48);
    for (const path of paths) {
      const { headers, body } = await service.get(`${path}&of=t-w-gp`, { isChecked: false });
      expect([headers['cache-status'], body.meta.cached]).toEqual([
        'mokuroku-catalogue; hit; ttl=3600; detail=derived',
        true,
      ]);
    }
    expect(service.upstream.requestCount()).toBe(48);
    await service.close();
  });

  it('is what the upstream would say, as old as the oldest novel in it, and fresh for no longer', async () => {
    const [service, other] = [
      await startTestCatalogue({ cacheBytes: 10_000_000 }),
      await startTestCatalogue(),
    ];
    await costOf(service);
    service.advance(600);
    const path = `${paths[0]!}&of=w-t`;
    const [derived, asked] = [await service.get(path), await other.get(path)];
    expect(derived.headers).toMatchObject({ age: '600', 'cache-control': 'public, max-age=3600' });
    expect(derived.headers.etag).toBe(asked.headers.etag);
    service.advance(3_000);
    expect(await costOf(service, '&of=t-g')).toBe(24);
    await Promise.all([service.close(), other.close()]);
  });

  it('costs a request each where the first had less', async () => {
    const service = await startTestCatalogue({ cacheBytes: 10_000_000 });
    expect(await costOf(service, '&of=t')).toBe(48);
    expect(await costOf(service, '&of=t-w')).toBe(24);
    await service.close();
  });
});

describe('what one novel costs upstream', () => {
  const CODE = 'N8403VF';
  it.each([
    [
      [`/v1/novels/${CODE}`, `/v1/novels?ncode=${CODE}&of=t`, `/v1/novels?ncode=${CODE}`],
      [1, 0, 0],
    ],
    [
      [`/v1/novels?ncode=${CODE}`, `/v1/novels/${CODE}`, `/v1/novels?ncode=${CODE}&of=t&order=hyoka`],
      [1, 0, 0],
    ],
    [
      [`/v1/novels?ncode=${CODE}&of=t-w`, `/v1/novels?ncode=${CODE}&of=w`, `/v1/novels/${CODE}`],
      [1, 0, 1],
    ],
    [
      [`/v1/novels/${CODE}`, `/v1/novels?ncode=${CODE}&of=t&st=2`],
      [1, 1],
    ],
    [
      [`/v1/novels/${CODE}`, `/v1/novels?ncode=${CODE}&opt=weekly`],
      [1, 1],
    ],
    [
      [`/v1/novels/${CODE}`, `/v1/novels?ncode=${CODE}&genre=201`],
      [1, 1],
    ],
  ])('%j: %j requests', async (paths, costs) => {
    expect(await costsOf(paths)).toEqual(costs);
  });

  it('a list of one is what the upstream would have said of it', async () => {
    const service = await startTestCatalogue();
    const asked = await service.get(`/v1/novels?ncode=${CODE}&of=t-g`);
    await service.get(`/v1/novels/${CODE}`);
    const derived = await service.get(`/v1/novels?ncode=${CODE}&of=g-t&order=hyoka`);
    expect(derived.headers.etag).toBe(asked.headers.etag);
    expect(derived.body.meta).toMatchObject({ upstreamAllCount: 1, cached: true });
    await service.close();
  });
});

const LISTS = [
  { path: '/v1/novels?order=hyoka&lim=40', codes: ofCodesServedBy('novelapi') },
  { path: '/v1/novels?opt=weekly&genre=201&lim=30', codes: ofCodesServedBy('novelapi') },
  { path: '/v1/r18/novels?order=old&lim=30', codes: OF_FIELDS.map((row) => row.code) },
  { path: '/v1/rankings/monthly/hydrated?date=2026-03-01', codes: ofCodesServedBy('novelapi') },
];

const SETTINGS: Partial<NarouServerSwitches>[] = [
  {},
  { keyOrder: 'requested' },
  { weeklyUniquePosition: 'first' },
  { record: 'extraField' },
  { record: 'numbersAsStrings' },
  { record: 'nullStrings' },
  { record: 'floats' },
];

describe('an answer that is cut out of a wider one', () => {
  let service: TestCatalogue;
  /** Keeps nothing, so that each of its answers is the upstream's own. */
  let direct: TestCatalogue;
  beforeAll(async () => {
    direct = await startTestCatalogue({ cacheBytes: 1 });
  });
  beforeEach(async () => {
    service = await startTestCatalogue();
  });
  afterEach(() => service.close());
  afterAll(() => direct.close());

  it.each(SETTINGS)('is byte for byte what the upstream would have brought (%o)', async (setting) => {
    for (const { switches } of [service.upstream, direct.upstream]) {
      Object.assign(switches, makeSwitches(setting));
    }
    for (const { path, codes } of LISTS) {
      const wide = await service.get(path, { isChecked: false });
      // Records without an Ncode cannot be joined with a ranking, whatever is asked for.
      if (setting.record === 'nullStrings' && path.includes('hydrated')) continue;
      expect(wide.status).toBe(200);
      expect(wide.headers.etag).toBe((await direct.get(path, { isChecked: false })).headers.etag);
      const asked = service.upstream.requestCount();
      const chosen = fc.uniqueArray(fc.constantFrom(...codes), { minLength: 1, maxLength: 38 });
      await fc.assert(
        fc.asyncProperty(chosen, async (of) => {
          const narrow = `${path}&of=${of.join('-')}`;
          const [cut, own] = [await service.get(narrow), await direct.get(narrow, { isChecked: false })];
          expect([cut.status, cut.headers.etag]).toEqual([200, own.headers.etag]);
          expect(cut.body.meta.upstreamAllCount).toBe(own.body.meta.upstreamAllCount);
        }),
        { numRuns: 12 },
      );
      expect(service.upstream.requestCount()).toBe(asked);
    }
  });

  it('is as old as that one, and fresh no longer', async () => {
    await service.get('/v1/novels?lim=3');
    service.advance(200);
    const { headers, body } = await service.get('/v1/novels?lim=3&of=t');
    expect(headers.age).toBe('200');
    expect(headers['cache-control']).toBe('public, max-age=300');
    expect(headers['cache-status']).toBe('mokuroku-catalogue; hit; ttl=100; detail=derived');
    expect(body.meta.cached).toBe(true);
    service.advance(101);
    expect((await service.get('/v1/novels?lim=3&of=t')).headers['cache-status']).toContain('revalidating');
  });

  it('answers 304 to the validator of the answer that the upstream brought', async () => {
    const own = await direct.get('/v1/novels?lim=3&of=t-n');
    await service.get('/v1/novels?lim=3');
    const headers = { 'if-none-match': own.headers.etag ?? '' };
    expect((await service.get('/v1/novels?lim=3&of=n-t', { headers })).status).toBe(304);
  });
});

describe('a joined ranking made of a kept one', () => {
  it('is as old as its oldest part, and gone 14 days after that was fetched', async () => {
    const service = await startTestCatalogue();
    const day = 86_400;
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

describe('the memory of field sets', () => {
  it('names the smallest wider set first and all fields last, and forgets the oldest of many', () => {
    const sets = new FieldSets();
    sets.note('a', ['t', 'n', 'w']);
    sets.note('a', ['t', 'n', 'w', 's']);
    sets.note('b', ['t', 'n']);
    expect(sets.widerThan('a', ['n'])).toEqual([['t', 'n', 'w'], ['t', 'n', 'w', 's'], undefined]);
    expect(sets.widerThan('a', ['t', 'n', 'w'])).toEqual([['t', 'n', 'w', 's'], undefined]);
    expect(sets.widerThan('a', ['k'])).toEqual([undefined]);
    expect(sets.widerThan('a', undefined)).toEqual([]);
    for (const code of ['u', 's', 'g', 'k', 'e', 'l', 'i'] as const) sets.note('a', ['n', code]);
    expect(sets.widerThan('a', ['t'])).toEqual([['t', 'n', 'w', 's'], undefined]);
  });
});
