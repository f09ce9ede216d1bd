import { setTimeout as wait } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startCountingUpstream } from '../catalogue/counting-upstream.ts';
import type { CountingUpstream } from '../catalogue/counting-upstream.ts';
import { send, startRedis } from './redis-servers.ts';
import type { RunningRedis } from './redis-servers.ts';
import { serve, until } from './running-service.ts';
import type { RunningCommand } from './running-service.ts';
import { slowness } from './slowness.ts';

const agent = new Agent({ connections: 200 });
let redis: RunningRedis;
let upstream: CountingUpstream;

const startReplica = (environment: Record<string, string> = {}): Promise<RunningCommand> =>
  serve({
    CATALOGUE_SOURCE: 'narou',
    NAROU_BASE_URL: upstream.url,
    NAROU_CONTACT: 'https://example.org/',
    STORE_URL: redis.url,
    // On a machine as busy as during these tests, a store may be silent for the usual 100 ms.
    STORE_TIMEOUT_MS: '2000',
    RATE_LIMIT: '0',
    LOG_LEVEL: 'warn',
    METRICS_PORT: '0',
    ...environment,
  });
const startReplicas = (count: number, environment?: Record<string, string>) =>
  Promise.all(Array.from({ length: count }, () => startReplica(environment)));

interface ServiceResponse {
  status: number;
  tookMs: number;
  retryAfter: number;
  body: { data?: unknown; meta?: { stale?: true } };
}

async function get(
  replica: RunningCommand,
  path: string,
  headers: Record<string, string> = {},
): Promise<ServiceResponse> {
  const from = performance.now();
  const response = await request(replica.catalogue + path, { dispatcher: agent, headers });
  const body = (await response.body.json()) as ServiceResponse['body'];
  const retryAfter = Number(response.headers['retry-after'] ?? 0);
  return { status: response.statusCode, tookMs: performance.now() - from, retryAfter, body };
}

async function isStoreInUse(replica: RunningCommand): Promise<boolean> {
  const address = /metrics +(http:\S+)/.exec(replica.printed())?.[1];
  if (address === undefined) return false;
  const { body } = await request(address, { dispatcher: agent });
  return (await body.text()).includes('mokuroku_store_in_use{service="catalogue"} 1');
}

const statusesOf = (answers: readonly ServiceResponse[]) => [...new Set(answers.map(({ status }) => status))];

beforeAll(async () => {
  redis = await startRedis();
  return async () => {
    await redis.kill();
    await agent.close();
  };
});
beforeEach(async () => {
  await send(redis.port, (client) => client.flushall());
  upstream = await startCountingUpstream();
});

describe('one uncached key, requested a thousand times at once', () => {
  it('costs an upstream request per replica at most', async () => {
    const replicas = await startReplicas(3);
    upstream.delayMs = 300;
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, (_, i) => get(replicas[i % 3]!, '/v1/novels/n1234ab')),
    );
    expect(statusesOf(answers)).toEqual([200]);
    expect(upstream.userAgents.length).toBeLessThanOrEqual(3);
  });

  it('is served by the other replicas if one is killed meanwhile', async () => {
    const replicas = await startReplicas(3);
    upstream.delayMs = 1_000;
    const answers = Array.from({ length: 300 }, (_, i) =>
      get(replicas[i % 3]!, '/v1/novels/n1234ab').catch(() => undefined),
    );
    await until(() => upstream.userAgents.length > 0);
    await replicas[0]!.end('SIGKILL');
    const statuses = (await Promise.all(answers)).map((answer) => answer?.status);
    expect(new Set(statuses.filter((_, i) => i % 3 !== 0))).toEqual(new Set([200]));
  });

  it('fails for all of them at once if the upstream fails, after one attempt', async () => {
    const replicas = await startReplicas(3);
    await upstream.goDown();
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, i) => get(replicas[i % 3]!, '/v1/novels/n1234ab')),
    );
    expect(statusesOf(answers)).toEqual([503]);
    expect(answers.every(({ retryAfter }) => retryAfter > 0)).toBe(true);
    await upstream.comeBack();
    // On a busy machine the failures last long enough to shut the upstream for two seconds.
    await until(async () => (await get(replicas[0]!, '/v1/novels/n1234ab')).status === 200, 200);
  });

  it('is cached for a replica that is started afterwards', async () => {
    const replica = await startReplica();
    expect((await get(replica, '/v1/novels/n1234ab')).status).toBe(200);
    await upstream.goDown();
    const late = await startReplica();
    expect((await get(late, '/v1/novels/n1234ab')).status).toBe(200);
  });
});

