import { describe, expect, it } from 'vitest';
import { startCountingUpstream } from '../../../../test/catalogue/counting-upstream.ts';
import type { CountingUpstream } from '../../../../test/catalogue/counting-upstream.ts';
import { untilTestEnds } from '../../../../test/http/serve-http.ts';
import { startRespServer, storingReplies } from '../../../../test/store/resp-server.ts';
import { requestPatiently } from '../../test/http/request-patiently.ts';
import type { Clock } from '@mokuroku/kit/process';
import { startCatalogue } from './main.ts';

// The service over the live upstream while that is down, and within what it grants.

interface Body {
  meta?: { stale?: true; cached: boolean };
  error?: { code: string; message: string; details: { again: string } };
  upstreamBudget?: string;
}

/** The service over an upstream; its time is `ahead` of the present, or stands still but for that. */
async function start(
  settings: Record<string, string> = {},
  given?: CountingUpstream,
  ahead = 0,
  present = () => performance.now(),
) {
  const upstream = given ?? (await startCountingUpstream());
  const clock: Clock = { now: () => Date.now() + ahead, monotonic: () => present() + ahead };
  const environment = {
    CATALOGUE_SOURCE: 'narou',
    NAROU_BASE_URL: upstream.url,
    CATALOGUE_PORT: '0',
    RATE_LIMIT: '0',
    LOG_LEVEL: 'silent',
    TRUSTED_PROXIES: '127.0.0.1',
    ...settings,
  };
  const service = untilTestEnds(await startCatalogue(environment, clock));
  const get = async (path: string, client = '192.0.2.1') => {
    const { status, headers, body } = await requestPatiently<Body>(service.address + path, {
      'x-forwarded-for': client,
    });
    return { status, headers, ...body };
  };
  return {
    get,
    upstream,
    close: service.close,
    address: service.address,
    readyz: () => get('/readyz'),
    readiness: async () => (await get('/readyz')).upstreamBudget,
    metric: async () =>
      Number(/budget_used_ratio\{[^}]*\} (\S+)/.exec(await service.metrics.metrics())?.[1] ?? -1),
    advance: (seconds: number) => {
      ahead += seconds * 1_000;
    },
  };
}

const novels = Array.from({ length: 20 }, (_, i) => `/v1/novels/n${1_000 + i}ab`);
const DAY = 86_400;

