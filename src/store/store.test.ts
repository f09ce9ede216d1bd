import { describe, expect, it } from 'vitest';
import { systemClock } from '../process/clock.ts';
import { silentLogger } from '../process/logger.ts';
import { SlidingWindowLimiter } from '../limits/rate-limiter.ts';
import type { StoreClient, StoreLink } from './connect-store.ts';
import { createStoreBudget } from '../upstream/store-budget.ts';
import { createStoreFlight } from './store-flight.ts';
import { createStoreKeys } from './store-keys.ts';
import { createStoreLimiter } from '../limits/store-limiter.ts';
import { GuardedStore } from './store.ts';

const keys = createStoreKeys('mokuroku:', 'test');
const turn = () => new Promise((done) => setImmediate(done));

interface Controls {
  mood: 'answering' | 'silent' | 'gone';
  commands: number;
  reconnects: number;
  onReady: () => void;
  onTrouble: (error: Error) => void;
}

/** A link to a store that answers, refuses or falls silent as a test says. */
function linkTo() {
  const link: Controls = {
    mood: 'answering',
    commands: 0,
    reconnects: 0,
    onReady: () => undefined,
    onTrouble: () => undefined,
  };
  function reply(value: unknown): Promise<never> {
    link.commands++;
    if (link.mood === 'silent') return new Promise(() => undefined);
    if (link.mood === 'gone') return Promise.reject(new Error('the connection is closed'));
    return Promise.resolve(value as never);
  }
  const client = {
    set: () => reply('OK'),
    getBuffer: () => reply(null),
    evalsha: () => reply([1, 59, 60_000_000]),
    eval: () => reply(null),
  } as unknown as StoreClient;
  const asLink: StoreLink = {
    client,
    watch: (onReady, onTrouble) => {
      link.onReady = onReady;
      link.onTrouble = onTrouble;
    },
    reconnect: () => {
      link.reconnects++;
    },
    close: () => Promise.resolve(),
  };
  return { link, asLink };
}

async function openStore() {
  const { link, asLink } = linkTo();
  const store = new GuardedStore({
    ...{ link: asLink, probeKey: keys.probe, timeoutMs: 10 },
    ...{ clock: systemClock, logger: silentLogger() },
  });
  link.onReady();
  await store.settled;
  return { link, store };
}

/** Resolves when the store is usable again; the test's own time limit bounds it. */
async function regained(store: GuardedStore): Promise<void> {
  while (!store.usable) await turn();
}

describe('the guarded store', () => {
  it('lets a start go on when the store cannot be reached', async () => {
    const { link, asLink } = linkTo();
    link.mood = 'gone';
    const store = new GuardedStore({
      ...{ link: asLink, probeKey: keys.probe, timeoutMs: 10 },
      ...{ clock: systemClock, logger: silentLogger() },
    });
    link.onTrouble(new Error('connection refused'));
    await store.settled;
    expect(store.usable).toBe(false);
    await store.close();
  });

  it('costs one time-out when the store falls silent, and is in use again when it speaks', async () => {
    const { link, store } = await openStore();
    link.mood = 'silent';
    const waiting = Array.from({ length: 50 }, () => store.run((client) => client.getBuffer('k')));
    const ends = await Promise.allSettled(waiting);
    expect(ends.every(({ status }) => status === 'rejected')).toBe(true);
    const sent = link.commands;
    await expect(store.run((client) => client.getBuffer('k'))).rejects.toThrow('out of reach');
    expect(link.commands).toBe(sent);
    link.mood = 'answering';
    await regained(store);
    expect(await store.run((client) => client.getBuffer('k'))).toBeNull();
    await store.close();
  });

  it('gives up everything that waits the moment the connection breaks', async () => {
    const { link, store } = await openStore();
    link.mood = 'silent';
    const waiting = store.run((client) => client.getBuffer('k'));
    link.onTrouble(new Error('reset'));
    await expect(waiting).rejects.toThrow('reset');
    expect(store.usable).toBe(false);
    await store.close();
  });

  it('makes the connection anew when the store stays silent on this one', async () => {
    const { link, store } = await openStore();
    link.mood = 'silent';
    await store.run((client) => client.getBuffer('k')).catch(() => undefined);
    while (link.reconnects === 0) await turn();
    link.mood = 'answering';
    await regained(store);
    await store.close();
  });
});

describe('what is built on the store, while it is out of reach', () => {
  it('limits each replica for itself, counting what it admitted before', async () => {
    const { link, store } = await openStore();
    const local = new SlidingWindowLimiter({
      ...{ clock: systemClock, limit: 60, windowSeconds: 60, maxClients: 10 },
    });
    const limiter = createStoreLimiter({ store, keys, clock: systemClock, local });
    for (let i = 0; i < 40; i++) expect((await limiter.take('a')).allowed).toBe(true);
    link.onTrouble(new Error('gone'));
    let admitted = 0;
    for (let i = 0; i < 40; i++) if ((await limiter.take('a')).allowed) admitted++;
    expect(admitted).toBe(20);
    await store.close();
  });

  it('asks the source itself', async () => {
    const { link, store } = await openStore();
    link.onTrouble(new Error('gone'));
    const flight = createStoreFlight({
      ...{ store, keys, clock: systemClock, makeToken: () => 't', random: Math.random },
      ...{ wait: turn, maxWaitMs: 1_000 },
    });
    const answer = await flight.once(
      'k',
      () => Promise.resolve('led'),
      () => Promise.resolve(undefined),
    );
    expect(answer).toBe('led');
    await store.close();
  });

  it('goes on spending from what it knew of the budget', async () => {
    const { link, store } = await openStore();
    const limits = { requests: 2, bytes: 1_000, windowSeconds: 86_400, clientShare: 1 };
    const budget = createStoreBudget({ store, keys, clock: systemClock, name: 'default', limits });
    link.onTrouble(new Error('gone'));
    expect(await budget.take(undefined)).toMatchObject({ spent: undefined });
    budget.addBytes(1_000, undefined);
    const refused = await budget.take(undefined);
    expect(refused.spent).toBe('all');
    expect(refused.secondsLeft).toBeGreaterThan(86_000);
    await store.close();
  });
});
