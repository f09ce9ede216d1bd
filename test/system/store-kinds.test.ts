import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock, silentLogger } from '@mokuroku/kit/process';
import { createLimiter } from '../../packages/kit/src/limits/rate-limiter.ts';
import type { RateLimiter } from '@mokuroku/kit/limits';
import { openStore } from '@mokuroku/kit/store';
import type { Store } from '@mokuroku/kit/store';
import { Budget, createSharedDebts } from '@mokuroku/narou/upstream';
import type { BudgetLimits } from '@mokuroku/narou/upstream';
import { createEntryStore } from '../../packages/kit/src/cache/entry-store.ts';
import { createDataEntry } from '../../packages/kit/src/cache/cache-entry.ts';
import { policy } from '../../packages/kit/test/cache/cache-under-test.ts';
import { send, startRedis } from './redis-servers.ts';
import type { RunningRedis } from './redis-servers.ts';
import { until } from './running-service.ts';
import { temporaryFolder } from '../temporary-folder.ts';

async function redis(...options: Parameters<typeof startRedis>): Promise<RunningRedis> {
  const running = await startRedis(...options);
  onTestFinished(async () => void (await running.kill()));
  return running;
}

/** One replica's part of the store. */
async function open(url: string, sentinelName?: string): Promise<Store> {
  const store = await openStore(
    {
      STORE_URL: url.split(','),
      STORE_SENTINEL_NAME: sentinelName,
      STORE_PREFIX: 'mokuroku:',
      // A busy machine must not look like a failed store.
      STORE_TIMEOUT_MS: 2_000,
    },
    { scope: 'test', clock: systemClock, logger: silentLogger() },
  );
  onTestFinished(() => store!.close());
  return store!;
}

function budgetOn(store: Store, limits: BudgetLimits): Budget {
  return new Budget(limits, systemClock, createSharedDebts(store));
}

function limiterOf(store: Store, limit: number, windowSeconds: number): RateLimiter {
  return createLimiter({ requestsPerMinute: limit, windowSeconds, clock: systemClock, store })!;
}

const answer = createDataEntry({ data: 'kept', meta: {} }, policy, Date.now());

/** Checks that responses, limits and budgets pass from one replica to another. */
async function worksBetween(one: Store, two: Store): Promise<void> {
  const entries = createEntryStore(two);
  createEntryStore(one).put('key', answer, Date.now());
  await until(async () => (await entries.find('key')) !== undefined);
  expect((await entries.find('key'))?.data.toString()).toBe('"kept"');

  const limiters = [one, two].map((store) => limiterOf(store, 5, 60));
  const decisions = [];
  for (let i = 0; i < 8; i++) decisions.push(await limiters[i % 2]!.admit('client'));
  expect(decisions.map(({ isAllowed }) => Number(isAllowed))).toEqual([1, 1, 1, 1, 1, 0, 0, 0]);

  // Three at once.
  const limits = { requests: 9, bytes: 1_000, clientShare: 1 };
  const budgets = [one, two].map((store) => budgetOn(store, limits));
  const spent = [];
  for (let i = 0; i < 5; i++) spent.push((await budgets[i % 2]!.spend(undefined)).spent);
  expect(spent).toEqual([undefined, undefined, undefined, 'all', 'all']);
}

