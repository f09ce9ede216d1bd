import { describe, expect, it, onTestFinished } from 'vitest';
import { startTestCatalogue } from '../../test/catalogue/start-test-catalogue.ts';
import type { TestCatalogue, TestCatalogueOptions } from '../../test/catalogue/start-test-catalogue.ts';

let service: TestCatalogue;

const start = async (options?: TestCatalogueOptions) => {
  service = await startTestCatalogue(options);
  onTestFinished(service.close);
  return service.get;
};

const PATHS = [
  '/v1/novels?lim=1',
  '/v1/rankings/daily',
  '/v1/rankings/daily/hydrated?of=t',
  '/v1/users?lim=1',
  '/v1/r18/novels?lim=1',
  '/v1/meta/genres',
  '/v1/meta/nocgenres',
];

describe('every endpoint', () => {
  it('responds to HEAD like GET without a body, and marks sample data', async () => {
    const get = await start();
    for (const path of PATHS) {
      const got = await get(path);
      const headed = await get(path, { method: 'HEAD' });
      expect([headed.status, headed.text]).toEqual([200, '']);
      expect(got.headers['x-data']).toBe('sample');
      for (const name of ['content-type', 'etag', 'cache-control', 'x-data']) {
        expect(headed.headers[name]).toBe(got.headers[name]);
      }
    }
  });

  it('says in the message of a 400 what is wrong with one parameter, and names several', async () => {
    const get = await start();
    const messageOf = async (path: string) => (await get(path)).body.error.message;
    expect(await messageOf('/v1/novels?lim=0')).toBe('Invalid lim: must be at least 1.');
    expect(await messageOf('/v1/novels?lim=0&word=%E5%AD%97&title=2')).toBe(
      'Invalid parameters: lim, title.',
    );
  });

  it('names the first of thousands of malformed parameters, in an error of some thousand characters', async () => {
    const get = await start();
    const { status, text } = await get(`/v1/novels?${'%&'.repeat(3_000)}`);
    expect([status, text.length < 6_000]).toEqual([400, true]);
  });

  it('accepts a trailing slash', async () => {
    const get = await start();
    for (const path of PATHS) {
      const [before = '', query = ''] = path.split('?');
      expect((await get(`${before}/?${query}`)).body.data).toEqual((await get(path)).body.data);
    }
  });

  it('answers 304 while its data are the same, whatever the meta around them', async () => {
    const get = await start();
    for (const path of PATHS) {
      const { headers } = await get(path);
      const again = await get(path, { headers: { 'if-none-match': headers.etag ?? '' } });
      expect([again.status, again.text]).toEqual([304, '']);
      service.advance(3 * 24 * 3600);
    }
    const { headers } = await get('/v1/meta/genres');
    const ignoring = await get('/v1/meta/genres?typo=1', {
      headers: { 'if-none-match': headers.etag ?? '' },
    });
    expect(ignoring.status).toBe(304);
  });
});

describe('an invalid request', () => {
  it.each([
    '/nothing',
    '/v1',
    '/v2/novels',
    '/v1/novels/N0001A/chapters',
    '/v1/rankings',
    '/v1/meta',
    '/V1/novels',
    '/v1//novels',
  ])('%s is an unknown path', async (path) => {
    const get = await start();
    const { status, body } = await get(path);
    expect([status, body.error.code]).toEqual([404, 'not_found']);
  });
});

describe('an expired response', () => {
  const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];
  it.each([
    ['/v1/novels?lim=', 5 * MINUTE, MINUTE],
    ['/v1/users?lim=', HOUR, 5 * MINUTE],
    ['/v1/meta/genres?', DAY, 5 * MINUTE],
  ])('%s is fresh for %i s, and served for another %i s while it is renewed', async (path, fresh, stale) => {
    const get = await start();
    const outcomeAfter = async (url: string, seconds: number) => {
      await get(url);
      service.advance(seconds);
      return (await get(url)).headers['cache-status'];
    };
    const served = stale === 0 ? /; hit; ttl=1$/ : /; detail=revalidating$/;
    expect(await outcomeAfter(`${path}1`, fresh + stale - 1)).toMatch(served);
    expect(await outcomeAfter(`${path}2`, fresh + stale + 1)).toMatch(/; fwd=miss; stored$/);
  });
});

describe('the rate limit', () => {
  it('does not count health and documents', async () => {
    const get = await start({ rateLimit: 1 });
    for (const path of ['/livez', '/readyz', '/openapi.json', '/docs', '/livez']) {
      expect((await get(path)).status).toBeLessThan(400);
    }
    expect((await get('/v1/meta/genres')).status).toBe(200);
  });
});

describe('the log', () => {
  it('contains the cause of a failure and no full client address', async () => {
    const get = await start();
    service.upstream.switches.maintenance = 'html503';
    const { headers } = await get('/v1/novels');
    const lines = service.lines.join('');
    expect(lines).toContain('Under maintenance');
    expect(lines).toContain(String(headers['x-request-id']));
    expect(lines).not.toContain('"client":"127.0.0.1"');
  });
});
