import { afterEach, expect, it } from 'vitest';
import { record, rootObject } from '../../test/loopback-world.ts';
import { startWhoisServer } from '../sample/loopback-server.ts';
import { createClientOf } from './look-up-client.ts';
import { DEFAULT_SETTINGS } from './domain-look-up.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Time that passes as soon as everybody sleeps: up to the first who wants to wake. */
function timeBySleepers() {
  let now = 0;
  const sleepers: { at: number; wake: () => void }[] = [];
  const sleep = (milliseconds: number) =>
    new Promise<void>((wake) => {
      sleepers.push({ at: now + milliseconds, wake });
      sleepers.sort((a, b) => a.at - b.at);
      setImmediate(() => {
        const first = sleepers.shift();
        if (first === undefined) return;
        now = Math.max(now, first.at);
        first.wake();
      });
    });
  return { sleep, clock: { now: () => now, monotonic: () => now } };
}

it('60 names of one registry with the default limits: none fails because of them', async () => {
  const { clock, sleep } = timeBySleepers();
  const sentAt: number[] = [];
  const registry = await startWhoisServer((name, socket) => {
    sentAt.push(clock.monotonic());
    socket.end(record(name));
  });
  const root = await startWhoisServer((tld, socket) => socket.end(rootObject(tld, 'whois.nic.test')));
  closing.push(
    () => registry.close(),
    () => root.close(),
  );
  const hostMap = new Map([['whois.nic.test', { host: '127.0.0.1', port: registry.port }]]);
  const whoisRoot = { host: '127.0.0.1', port: root.port };
  const settings = {
    ...DEFAULT_SETTINGS,
    whoisRoot,
    hostMap,
    allowedCidrs: ['127.0.0.1/32'],
    timeoutMs: 4_000,
  };
  const { lookUpMany, close } = createClientOf(settings, { clock, sleep });
  closing.push(close);

  const names = Array.from({ length: 60 }, (_, index) => `name${index}.test`);
  const failed: unknown[] = [];
  for await (const { error } of lookUpMany(names)) if (error) failed.push(error);
  expect(failed).toEqual([]);
  expect(sentAt).toHaveLength(60);
  // Ten at once, then five a second.
  expect(sentAt.at(-1)).toBeCloseTo(10_000, -1);
});
