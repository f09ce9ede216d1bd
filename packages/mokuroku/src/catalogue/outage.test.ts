import { afterEach, describe, expect, it } from 'vitest';
import { startCountingUpstream } from '../../../../test/catalogue/counting-upstream.ts';
import type { CountingUpstream } from '../../../../test/catalogue/counting-upstream.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { requestPatiently } from '../../test/http/request-patiently.ts';
import type { Clock } from '@mokuroku/kit/process';
import { startCatalogue } from './main.ts';

const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

interface Body {
  meta?: { stale?: true; cached: boolean };
  error?: { code: string };
}

function movableClock() {
  let ahead = 0;
  const clock: Clock = { now: () => Date.now() + ahead, monotonic: () => performance.now() + ahead };
  return {
    clock,
    advance: (seconds: number) => {
      ahead += seconds * 1_000;
    },
  };
}

async function start(upstream: CountingUpstream, clock: Clock, environment: Record<string, string> = {}) {
  const service = await startCatalogue(
    {
      CATALOGUE_SOURCE: 'narou',
      NAROU_BASE_URL: upstream.url,
      CATALOGUE_PORT: '0',
      RATE_LIMIT: '0',
      LOG_LEVEL: 'silent',
      ...environment,
    },
    clock,
  );
  let running = true;
  const close = async () => {
    if (running) await service.close();
    running = false;
  };
  cleanUps.push(close);
  const get = (path: string) => requestPatiently<Body>(service.address + path);
  return { get, close };
}

async function startUpstream(): Promise<CountingUpstream> {
  const upstream = await startCountingUpstream();
  cleanUps.push(upstream.close);
  return upstream;
}

const novels = Array.from({ length: 20 }, (_, i) => `/v1/novels/n${1_000 + i}ab`);
const DAY = 86_400;

describe('while the upstream is down', () => {
  it('every cached key is served, marked stale, for 14 days and no longer', async () => {
    const upstream = await startUpstream();
    const { clock, advance } = movableClock();
    const { get } = await start(upstream, clock);
    for (const path of novels) expect((await get(path)).status).toBe(200);
    await upstream.goDown();
    for (const days of [1, 6, 6.9]) {
      advance(days * DAY);
      for (const path of novels) {
        const { status, body, headers } = await get(path);
        expect([status, body.meta?.stale, body.meta?.cached]).toEqual([200, true, true]);
        expect(Number(headers['age'])).toBeGreaterThanOrEqual(DAY);
        expect(headers['cache-status']).toContain('stale');
      }
    }
    advance(0.2 * DAY);
    for (const path of novels) {
      const { status, body, headers } = await get(path);
      expect([status, body.error?.code]).toEqual([503, 'upstream_unavailable']);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
  });

  it('uncached keys fail at once when the upstream has been unresponsive for long enough', async () => {
    const upstream = await startUpstream();
    const { clock, advance } = movableClock();
    const { get } = await start(upstream, clock, { UPSTREAM_TIMEOUT_MS: '400' });
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
    upstream.delayMs = 0;
    advance(3);
    expect((await get(novels[0] ?? '')).status).toBe(200);
    expect((await get(novels[1] ?? '')).status).toBe(200);
  });

  it('a restart loses nothing that is cached on disk', async () => {
    const directory = temporaryFolder();
    const upstream = await startUpstream();
    const { clock, advance } = movableClock();
    const first = await start(upstream, clock, { CACHE_DIR: directory });
    for (const path of novels) await first.get(path);
    await first.close();
    await upstream.goDown();
    advance(DAY);
    const second = await start(upstream, clock, { CACHE_DIR: directory });
    for (const path of novels) {
      const { status, body } = await second.get(path);
      expect([status, body.meta?.stale]).toEqual([200, true]);
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
    const upstream = await startUpstream();
    const { get } = await start(upstream, movableClock().clock);
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
