import { afterEach, expect, it } from 'vitest';
import { startTestCatalogue } from '../../../test/catalogue/start-test-catalogue.ts';
import type { TestCatalogue } from '../../../test/catalogue/start-test-catalogue.ts';
import { withHalvedPages } from './halved-pages.ts';

let service: TestCatalogue | undefined;
afterEach(() => service?.close());

async function ask(path: string, maxBodyBytes: number) {
  await service?.close();
  service = await startTestCatalogue({ sourceOver: withHalvedPages, limits: { maxBodyBytes } });
  const { status, body } = await service.get(path);
  const answer = [
    status,
    body.data as unknown,
    (body.meta as { upstreamAllCount?: number } | undefined)?.upstreamAllCount,
  ] as const;
  return { requests: service.upstream.requestCount(), answer };
}

it.each([
  ['/v1/novels?order=ncodeasc&lim=499&st=3', 1, 3],
  ['/v1/r18/novels?order=old&lim=300', 1, 7],
  ['/v1/rankings/daily/hydrated?date=2026-11-20', 2, 7],
])('a page that is too large arrives in halves or quarters: %s', async (path, requests, more) => {
  const whole = await ask(path, 20_000_000);
  expect([whole.requests, whole.answer[0]]).toEqual([requests, 200]);
  // An uncompressed page has more characters than the JSON of this service: \\uXXXX for each letter.
  const length = JSON.stringify(whole.answer[1]).length;
  const small = await ask(path, more === 3 ? length : length / 2);
  expect(small.answer).toEqual(whole.answer);
  expect(small.requests).toBe(requests - 1 + more);
});

it('a page of which a quarter is too large is refused after three requests', async () => {
  const { requests, answer } = await ask('/v1/novels?lim=500', 50_000);
  expect([requests, answer[0]]).toEqual([3, 502]);
});
