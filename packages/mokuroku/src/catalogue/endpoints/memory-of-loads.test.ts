import { describe, expect, it, onTestFinished } from 'vitest';
import { startTestCatalogue } from '../../../test/catalogue/start-test-catalogue.ts';
import { Admission } from '../../../../kit/src/limits/admission.ts';

const CLIENT = '127.0.0.1';
const MAX_BYTES = 1_000_000;

describe('a client that has nearly used up its memory', () => {
  it.each([
    ['/v1/novels?lim=500', 503],
    ['/v1/novels?lim=500&of=t', 503],
    ['/v1/novels?lim=50&of=s', 503],
    ['/v1/novels?lim=50&of=t', 200],
    ['/v1/novels?lim=1', 200],
    ['/v1/users?lim=500', 503],
    ['/v1/changes?lim=500', 503],
    ['/v1/rankings/daily?from=2026-10-01&to=2026-10-31', 503],
    ['/v1/rankings/daily?from=2026-10-01&to=2026-10-01', 200],
    ['/v1/rankings/daily/hydrated', 503],
    ['/v1/rankings/daily/hydrated?of=t', 503],
    ['/v1/ranking-histories?ncode=N1000A,N1001A,N1002A,N1003A', 503],
    ['/v1/ranking-histories?ncode=N1000A', 200],
    ['/v1/ranking-histories?ncode=N1000A&format=ndjson', 503],
    ['/v1/meta/genres', 200],
  ])('has %s answered with %d before it is loaded', async (path, status) => {
    const admission = new Admission({ maxBytes: 4 * MAX_BYTES, maxClientBytes: MAX_BYTES });
    const service = await startTestCatalogue({ admission, isSample: true });
    onTestFinished(service.close);
    const release = admission.bytes.add(CLIENT, MAX_BYTES / 2);
    const more = admission.bytes.add(CLIENT, MAX_BYTES / 2 - 150_000);
    const answer = await service.get(path);
    expect([answer.status, answer.headers['retry-after']]).toEqual([
      status,
      status === 503 ? '1' : undefined,
    ]);
    expect(service.cacheEntries()).toEqual(status === 503 ? 0 : expect.any(Number));
    release();
    more();
  });

  it('has a text of a cached response refused before it is written, and admitted later', async () => {
    const admission = new Admission({ maxBytes: 4 * MAX_BYTES, maxClientBytes: MAX_BYTES });
    const service = await startTestCatalogue({ admission, isSample: true });
    const ranking = '/v1/rankings/daily/hydrated?date=2026-03-08&of=t';
    const statusOf = async (more: string) => (await service.get(`${ranking}${more}`)).status;
    expect(await statusOf('')).toBe(200);
    const releases = [1, 2].map(() => admission.bytes.add(CLIENT, MAX_BYTES * 0.45));
    const texts = ['&format=csv', '&format=csv&bom=1'];
    expect([await statusOf(''), await Promise.all(texts.map(statusOf))]).toEqual([200, [503, 503]]);
    for (const release of releases) release();
    for (const more of texts) expect(await statusOf(more)).toBe(200);
    await service.close();
    expect(admission.bytes.used).toBe(0);
  });
});
