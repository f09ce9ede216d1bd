import http from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { startTestCatalogue } from '../../packages/mokuroku/test/catalogue/start-test-catalogue.ts';
import type { TestCatalogueOptions } from '../../packages/mokuroku/test/catalogue/start-test-catalogue.ts';
import { serveHttp } from '../http/serve-http.ts';

const GONE = ['N0001AA', 'N9999ZZ'];

async function start(options: TestCatalogueOptions) {
  const service = await startTestCatalogue(options);
  onTestFinished(service.close);
  return service;
}

/** A service over an upstream that answers a longer URL with 414, or closes its connection without a response. */
async function startWith(limit: '414' | 'closed', maxUrlLength: number) {
  let upstream = '';
  const requests: string[] = [];
  const refuse = (response: http.ServerResponse) =>
    limit === '414' ? response.writeHead(414).end('<h1>URI Too Long</h1>') : response.destroy();
  const baseUrl = await serveHttp((request, response) => {
    const { url = '', headers } = request;
    requests.push(url);
    if (url.length > maxUrlLength) refuse(response);
    else http.get(`${upstream}${url}`, { headers }, (reply) => reply.pipe(response));
  });
  const service = await start({ limits: { baseUrl, wait: () => Promise.resolve() } });
  upstream = service.upstream.url;
  return { service, requests };
}

const ncodesOf = (data: unknown) => (data as { ncode: string }[]).map(({ ncode }) => ncode);

it.each([
  ['414', 2_048, 12],
  ['414', 1_000, 18],
  ['closed', 2_048, 20],
  ['closed', 1_000, 30],
] as const)(
  'an upstream that refuses long URLs (%s, %i characters) is asked for parts of a list of Ncodes',
  async (limit, maxUrlLength, most) => {
    const { service, requests } = await startWith(limit, maxUrlLength);
    const present = ncodesOf((await service.get('/v1/novels?order=ncodeasc&lim=498&of=n')).body.data);
    requests.length = 0;
    const asked = [...present, ...GONE].join();
    const { status, body } = await service.get(`/v1/novels?ncode=${asked}&order=ncodeasc&of=n&lim=500`);
    expect([status, body.meta.unknown, ncodesOf(body.data)]).toEqual([200, undefined, present]);
    expect(requests.length).toBeLessThanOrEqual(most);
    const words = `/v1/novels?ncode=${asked}&word=%E3%81%AE&order=weekly&of=n&lim=40&st=3`;
    const { body: right } = await (await start({})).get(words);
    const { body: named } = await service.get(words);
    expect(named.meta.upstreamAllCount).toBe(right.meta.upstreamAllCount);
    expect(ncodesOf(named.data)).toEqual(ncodesOf(right.data));
    const path = '/v1/rankings/daily/hydrated?date=2026-11-20&of=t';
    const expected = await (await start({})).get(path);
    expect((await service.get(path)).body.data).toEqual(expected.body.data);
  },
);

it.each([
  ['414', [502, 'upstream_invalid'], 6],
  ['closed', [503, 'upstream_unavailable'], 9],
] as const)('one that refuses every list (%s) fails after few requests', async (limit, failure, most) => {
  const { service, requests } = await startWith(limit, 0);
  const { status, body } = await service.get(`/v1/novels?ncode=${GONE.join()},N0001A&of=n`);
  expect([status, body.error.code]).toEqual(failure);
  expect(requests.length).toBeLessThanOrEqual(most);
});