describe('the limit', () => {
  it('applies to four replicas together, and forged addresses gain nothing', async () => {
    const replicas = await startReplicas(4, { RATE_LIMIT: '60' });
    const from = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 400 }, (_, i) =>
        get(replicas[i % 4]!, '/v1/meta/genres', { 'x-forwarded-for': `203.0.113.${i % 250}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(340);
    const waits = refused.map(({ retryAfter }) => retryAfter);
    expect(Math.max(...waits)).toBeLessThanOrEqual(61);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(60 - Math.ceil((performance.now() - from) / 1_000));
  });

  it('is never exceeded by three replicas that start at once', async () => {
    for (let round = 0; round < 3; round++) {
      await send(redis.port, (client) => client.flushall());
      const statuses: number[] = [];
      const startAndAsk = async () => {
        const replica = await startReplica({ RATE_LIMIT: '60' });
        const ask = async () => statuses.push((await get(replica, '/v1/meta/genres')).status);
        await Promise.all(Array.from({ length: 50 }, ask));
      };
      await Promise.all([0, 1, 2].map(startAndAsk));
      expect(statuses.filter((status) => status === 200)).toHaveLength(60);
      expect(statuses.filter((status) => status === 429)).toHaveLength(90);
    }
  });

  it('counts each name of a list at all replicas', async () => {
    const [one, other] = await startReplicas(2, { RATE_LIMIT: '5' });
    const names = Array.from({ length: 8 }, (_, i) => `free-${i}.com`);
    const { body } = await request(`${one!.registration}/-/look-ups?names=${names.join(',')}`);
    const lines = (await body.text()).trim().split('\n');
    expect(lines.filter((line) => line.includes('"rate_limited"'))).toHaveLength(3);
    expect((await request(`${other!.registration}/example.com`)).statusCode).toBe(429);
  });
});

describe('the outgoing budget', () => {
  it('is shared by all replicas; when it is spent, cached responses are still served', async () => {
    const replicas = await startReplicas(2, {
      UPSTREAM_DAILY_REQUESTS: '30',
      UPSTREAM_CLIENT_SHARE_PERCENT: '100',
    });
    const answers: ServiceResponse[] = [];
    for (let i = 0; i < 30; i++) answers.push(await get(replicas[i % 2]!, `/v1/novels/n${1_000 + i}ab`));
    expect(upstream.userAgents).toHaveLength(10);
    expect(answers.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 10 }, () => 200),
      ...Array.from({ length: 20 }, () => 503),
    ]);
    expect(answers.at(-1)?.retryAfter).toBeGreaterThan(4_000);
    expect((await get(replicas[1]!, '/v1/novels/n1000ab')).status).toBe(200);
  });

  it('ends for nobody by moments a year ahead in the store, whatever runs meanwhile', async () => {
    const replicas = await startReplicas(2, { UPSTREAM_DAILY_REQUESTS: '3600', RATE_LIMIT: '60' });
    const statuses = async (from: number) =>
      Promise.all(
        Array.from({ length: 6 }, async (_, i) => {
          const { status } = await get(replicas[i % 2]!, `/v1/novels/n${from + i}ab`);
          return status;
        }),
      );
    expect(await statuses(1_000)).toEqual([200, 200, 200, 200, 200, 200]);
    await send(redis.port, async (client) => {
      const ahead = (Date.now() + 365 * 86_400_000) * 1_000;
      for (const key of await client.keys('*:budget:*'))
        for (const name of await client.zrange(key, 0, -1)) await client.zadd(key, ahead, name);
      for (const key of await client.keys('*:limit:*')) {
        await client.del(key);
        await client.rpush(key, ...Array.from({ length: 60 }, () => ahead));
      }
    });
    expect(await statuses(2_000)).toEqual([200, 200, 200, 200, 200, 200]);
    const [key] = await send(redis.port, (client) => client.keys('*:budget:*'));
    const latest = await send(redis.port, (client) => client.zrange(key!, -1, -1, 'WITHSCORES'));
    expect(Number(latest[1]) / 1_000 - Date.now()).toBeLessThan(12 * 3_600_000);
  });
});

describe('loss of the store', () => {
  /** Sends requests without pause, with cached and uncached keys, until stopped. */
  function keepAsking(replicas: readonly RunningCommand[]) {
    const answers: ServiceResponse[] = [];
    let stopped = false;
    let next = 0;
    const clients = Array.from({ length: 12 }, async (_, client) => {
      while (!stopped) {
        const path = `/v1/novels/n${1_000 + (client % 2 === 0 ? next++ % 5_000 : client)}ab`;
        answers.push(await get(replicas[client % 3]!, path));
        await wait(2);
      }
    });
    return {
      answers,
      stop: async () => {
        stopped = true;
        await Promise.all(clients);
      },
    };
  }

  it.each(['killed', 'stopped'])(
    'costs no request when it is %s under load, and it is back in use within 5 s',
    async (how) => {
      const replicas = await startReplicas(3, { RATE_LIMIT: '1000000', STORE_TIMEOUT_MS: '100' });
      const sending = keepAsking(replicas);
      await wait(1_000);
      const usual = Math.max(...sending.answers.slice(-200).map(({ tookMs }) => tookMs));
      const before = sending.answers.length;
      if (how === 'killed') await redis.kill();
      else redis.process().kill('SIGSTOP');
      await wait(2_000);
      const slowest = Math.max(...sending.answers.slice(before).map(({ tookMs }) => tookMs));
      if (how === 'killed') await redis.restart();
      else redis.process().kill('SIGCONT');
      const backFrom = performance.now();
      await Promise.all(replicas.map((replica) => until(() => isStoreInUse(replica))));
      const backAfter = performance.now() - backFrom;
      const slow = slowness();
      await sending.stop();
      expect(sending.answers.length).toBeGreaterThan(20);
      expect(statusesOf(sending.answers)).toEqual([200]);
      // One timeout of the store, and extra for a busy machine.
      expect(slowest).toBeLessThan(usual + 100 + 1_000 * slow);
      expect(backAfter).toBeLessThan(5_000 * slow);
    },
  );

  it('is reported as lost once a minute, however often that happens', async () => {
    const replica = await startReplica();
    for (let time = 0; time < 3; time++) {
      await redis.kill();
      await until(async () => !(await isStoreInUse(replica)));
      await redis.restart();
      await until(() => isStoreInUse(replica));
    }
    expect(replica.printed().match(/"catalogue".*the store is unreachable/g)).toHaveLength(1);
  });

  it('does not prevent a replica from starting', async () => {
    await redis.kill();
    const replica = await startReplica();
    await until(() => replica.printed().includes('the store is unreachable'));
    expect((await get(replica, '/v1/novels/n1234ab')).status).toBe(200);
    await redis.restart();
    await until(() => isStoreInUse(replica));
  });
});