describe('the store is reached', () => {
  it('at a host, with user, password and database', async () => {
    const { port } = await redis(['user reader on >p@ss ~mokuroku:* +@all', 'requirepass other']);
    const url = `redis://reader:p%40ss@127.0.0.1:${port}/3`;
    await worksBetween(await open(url), await open(url));
  });

  it('at a unix socket', async () => {
    const path = join(temporaryFolder(), 'redis.sock');
    await redis([`unixsocket ${path}`]);
    await worksBetween(await open(path), await open(`${path}?db=0`));
  });

  it('through Sentinels, which name another master when the first one fails', async () => {
    const master = await redis();
    const replica = await redis([`replicaof 127.0.0.1 ${master.port}`]);
    const watch = [
      `sentinel monitor mymaster 127.0.0.1 ${master.port} 2`,
      // A master that a busy machine delays is not down.
      'sentinel down-after-milliseconds mymaster 2000',
      'sentinel failover-timeout mymaster 6000',
    ];
    const sentinels: RunningRedis[] = [];
    for (let i = 0; i < 3; i++) sentinels.push(await redis(watch, true));
    await until(async () => {
      const info = await send(sentinels[0]!.port, (client) => client.info('sentinel'));
      return /slaves=1,sentinels=3/.test(info);
    }, 100);
    const url = sentinels.map((sentinel) => sentinel.url).join(',');
    const [one, two] = [await open(url, 'mymaster'), await open(url, 'mymaster')];
    await worksBetween(one, two);
    await master.kill();
    await until(() => !one.isUsable);
    expect((await limiterOf(one, 5, 60).admit('during')).isAllowed).toBe(true);
    await until(() => one.isUsable && two.isUsable);
    expect(await send(replica.port, (client) => client.info('replication'))).toContain('role:master');
    await send(replica.port, (client) => client.flushall());
    await worksBetween(one, two);
  });

  it('on a cluster, which continues without one of its masters', async () => {
    const nodes: RunningRedis[] = [];
    for (let i = 0; i < 6; i++) {
      nodes.push(await redis(['cluster-enabled yes', 'cluster-node-timeout 1000']));
    }
    const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`);
    const create = ['--cluster', 'create', ...hosts, '--cluster-replicas', '1', '--cluster-yes'];
    execFileSync('redis-cli', create, { stdio: 'ignore' });
    for (const { port } of nodes) {
      await until(async () =>
        (await send(port, (node) => node.cluster('INFO'))).includes('cluster_state:ok'),
      );
      const isSynchronised = /role:master|master_link_status:up/;
      await until(async () => isSynchronised.test(await send(port, (node) => node.info('replication'))));
    }
    const url = nodes
      .slice(0, 3)
      .map((node) => node.url)
      .join(',');
    const [one, two] = [await open(url), await open(url)];
    expect(one.isUsable).toBe(true);
    await worksBetween(one, two);
    await nodes[0]!.kill();
    const limiter = limiterOf(one, 1_000, 60);
    for (let i = 0; i < 50; i++) expect((await limiter.admit(`client ${i}`)).isAllowed).toBe(true);
    await until(async () => {
      for (let i = 0; i < 50; i++) await limiter.admit(`other ${i}`);
      return one.isUsable;
    }, 100);
  });
});

/** Blocks the event loop like compilation and first requests at a start. */
function beBusy(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

function beBusyLater(turns: number, milliseconds: number): void {
  setImmediate(() => {
    if (turns >= 1) beBusyLater(turns - 1, milliseconds);
    else beBusy(milliseconds);
  });
}

describe('the limit on a real store', () => {
  it('is never exceeded by three replicas that start under load, in fifty starts', async () => {
    const { url } = await redis();
    for (let round = 0; round < 17; round++) {
      const client = `client ${round}`;
      let admitted = 0;
      const startAndAsk = async (i: number) => {
        beBusy((round * 37 + i * 50) % 150);
        const opening = open(url);
        // Sometimes so long, at varying moments, that the first connection attempt times out.
        beBusyLater((round / 3) % 10, round % 3 === 0 && i === 1 ? 1_300 : (round * 71) % 120);
        const limiter = limiterOf(await opening, 60, 60);
        const decisions = Array.from({ length: 50 }, async () => limiter.admit(client));
        beBusy((round * 53) % 120);
        for (const { isAllowed } of await Promise.all(decisions)) if (isAllowed) admitted++;
      };
      await Promise.all([0, 1, 2].map(startAndAsk));
      expect(admitted).toBe(60);
    }
  });

  it('is never exceeded in any span, by four replicas and any arrival pattern', async () => {
    const { url } = await redis();
    const limiters: RateLimiter[] = [];
    for (let i = 0; i < 4; i++) limiters.push(limiterOf(await open(url), 60, 2));
    const admitted: { sent: number; received: number }[] = [];
    const end = performance.now() + 9_000;
    const client = async (replica: number) => {
      while (performance.now() < end) {
        const sent = performance.now();
        const { isAllowed } = await limiters[replica]!.admit('client');
        if (isAllowed) admitted.push({ sent, received: performance.now() });
        await wait(Math.random() < 0.05 ? 400 * Math.random() : 3 * Math.random());
      }
    };
    await Promise.all([0, 1, 2, 3, 0, 1, 2, 3].map(client));
    admitted.sort((a, b) => a.sent - b.sent);
    // The moment of each decision lies between sending and receiving.
    for (let i = 60; i < admitted.length; i++) {
      const inSpan = admitted.slice(i - 60, i + 1);
      const latest = Math.max(...inSpan.map(({ received }) => received));
      expect(latest - admitted[i - 60]!.sent).toBeGreaterThan(2_000);
    }
    expect(admitted.length).toBeGreaterThan(180);
  });

  it('admits every client that obeys Retry-After, and always one with evenly spaced requests', async () => {
    const { url } = await redis();
    const limiters: RateLimiter[] = [];
    for (let i = 0; i < 4; i++) limiters.push(limiterOf(await open(url), 20, 2));
    const obedient = async () => {
      for (let round = 0; round < 3; round++) {
        for (let i = 0; ; i++) {
          const decision = await limiters[i % 4]!.admit('obedient');
          if (decision.isAllowed) continue;
          await wait(decision.resetSeconds * 1_000);
          break;
        }
        expect((await limiters[round % 4]!.admit('obedient')).isAllowed).toBe(true);
      }
    };
    const even = async () => {
      for (let i = 0; i < 60; i++) {
        // Each request begins 120 ms after the previous response. However late one is, no span of 2 s has 21.
        expect((await limiters[i % 4]!.admit('even')).isAllowed).toBe(true);
        await wait(120);
      }
    };
    await Promise.all([obedient(), even()]);
  });

  it('leaves nothing in the store when its window is over', async () => {
    const { url, port } = await redis();
    const limiter = limiterOf(await open(url), 60, 1);
    for (let i = 0; i < 500; i++) await limiter.admit(`client ${i}`);
    expect(await send(port, (client) => client.dbsize())).toBeGreaterThan(400);
    await until(async () => (await send(port, (client) => client.dbsize())) <= 1);
  });
});

describe('the budget on a real store', () => {
  // Ten requests and 500 bytes at once.
  const limits = { requests: 30, bytes: 1_500, clientShare: 1 };
  const by = (client: string, background = false) => ({ client, background });

  it('survives a flush of the store', async () => {
    const { url, port } = await redis();
    const budget = budgetOn(await open(url), limits);
    for (let i = 0; i < 6; i++) await budget.spend(undefined);
    budget.addBytes(200, undefined);
    await send(port, (client) => client.flushall());
    for (let i = 0; i < 4; i++) expect((await budget.spend(undefined)).spent).toBeUndefined();
    const other = budgetOn(await open(url), limits);
    for (const each of [budget, other]) expect((await each.spend(undefined)).spent).toBe('all');
    expect(budget.used).toEqual({ requests: 10, bytes: 200 });
  });

  it('counts the share of each client on all replicas, in requests and in bytes', async () => {
    const { url, port } = await redis();
    const stores = [await open(url), await open(url)];
    // At once: 1,300 requests and 13,000 bytes in all, 60 and 600 of a client.
    const shared = { requests: 3_900, bytes: 39_000, clientShare: 0.2 };
    const budgets = stores.map((store) => budgetOn(store, shared));
    const spend = async (client: string, replica: number, background = false) =>
      (await budgets[replica]!.spend(by(client, background))).spent;
    for (let i = 0; i < 60; i++) expect(await spend('a', i % 2)).toBeUndefined();
    for (const replica of [0, 1]) expect(await spend('a', replica)).toBe('client');
    expect(await spend('b', 0)).toBeUndefined();
    budgets[0]!.addBytes(600, by('b'));
    for (const replica of [0, 1]) expect(await spend('b', replica)).toBe('client');
    budgets[1]!.addBytes(10_400, undefined);
    for (const client of ['c', 'd']) expect(await spend(client, 1)).toBeUndefined();
    expect(await spend('c', 0, true)).toBe('all');
    const [key = ''] = await send(port, (client) => client.keys('*budget*'));
    const names = await send(port, (client) => client.zrange(key, 0, -1));
    // Requests and bytes of all and of b, requests of the others.
    expect(names).toHaveLength(2 + 4 + 3 * 2);
    expect(names.join('')).toMatch(/^[\w-]+$/);
    expect(await send(port, (client) => client.pttl(key))).toBeGreaterThan(0);
  });
});