describe('while the upstream is down', () => {
  it('every cached key is served, marked stale, for 14 days and no longer', async () => {
    const { get, upstream, advance } = await start();
    for (const path of novels) expect((await get(path)).status).toBe(200);
    await upstream.goDown();
    for (const days of [1, 6, 6.9]) {
      advance(days * DAY);
      for (const path of novels) {
        const { status, meta, headers } = await get(path);
        expect([status, meta?.stale, meta?.cached]).toEqual([200, true, true]);
        expect(Number(headers['age'])).toBeGreaterThanOrEqual(DAY);
        expect(headers['cache-status']).toContain('stale');
      }
    }
    advance(0.2 * DAY);
    for (const path of novels) {
      const { status, error, headers } = await get(path);
      expect([status, error?.code]).toEqual([503, 'upstream_unavailable']);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
  });

  it('uncached keys fail at once when the upstream has been unresponsive for long enough', async () => {
    const settings = { UPSTREAM_TIMEOUT_MS: '400' };
    const { get, upstream, advance, readyz } = await start(settings, undefined, 0, () => 0);
    upstream.delayMs = 60_000;
    const hung = await Promise.all(novels.slice(0, 8).map((path) => get(path)));
    expect(hung.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 504));
    advance(1);
    await get('/v1/novels/n2000ab');
    const requestCount = upstream.userAgents.length;
    for (const path of novels) {
      const { status, headers } = await get(path);
      expect(status).toBe(503);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(upstream.userAgents).toHaveLength(requestCount);
    expect(await readyz()).toMatchObject({ upstream: 'failing' });
    upstream.delayMs = 0;
    advance(3);
    expect((await get(novels[0] ?? '')).status).toBe(200);
    expect(await readyz()).not.toHaveProperty('upstream');
    expect((await get(novels[1] ?? '')).status).toBe(200);
  });

  it('a restart loses nothing that is cached in the store', async () => {
    const { port } = await startRespServer(storingReplies());
    const settings = { STORE_URL: `redis://127.0.0.1:${port}`, STORE_TIMEOUT_MS: '5000' };
    const first = await start(settings);
    for (const path of novels) await first.get(path);
    await first.close();
    await first.upstream.goDown();
    const second = await start(settings, first.upstream, DAY * 1000);
    for (const path of novels) {
      const { status, meta } = await second.get(path);
      expect([status, meta?.stale]).toEqual([200, true]);
    }
  });
});

/** Asks for so many URLs, twenty at a time. */
async function statusesOf(
  count: number,
  urlOf: (i: number) => string,
  get: (url: string) => Promise<{ status: number }>,
): Promise<Set<number>> {
  const statuses = new Set<number>();
  let next = 0;
  const send = async () => {
    while (next < count) statuses.add((await get(urlOf(next++))).status);
  };
  await Promise.all(Array.from({ length: 20 }, send));
  return statuses;
}

describe('keys', () => {
  it('are equal for equivalent queries, and different for others', async () => {
    const { get, upstream } = await start();
    const parts = ['word=a', 'genre=101,201', 'order=new', 'lim=20', 'st=1', 'of=t-n-w'];
    const equal = (i: number) => {
      const turned = [...parts.slice(i % 6), ...parts.slice(0, i % 6), `unknown${i}=1`];
      if (i % 2 === 0) turned[turned.indexOf('of=t-n-w')] = 'of=w-t-t-n';
      if (i % 3 === 0) turned.splice(turned.indexOf('lim=20'), 1);
      return `/v1/novels?${turned.join('&')}`;
    };
    expect(await statusesOf(200, equal, get)).toEqual(new Set([200]));
    expect(upstream.userAgents).toHaveLength(1);
    expect(await statusesOf(200, (i) => `/v1/novels?minlen=${i + 1}`, get)).toEqual(new Set([200]));
    expect(upstream.userAgents).toHaveLength(201);
  });
});

let next = 1_000;
const cold = () => `/v1/novels/n${next++}ab`;

/** At once 8 of a client, 20 of a network, 173 in all; a client's are refilled in two hours. */
const SHARES = { UPSTREAM_DAILY_REQUESTS: '520' };

// A client within its own rate must not spend what the upstream grants to all.
describe('a client that has spent its share of the daily budget', () => {
  it('gets cached responses, also stale ones, and a Retry-After for others; other clients notice nothing', async () => {
    const { get, upstream, advance } = await start(SHARES);
    const cachedPath = cold();
    expect((await get(cachedPath)).status).toBe(200);
    for (let i = 1; i < 8; i++) expect((await get(cold())).status).toBe(200);
    const { status, error, headers } = await get(cold());
    expect([status, error?.code]).toEqual([429, 'upstream_share_spent']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(890);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(900);
    expect(error?.message).toContain(error?.details.again ?? 'no time');
    expect((await get(cachedPath)).status).toBe(200);
    advance(3_600);
    for (let i = 0; i < 4; i++) expect((await get(cold())).status).toBe(200);
    expect(await get(cachedPath)).toMatchObject({ status: 200, meta: { stale: true } });
    expect(upstream.userAgents).toHaveLength(12);
    expect((await get(cold(), '192.0.2.2')).status).toBe(200);
    // Its refusal is not kept for others either.
    advance(60);
    expect((await get(cachedPath, '192.0.2.2')).meta?.stale).toBeUndefined();
    advance(900);
    expect((await get(cold())).status).toBe(200);
  });

  it('does not fail the simultaneous equal request of another client', async () => {
    const { get } = await start(SHARES);
    for (let i = 0; i < 8; i++) await get(cold());
    for (let i = 0; i < 5; i++) {
      const path = cold();
      const [spender, other] = await Promise.all([get(path), get(path, '192.0.2.2')]);
      expect([spender.status, other.status]).toEqual([expect.toBeOneOf([429, 200]), 200]);
    }
  });

  it('gains nothing from batches: each part costs its upstream request', async () => {
    const { address, upstream } = await start(SHARES);
    const codes = Array.from({ length: 50 }, () => `n${next++}ab`);
    const response = await fetch(`${address}/v1/ranking-histories?format=ndjson&ncode=${codes.join()}`);
    const lines = (await response.text()).trim().split('\n');
    expect(lines).toHaveLength(50);
    expect(upstream.userAgents).toHaveLength(8);
    expect(lines.filter((line) => line.includes('"upstream_share_spent"'))).toHaveLength(42);
    const all = await fetch(`${address}/v1/ranking-histories?ncode=${codes.join()}`);
    expect(all.status).toBe(429);
    expect(upstream.userAgents).toHaveLength(8);
  });

  it('has no share of its own if clients are not distinguished', async () => {
    const { get, upstream } = await start({
      UPSTREAM_CLIENT_SHARE_PERCENT: '100',
      UPSTREAM_DAILY_REQUESTS: '120',
    });
    for (let i = 0; i < 40; i++) expect((await get(cold())).status).toBe(200);
    expect((await get(cold())).error?.code).toBe('upstream_budget_spent');
    expect(upstream.userAgents).toHaveLength(40);
  });
});

describe('a home line with many /64s', () => {
  it("takes its network's share, and leaves the others theirs", async () => {
    // Its share refills with time: a busy machine would earn a request.
    const { get, upstream } = await start({ UPSTREAM_DAILY_REQUESTS: '5200' }, undefined, 0, () => 0);
    const codes = new Set<string | undefined>();
    for (let line = 0; line < 40; line++) {
      for (let time = 0; time < 12; time++)
        codes.add((await get(cold(), `2001:db8:7:ff${line.toString(16).padStart(2, '0')}::1`)).error?.code);
    }
    expect([...codes]).toEqual([undefined, 'upstream_share_spent']);
    expect(upstream.userAgents).toHaveLength(200);
    for (let other = 0; other < 120; other++)
      expect((await get(cold(), `2001:db8:${other % 12}a:1::1`)).status).toBe(200);
  });
});

describe('the budget of the day', () => {
  it('has a reserve that no refresh in the background spends', async () => {
    const { get, upstream, readiness, advance } = await start(
      { UPSTREAM_DAILY_REQUESTS: '120' },
      undefined,
      0,
      () => 0,
    );
    const stale = cold();
    await get(stale);
    for (let i = 0; i < 33; i++) await get(cold(), `192.0.${10 + i}.1`);
    advance(301);
    expect(await readiness()).toBe('low');
    const { length } = upstream.userAgents;
    expect((await get(stale, '198.51.100.1')).meta).toMatchObject({ cached: true, stale: true });
    expect((await get(cold(), '198.51.100.1')).status).toBe(200);
    expect(upstream.userAgents).toHaveLength(length + 1);
  });

  it('is logged before and when it is spent; cached responses are still served', async () => {
    const { get, upstream, readiness, metric, advance } = await start({ UPSTREAM_DAILY_REQUESTS: '120' });
    const cachedPath = cold();
    const send = async (count: number) => {
      for (let i = 0; i < count; i++) await get(cold(), `192.0.${10 + upstream.userAgents.length}.1`);
    };
    expect((await get(cachedPath)).status).toBe(200);
    await send(30);
    expect([await readiness(), await metric()]).toEqual(['ok', expect.closeTo(31 / 40)]);
    await send(2);
    expect([await readiness(), await metric()]).toEqual(['low', expect.closeTo(33 / 40)]);
    await send(7);
    expect([await readiness(), await metric()]).toEqual(['spent', 1]);
    const { status, error, headers } = await get(cold(), '198.51.100.1');
    expect([status, error?.code]).toEqual([503, 'upstream_budget_spent']);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(36 * 30);
    expect((await get(cachedPath)).status).toBe(200);
    expect(upstream.userAgents).toHaveLength(40);
    advance(36 * 30);
    expect((await get(cold(), '198.51.100.1')).status).toBe(200);
    advance(12 * 3_600);
    expect(await readiness()).toBe('ok');
    expect((await get(cold(), '198.51.100.1')).status).toBe(200);
  });
});
