import { describe, expect, it, onTestFinished } from 'vitest';
import { startTestCatalogue } from '../../packages/mokuroku/test/catalogue/start-test-catalogue.ts';
import type { TestCatalogueOptions } from '../../packages/mokuroku/test/catalogue/start-test-catalogue.ts';
import type { NovelRecord, SourceProblem } from '@mokuroku/narou/source';
import { splittingSource } from '../../packages/narou/src/live/split-requests.ts';

async function start(options: TestCatalogueOptions) {
  const service = await startTestCatalogue(options);
  onTestFinished(service.close);
  return service;
}

async function send(path: string, maxBodyBytes: number, switches: TestCatalogueOptions['switches'] = {}) {
  const problems: SourceProblem[] = [];
  const service = await start({
    sourceOver: (source) => splittingSource(source, (problem) => problems.push(problem)),
    limits: { maxBodyBytes },
    switches,
  });
  const { status, body } = await service.get(path);
  const answer = [
    status,
    body.data as unknown,
    (body.meta as { upstreamAllCount?: number } | undefined)?.upstreamAllCount,
  ] as const;
  return { requests: service.upstream.requestCount(), answer, problems };
}

it.each([
  ['/v1/novels?order=ncodeasc&lim=499&st=3', 1, 4],
  ['/v1/r18/novels?order=old&lim=300', 1, 8],
  ['/v1/rankings/daily/hydrated?date=2026-11-20', 2, 7],
])('a page that is too large arrives in halves or quarters: %s', async (path, requests, more) => {
  const whole = await send(path, 20_000_000);
  expect([whole.requests, whole.answer[0]]).toEqual([requests, 200]);
  // An uncompressed page has more characters than the JSON of this service: \\uXXXX for each letter.
  const length = JSON.stringify(whole.answer[1]).length;
  const small = await send(path, more === 4 ? length : length / 2);
  expect(small.answer).toEqual(whole.answer);
  expect(small.requests).toBe(requests - 1 + more);
  expect(small.problems).toEqual([]);
});

describe('a record larger than a response may be', { timeout: 60_000 }, () => {
  const HUGE = { overlongText: 2_200_000 };
  /** More than any page without that record. */
  const LIMIT = 2_000_000;
  const NCODE = 'N7007TK';
  /** No code selects `gensaku`, which is always empty. */
  const reduced = ({ ncode, ...record }: NovelRecord): NovelRecord => {
    if (ncode !== NCODE) return { ncode, ...record };
    const rest = Object.entries(record).filter(([field]) => field !== 'story' && field !== 'gensaku');
    return { ncode, ...Object.fromEntries(rest) };
  };

  it.each([
    ['/v1/novels?order=ncodeasc&lim=20&st=420', 12],
    ['/v1/novels?order=ncodeasc&lim=500', 21],
    [`/v1/novels?ncode=N8403VF,${NCODE}&of=n-s-k`, 12],
  ])('costs its own synopsis and no other field or record of its page: %s', async (path, most) => {
    const whole = await send(path, 20_000_000);
    const { requests, answer, problems } = await send(path, LIMIT, HUGE);
    expect(problems).toEqual([{ upstream: 'novelapi', problem: 'overlong_text', about: NCODE, count: 1 }]);
    const [status, data, allCount] = whole.answer;
    expect(status).toBe(200);
    expect(answer).toEqual([status, (data as NovelRecord[]).map(reduced), allCount]);
    // The list of its rows, two for each halving, and one without the synopsis.
    expect(requests).toBeLessThanOrEqual(most);
  });

  it('is served by itself without its synopsis', async () => {
    const { answer, requests, problems } = await send(`/v1/novels/${NCODE}`, LIMIT, HUGE);
    const [status, data] = answer;
    expect([status, requests]).toEqual([200, 2]);
    expect(problems).toEqual([{ upstream: 'novelapi', problem: 'overlong_text', about: NCODE, count: 1 }]);
    expect(data).toMatchObject({ ncode: NCODE, title: expect.any(String) as string });
    expect(data).not.toHaveProperty('story');
  });
});

it('the number of matches is known if only the list of its rows shows it', async () => {
  const path = '/v1/novels?genre=401&type=er&lim=';
  const whole = await send(`${path}1`, 20_000_000);
  const [, , total = 0] = whole.answer;
  const { length } = JSON.stringify((await send(`${path}${total + 1}`, 20_000_000)).answer[1]);
  const service = await start({
    // An upstream without counts: only a page that is not full shows the end.
    sourceOver: (source) => {
      const { novelapi } = source.novels;
      const search: typeof novelapi.search = async (query, requester) => {
        const page = await novelapi.search(query, requester);
        return page.items.length < query.lim ? page : { items: page.items, allCount: undefined };
      };
      const uncounted = { ...source, novels: { ...source.novels, novelapi: { ...novelapi, search } } };
      return splittingSource(uncounted, () => undefined);
    },
    // More than each half, which need not be equal.
    limits: { maxBodyBytes: length * 1.2 },
  });
  const { body, headers } = await service.get(`${path}${total + 1}`);
  expect(service.upstream.requestCount()).toBe(4);
  expect([(body.data as unknown[]).length, headers['x-total-count']]).toEqual([total, String(total)]);
});

it('halves with an unreadable row are a full page, which has a next one although the count lags', async () => {
  const path = '/v1/novels?order=ncodeasc&lim=500&st=1001';
  const { length } = JSON.stringify((await send(path, 20_000_000)).answer[1]);
  const service = await start({
    sourceOver: (source) => {
      const { novelapi } = source.novels;
      const search: typeof novelapi.search = async (query, requester) => {
        const { items } = await novelapi.search(query, requester);
        return { items: items.slice(1), allCount: 1_400, unreadable: 1 };
      };
      const withFaults = { ...source, novels: { ...source.novels, novelapi: { ...novelapi, search } } };
      return splittingSource(withFaults, () => undefined);
    },
    limits: { maxBodyBytes: length },
  });
  const { body, headers } = await service.get(path);
  expect([(body.data as unknown[]).length, headers['x-total-count']]).toEqual([497, '1400']);
  expect(headers['link']).toContain('st=1501');
});

it('a page with too many oversized records is refused after some 30 requests', async () => {
  const { requests, answer } = await send('/v1/novels?lim=500', 50_000);
  expect(answer[0]).toBe(502);
  // The last ones are sent in pairs.
  expect([30, 31, 32]).toContain(requests);
});

it('a novel whose texts are all too large is served without them, and refused if that is too large too', async () => {
  const { answer, requests } = await send('/v1/novels/N8403VF', 700);
  const [status, data] = answer;
  expect([status, requests]).toEqual([200, 3]);
  expect(data).toMatchObject({ ncode: 'N8403VF', length: expect.any(Number) as number });
  for (const field of ['title', 'writer', 'story', 'keyword']) expect(data).not.toHaveProperty(field);
  const refused = await send('/v1/novels/N8403VF', 600);
  expect([refused.answer[0], refused.requests]).toEqual([502, 3]);
});
