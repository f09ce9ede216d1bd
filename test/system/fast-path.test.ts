import http from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { startCatalogue } from '../../packages/mokuroku/src/catalogue/main.ts';
import type { Clock } from '@mokuroku/kit/process';
import { startRegistration } from '../../packages/mokuroku/src/registration/main.ts';
import type { RunningService } from '@mokuroku/kit/service';
import { fuzzedRequests } from '../../packages/narou/test/fuzzed-requests.ts';
import type { FuzzedRequest } from '../../packages/narou/test/fuzzed-requests.ts';
import { chanceOf, seededRandom } from '../../packages/narou/test/random-questions.ts';
import type { Chance } from '../../packages/narou/test/random-questions.ts';

// http/memory-hits.ts writes the head of a cache hit itself, with private members of Node. Clients must not
// notice, whatever a release of Node changes. Each request is sent three times: twice on a connection that stays
// open, where the second may take the fast path, and once on a connection that will close, where none does.

const COUNT = 2_000;
const SEED = Number(process.env['MOKUROKU_FUZZ_SEED'] ?? 20_261_122);
const AT_ONCE = 8;

/** The clock stands still, so that ages and times are equal. */
const clock: Clock = { now: () => Date.UTC(2026, 10, 22, 12), monotonic: () => 1_000_000 };
const SETTINGS = {
  CATALOGUE_PORT: '0',
  REGISTRATION_PORT: '0',
  LOG_LEVEL: 'silent',
  // Publishes its headers, but is unreachable.
  RATE_LIMIT: '10000000',
};
const services: RunningService[] = [];

beforeAll(async () => {
  services.push(await startCatalogue(SETTINGS, clock), await startRegistration(SETTINGS, clock));
  return async () => {
    for (const service of services) await service.close();
  };
});

interface Received {
  status: number;
  /** In the order received. */
  headers: [name: string, value: string][];
  body: Buffer;
}

function send(base: string, { method, path, headers }: FuzzedRequest, agent: http.Agent | false) {
  const { hostname, port } = new URL(base);
  return new Promise<Received>((resolve, reject) => {
    const sent = http.request({ hostname, port, method, path, headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const lines = response.rawHeaders;
        const received = Array.from({ length: lines.length / 2 }, (_, index): [string, string] => [
          (lines[2 * index] ?? '').toLowerCase(),
          lines[2 * index + 1] ?? '',
        ]);
        resolve({ status: response.statusCode ?? 0, headers: received, body: Buffer.concat(chunks) });
      });
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** Headers specific to the connection or to the moment. */
const OF_THE_MOMENT = new Set(['date', 'connection', 'keep-alive', 'x-request-id']);

const comparable = ({ status, headers, body }: Received) => ({
  status,
  headers: headers
    .filter(([name]) => !OF_THE_MOMENT.has(name))
    // Whether a response that is not cached was shared with another worker depends on the moment, too.
    .map(([name, value]) => [name, value.replace(/^(.*fwd=miss); collapsed$/, '$1')] as const)
    .map(([name, value]) => `${name}: ${name === 'ratelimit' ? value.replace(/r=\d+/, 'r=...') : value}`)
    .sort(),
  body: body.toString('latin1'),
});

/** Only the fast path begins a head with the id. */
const isShort = ({ headers: [first] }: Received) => first?.[0] === 'x-request-id';

const CATALOGUE_PATHS = [
  '/v1/novels',
  '/v1/novels?lim=1',
  '/v1/novels?lim=100',
  '/v1/novels?lim=500',
  '/v1/novels?of=t-n-w',
  '/v1/novels?word=%E5%9B%B3%E6%9B%B8',
  '/v1/novels?word=zzzz',
  '/v1/novels/n8403vf',
  '/v1/novels/n9999zz',
  '/v1/novels?lim=3&unknown=1',
  '/v1/novels?facets=type',
  '/v1/r18/novels?lim=5',
  '/v1/users?lim=5',
  '/v1/rankings/daily',
  '/v1/rankings/weekly?date=2026-11-16',
  '/v1/rankings/daily/hydrated?of=t-w',
  '/v1/rankings/daily?format=csv',
  '/v1/novels?format=atom',
  '/v1/novels/n8403vf/ranking-history',
  '/v1/suggest?q=%E5%9B%B3',
  '/v1/meta/genres',
  '/v1/meta/nocgenres',
  '/v1/rankings/daily?date=2099-01-01',
];
const REGISTRATION_PATHS = [
  '/example.com',
  '/EXAMPLE.com',
  '/www.example.com',
  '/example.com?follow=registrar',
  '/example.com?x=1',
  '/free-name.org',
  '/free-name.org/availability',
  '/example.com/availability',
  '/-/about',
  '/com',
  '/example.com/expiry.ics',
  '/no.such-tld-here',
  '/%E8%A6%8B%E6%9C%AC.jp',
];
const HEADERS: Record<string, string>[] = [
  {},
  {},
  { 'accept-encoding': 'gzip' },
  { 'accept-encoding': 'br' },
  { 'accept-encoding': 'gzip, deflate, br, zstd' },
  { 'accept-encoding': 'identity;q=1, *;q=0' },
  { accept: 'application/json' },
  { accept: '*/*;q=0.1', 'accept-encoding': 'br;q=0.1, gzip' },
  { accept: 'text/csv' },
  { 'if-none-match': '*' },
  { 'x-request-id': 'mine-1' },
];

/** A frequently repeated request. */
function plainRequest(paths: readonly string[], { pick, often }: Chance): FuzzedRequest {
  return { method: often(0.1) ? 'HEAD' : 'GET', path: pick(paths), headers: { ...pick(HEADERS) } };
}

describe('the fast path of cache hits', () => {
  it(`sends the same responses as the ordinary path to ${COUNT} random requests`, async () => {
    const chance = chanceOf(seededRandom(SEED));
    const agent = new http.Agent({ keepAlive: true, maxSockets: AT_ONCE });
    const [catalogue = '', registration = ''] = services.map(({ address }) => address);
    const published = (await (await fetch(`${catalogue}/openapi.json`)).json()) as never;
    const odd = fuzzedRequests(SEED, published);
    let [requestCount, short] = [0, 0];

    async function compareNext(): Promise<void> {
      const isOdd = chance.often(0.3);
      const base = !isOdd && chance.often(0.25) ? registration : catalogue;
      const request = isOdd
        ? odd.next().value
        : plainRequest(base === catalogue ? CATALOGUE_PATHS : REGISTRATION_PATHS, chance);
      // Lines arrive in any order.
      if (request.path.includes('ndjson') || request.headers['accept']?.includes('ndjson')) return;
      const first = await send(base, request, agent);
      const etag = first.headers.find(([name]) => name === 'etag')?.[1];
      const again = { ...request, headers: { ...request.headers } };
      if (etag !== undefined && chance.often(0.2)) again.headers['if-none-match'] = etag;
      const second = await send(base, again, agent);
      const closing = await send(base, again, false);
      if (isShort(second)) short++;
      expect(isShort(closing)).toBe(false);
      expect(comparable(second), `${again.method} ${again.path} ${JSON.stringify(again.headers)}`).toEqual(
        comparable(closing),
      );
    }

    const work = async () => {
      while (requestCount++ < COUNT) await compareNext();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    agent.destroy();
    // Otherwise nothing was compared: this release of Node has the fast path disabled.
    expect(short).toBeGreaterThan(COUNT / 4);
  }, 300_000);
});
