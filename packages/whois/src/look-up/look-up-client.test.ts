import { EventEmitter, getEventListeners, on } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answers, clientOver, readAll, serveRegistry } from '../../test/client-world.ts';
import { record } from '../../test/loopback-world.ts';
import { NIC } from '../../test/opened-world.ts';
import { LookUpError, lookUpDomain, parseRdap } from '../index.ts';
import { DEFAULT_SETTINGS } from './domain-look-up.ts';
import { createClientOf } from './look-up-client.ts';

describe('an error of the library', () => {
  it.each([
    ['-a.test', 'invalid_domain'],
    ['free.test', 'not_registered'],
  ])('has its own class: of %s, %s', async (name, code) => {
    const { lookUpDomain } = await clientOver((_, socket) => socket.end('No match!!\r\n'));
    const error: unknown = await lookUpDomain(name).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(LookUpError);
    expect(error).toMatchObject({ name: 'LookUpError', code });
  });
});

/** A world whose registry answers when the test says so. */
async function silentWorld() {
  const arrivals = new EventEmitter();
  const sockets = on(arrivals, 'socket');
  const client = await clientOver((_, socket) => arrivals.emit('socket', socket), { timeoutMs: 3_600_000 });
  /** The connection of the next query. */
  const nextSocket = async () => ((await sockets.next()).value as [Socket])[0];
  return { ...client, nextSocket };
}

const closed = (socket: Socket) => new Promise<void>((done) => socket.once('close', () => done()));

describe('a signal', () => {
  it('aborts a running look-up with its reason, and closes the connection', async () => {
    const { lookUpDomain, nextSocket } = await silentWorld();
    const controller = new AbortController();
    const looked = lookUpDomain('a.test', { signal: controller.signal });
    const gone = closed(await nextSocket());
    controller.abort(new Error('enough'));
    await expect(looked).rejects.toThrow('enough');
    await gone;
  });

  it('of a program that looks up many names has no listener of those that are done', async () => {
    const { lookUpDomain, lookUpMany } = await clientOver((name, socket) => socket.end(record(name)));
    const { signal } = new AbortController();
    await lookUpDomain('a.test', { signal });
    await readAll(lookUpMany(['b.test', '-c.test'], { signal }));
    await expect.poll(() => getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('that is already aborted sends no query', async () => {
    const { lookUpDomain, queries } = await clientOver(answers);
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(lookUpDomain('a.test', { signal })).rejects.toThrow('too late');
    await lookUpDomain('a.other');
    expect(queries).toEqual(['root other', 'a.other']);
  });

  it('of one caller does not end the look-up of another caller of the same name', async () => {
    const { lookUpDomain, nextSocket, queries } = await silentWorld();
    const controller = new AbortController();
    const first = lookUpDomain('a.test', { signal: controller.signal });
    const second = lookUpDomain('a.test');
    const socket = await nextSocket();
    controller.abort(new Error('enough'));
    await expect(first).rejects.toThrow('enough');
    socket.end(record('a.test'));
    expect((await second).state).toBe('registered');
    expect(queries).toEqual(['root test', 'a.test']);
  });

  it('of the last caller aborts the look-up; the next callers share a new one', async () => {
    const { lookUpDomain, nextSocket, queries } = await silentWorld();
    const controllers = [new AbortController(), new AbortController()];
    const both = controllers.map(({ signal }) => lookUpDomain('a.test', { signal }).catch(String));
    const gone = closed(await nextSocket());
    for (const controller of controllers) controller.abort('left');
    expect(await Promise.all(both)).toEqual(['left', 'left']);
    const next = [lookUpDomain('a.test'), gone.then(() => lookUpDomain('a.test'))];
    (await nextSocket()).end(record('a.test'));
    expect(await Promise.all(next)).toMatchObject([{ state: 'registered' }, { state: 'registered' }]);
    expect(queries).toEqual(['root test', 'a.test', 'a.test']);
  });
});

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
    const { lookUpMany, nextSocket } = await silentWorld();
    const outcomes = lookUpMany(['a.test', 'b.test']);
    const first = outcomes.next();
    (await nextSocket()).end(record('a.test'));
    const gone = closed(await nextSocket());
    expect((await first).value).toMatchObject({ name: 'a.test' });
    await outcomes.return();
    await gone;
  });

  it('reads an endless source no further than a thousand names ahead', async () => {
    const { lookUpMany, nextSocket } = await silentWorld();
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

describe('the library', () => {
  it('callers of the same name share one look-up while it runs, each with the name as they wrote it', async () => {
    const { lookUpDomain, queries } = await clientOver(answers);
    const names = ['example.test', 'EXAMPLE.test', 'http://www.example.test:8080/x', 'example.test/x'];
    const all = await Promise.all(names.map((name) => lookUpDomain(name)));
    expect(all.map(({ domain }) => domain)).toEqual(names);
    expect(all[0]).toMatchObject({ whoisServer: NIC, parsed: { domainName: 'example.test' } });
    expect(queries).toEqual(['root test', 'example.test']);
    await lookUpDomain('example.test');
    expect(queries).toHaveLength(3);
  });

  it('rejects an invalid name before any query', async () => {
    await expect(lookUpDomain('-T dn.example')).rejects.toMatchObject({ code: 'invalid_domain' });
  });

  it.each([
    ['https://www.free.test/a?b', { available: true, state: 'not_registered' }],
    [
      'https://www.a.test/',
      {
        available: false,
        state: 'registered',
        ending: 'none',
        reason: `${NIC} has a record of a.test.`,
      },
    ],
    ['-a.test', { available: false, state: 'invalid' }],
    [
      'down.test',
      {
        available: null,
        state: 'registry_unavailable',
        reason: expect.stringMatching(/\.$/) as string,
        retryAfterSeconds: 10,
      },
    ],
  ])('says whether %s is available, or why that is unknown', async (name, expected) => {
    const { isAvailable } = await clientOver((query, socket) => {
      if (query === 'down.test') socket.destroy();
      else socket.end(query === 'free.test' ? 'No match!!\r\n' : record(query));
    });
    expect(await isAvailable(name)).toMatchObject(expected);
  });

  it('names a wrong argument', async () => {
    const { lookUpDomain, lookUpMany, isAvailable } = await clientOver(answers);
    const wrong = (value: unknown) => value as never;
    await expect(lookUpDomain(wrong(42))).rejects.toThrow('a name must be a string, not 42');
    await expect(isAvailable(wrong(undefined))).rejects.toThrow(TypeError);
    await expect(lookUpDomain('a.test', { follow: wrong('x') })).rejects.toThrow(
      'follow must be one of registry, registrar, not "x"',
    );
    await expect(lookUpDomain('a.test', { protocols: wrong('x') })).rejects.toThrow(TypeError);
    await expect(lookUpDomain('a.test', wrong({ folow: 'registrar' }))).rejects.toThrow(
      'the nearest is follow',
    );
    await expect(lookUpDomain('a.test', wrong({ timeoutMs: 5 }))).rejects.toThrow(
      'there is no option timeoutMs',
    );
    await expect(lookUpDomain('a.test', wrong(null))).rejects.toThrow(
      'the options must be an object, not null',
    );
    await expect(isAvailable('a.test', { signal: wrong('x') })).rejects.toThrow(
      'signal must be an AbortSignal',
    );
    expect(() => lookUpMany(wrong('a.test'))).toThrow(
      'names must be a list or an async iterable, not string',
    );
    expect(() => lookUpMany(['a.test'], { protocols: wrong('ftp') })).toThrow('protocols must be one of');
    expect(() => parseRdap('{}', wrong({}))).toThrow(TypeError);
  });
});
