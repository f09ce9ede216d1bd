import { describe, expect, it, onTestFinished } from 'vitest';
import {
  answers,
  clientOver,
  closed,
  readAll,
  serveRegistry,
  silentClient,
} from '../../test/client-world.ts';
import { record } from '../../test/loopback-world.ts';
import { NIC } from '../../test/opened-world.ts';
import { DEFAULT_SETTINGS } from './domain-look-up.ts';
import { createClientOf } from './look-up-client.ts';

/** With the default limits. */
async function limitedClient(
  answer: Parameters<typeof serveRegistry>[0],
  time: Parameters<typeof createClientOf>[1],
) {
  const { ports } = await serveRegistry(answer);
  const host = '127.0.0.1';
  const settings = {
    ...DEFAULT_SETTINGS,
    whoisRoot: { host, port: ports.root },
    hostMap: new Map([[NIC, { host, port: ports.registry }]]),
    allowedCidrs: ['127.0.0.1/32'],
    timeoutMs: 4_000,
  };
  const client = createClientOf(settings, time);
  onTestFinished(client.close);
  return client;
}

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

describe('lookUpMany', () => {
  it('yields the outcome of each name, also of invalid names', async () => {
    const { lookUpMany } = await clientOver(answers);
    const outcomes = await readAll(lookUpMany(['a.test', 'b.test', '-a.test']));
    const results = outcomes.map(({ name, data, error }) => [name, data?.state ?? error?.code]);
    expect(results.sort()).toEqual([
      ['-a.test', 'invalid_domain'],
      ['a.test', 'registered'],
      ['b.test', 'registered'],
    ]);
  });

  it('rejects with the reason of its signal', async () => {
    const controller = new AbortController();
    const { lookUpMany } = await clientOver((name, socket) => {
      if (name === 'b.test') controller.abort(new Error('enough'));
      else socket.end(record(name));
    });
    const outcomes = readAll(lookUpMany(['a.test', 'b.test'], { signal: controller.signal }));
    await expect(outcomes).rejects.toThrow('enough');
  });

  it('aborts running look-ups when its reader stops', async () => {
    const { lookUpMany, nextSocket } = await silentClient();
    const outcomes = lookUpMany(['a.test', 'b.test']);
    const first = outcomes.next();
    (await nextSocket()).end(record('a.test'));
    const gone = closed(await nextSocket());
    expect((await first).value).toMatchObject({ name: 'a.test' });
    await outcomes.return();
    await gone;
  });

  it('reads an endless source no further than a thousand names ahead', async () => {
    const { lookUpMany, nextSocket } = await silentClient();
    let read = 0;
    async function* names() {
      for (;;) {
        yield `a${read++}.test`;
        await new Promise(setImmediate);
      }
    }
    const outcomes = lookUpMany(names());
    const first = outcomes.next();
    await expect.poll(() => read).toBe(1_004);
    (await nextSocket()).end(record('a0.test'));
    await first;
    await outcomes.return();
  });

  it('takes pasted URLs, also from async iterables, which it reads no further than its reader', async () => {
    const { lookUpMany, queries } = await clientOver(answers);
    let isEnded = false;
    async function* names() {
      try {
        yield 'https://c.test/';
        for (let index = 0; ; index++) {
          await new Promise(setImmediate);
          yield `a${index}.test`;
        }
      } finally {
        isEnded = true;
      }
    }
    const found: string[] = [];
    for await (const { name, data } of lookUpMany(names())) {
      found.push(`${name} ${data?.state}`);
      if (found.length === 2) break;
    }
    expect(found).toEqual(['https://c.test/ registered', expect.stringMatching(/^a\d\.test registered$/)]);
    expect(queries).toContain('c.test');
    await expect.poll(() => isEnded).toBe(true);
  });

  it('rejects with the reason of its signal also while it waits for our own limit', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    // Longer than a look-up waits for its turn.
    const sleep = (milliseconds: number) => {
      if (milliseconds < 4_000) return Promise.resolve();
      controller.abort(new Error('enough'));
      return Promise.reject(new Error('woken'));
    };
    const clock = { now: () => 0, monotonic: () => 0 };
    const { lookUpMany } = await limitedClient((name, socket) => socket.end(record(name)), { clock, sleep });
    const names = Array.from({ length: 60 }, (_, index) => `name${index}.test`);
    await expect(readAll(lookUpMany(names, { signal }))).rejects.toThrow('enough');
  });

  it('60 names of one registry with the default limits: none fails because of them', async () => {
    const { clock, sleep } = timeBySleepers();
    const sentAt: number[] = [];
    const { lookUpMany } = await limitedClient(
      (name, socket) => {
        sentAt.push(clock.monotonic());
        socket.end(record(name));
      },
      { clock, sleep },
    );
    const outcomes = await readAll(lookUpMany(Array.from({ length: 60 }, (_, index) => `name${index}.test`)));
    expect(outcomes.filter(({ error }) => error)).toEqual([]);
    expect(sentAt).toHaveLength(60);
    // Ten at once, then five a second.
    expect(sentAt.at(-1)).toBeCloseTo(10_000, -1);
  });
});
