import { describe, expect, it, onTestFinished } from 'vitest';
import { startCatalogue } from '../../packages/mokuroku/src/catalogue/main.ts';
import { startRespServer } from '../store/resp-server.ts';

const numbers = (...each: number[]) => `*${each.length}\r\n${each.map((n) => `:${n}\r\n`).join('')}`;

/** The sample with a limit of eight, and a store whose scripts reply what the test says. */
async function startLimited(monotonic = () => 0) {
  const store = { reply: numbers(1, 4, 60_000_000), isForgetful: false };
  const { port, commands } = await startRespServer(([name]) => {
    if (name === 'evalsha' && store.isForgetful) return '-NOSCRIPT No matching script.\r\n';
    return name === 'get' ? '$-1\r\n' : store.reply;
  });
  const settings = { CATALOGUE_PORT: '0', LOG_LEVEL: 'silent', STORE_TIMEOUT_MS: '5000', RATE_LIMIT: '8' };
  const clock = { now: () => Date.now(), monotonic };
  const url = `redis://127.0.0.1:${port}`;
  const service = await startCatalogue({ ...settings, STORE_URL: url }, clock);
  onTestFinished(() => service.close());
  const get = async () => {
    const { status, headers } = await fetch(`${service.address}/v1/meta/genres`);
    return [status, headers.get('ratelimit')];
  };
  const isStoreInUse = async () => {
    const gauge = await service.metrics.getSingleMetric('mokuroku_store_in_use')?.get();
    return gauge?.values[0]?.value === 1;
  };
  return { store, commands, get, isStoreInUse };
}

describe('the limit of replicas', () => {
  it('counts no request that the store refuses', async () => {
    const { store, get } = await startLimited();
    store.reply = numbers(0, 0, 1_000_000);
    for (let time = 0; time < 10; time++) expect((await get())[0]).toBe(429);
    store.reply = numbers(1, 4, 60_000_000);
    expect((await get())[0]).toBe(200);
  });

  it('is that of a store that has forgotten the script', async () => {
    const { store, get } = await startLimited();
    store.reply = numbers(0, 0, 1_000_000);
    store.isForgetful = true;
    expect((await get())[0]).toBe(429);
  });

  it('is that of this process if the store replies something else', async () => {
    const { store, get } = await startLimited();
    store.reply = numbers(1);
    expect(await get()).toEqual([200, expect.stringContaining('r=7;t=60')]);
  });

  it('is kept by each process, whatever the store admits', async () => {
    const { get } = await startLimited();
    for (let time = 0; time < 8; time++) expect((await get())[0]).toBe(200);
    expect((await get())[0]).toBe(429);
  });

  it('states what is left in this process and in the store', async () => {
    const { store, get } = await startLimited();
    store.reply = numbers(1, 2, 12_000_001);
    expect(await get()).toEqual([200, expect.stringContaining('r=2;t=13')]);
    store.reply = numbers(1, 4, 60_000_000);
    expect(await get()).toEqual([200, expect.stringContaining('r=4;t=60')]);
  });

  it.each([
    ['a value of another type', '-WRONGTYPE Operation against a key holding the wrong kind of value\r\n'],
    ['moments a year ahead', numbers(1, 4, 31_536_000_000_000)],
  ])('is that of this process, and the store stays in use, if its key has %s', async (_what, reply) => {
    let ms = 0;
    const { store, commands, get, isStoreInUse } = await startLimited(() => ms);
    store.reply = reply;
    for (let left = 7; left >= 0; left--, ms += 400) {
      const wait = 60 - Math.floor(((7 - left) * 400) / 1_000);
      expect(await get()).toEqual([200, expect.stringContaining(`r=${left};t=${wait}`)]);
    }
    expect((await get())[0]).toBe(429);
    expect(await isStoreInUse()).toBe(true);
    // It would be so for a year.
    const deleted = commands.filter(([name]) => name === 'del').map(([, key]) => key);
    const key = commands.find(([name]) => name === 'evalsha')?.[3];
    expect(deleted).toEqual(reply.startsWith('-') ? [] : Array.from({ length: 8 }, () => key));
  });
});
