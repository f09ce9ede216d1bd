import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { startCountingUpstream } from '../../../../test/catalogue/counting-upstream.ts';
import { requestPatiently } from '../../test/http/request-patiently.ts';
import type { Clock } from '@mokuroku/kit/process';
import { startCatalogue } from './main.ts';

// A client within its own rate must not spend what the upstream grants to all.

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

interface Body {
  error?: { code: string; message: string; details: { again: string } };
  meta?: { stale?: boolean };
  upstreamBudget?: string;
}

async function start(settings: Record<string, string> = {}) {
  const upstream = await startCountingUpstream();
  cleanUps.push(upstream.close);
  let ahead = 0;
  const clock: Clock = { now: () => Date.now() + ahead, monotonic: () => performance.now() + ahead };
  const service = await startCatalogue(
    {
      CATALOGUE_SOURCE: 'narou',
      NAROU_BASE_URL: upstream.url,
      CATALOGUE_PORT: '0',
      RATE_LIMIT: '0',
      LOG_LEVEL: 'silent',
      TRUSTED_PROXIES: '127.0.0.1',
      // At once 8 of a client, 20 of a network, 173 in all; a client's are refilled in two hours.
      UPSTREAM_DAILY_REQUESTS: '520',
      ...settings,
    },
    clock,
  );
  cleanUps.push(() => service.close());
  const get = async (path: string, client = '192.0.2.1') => {
    const { status, headers, body } = await requestPatiently<Body>(service.address + path, {
      'x-forwarded-for': client,
    });
    return { status, headers, ...body };
  };
  return {
    get,
    upstream,
    address: service.address,
    readiness: async () => (await get('/readyz')).upstreamBudget,
    metric: async () =>
      Number(/budget_used_ratio\{[^}]*\} (\S+)/.exec(await service.metrics.metrics())?.[1] ?? -1),
    advance: (seconds: number) => {
      ahead += seconds * 1_000;
    },
  };
}

let next = 1_000;
const cold = () => `/v1/novels/n${next++}ab`;

describe('a client that has spent its share of the daily budget', () => {
  it('gets cached responses, also stale ones, and a Retry-After for others; other clients notice nothing', async () => {
    const { get, upstream, advance } = await start();
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
    const { get } = await start();
    for (let i = 0; i < 8; i++) await get(cold());
    for (let i = 0; i < 5; i++) {
      const path = cold();
      const [spender, other] = await Promise.all([get(path), get(path, '192.0.2.2')]);
      expect([spender.status, other.status]).toEqual([expect.toBeOneOf([429, 200]), 200]);
    }
  });

  it('gains nothing from batches: each part costs its upstream request', async () => {
    const { address, upstream } = await start();
    const codes = Array.from({ length: 50 }, () => `n${next++}ab`);
    const { body } = await request(`${address}/v1/ranking-histories?format=ndjson&ncode=${codes.join()}`);
    const lines = (await body.text()).trim().split('\n');
    expect(lines).toHaveLength(50);
    expect(upstream.userAgents).toHaveLength(8);
    expect(lines.filter((line) => line.includes('"upstream_share_spent"'))).toHaveLength(42);
    const all = await request(`${address}/v1/ranking-histories?ncode=${codes.join()}`);
    expect(all.statusCode).toBe(429);
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
    const { get, upstream } = await start({ UPSTREAM_DAILY_REQUESTS: '5200' });
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
