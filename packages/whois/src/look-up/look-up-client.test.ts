import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { record, rootObject } from '../../test/loopback-world.ts';
import { startWhoisServer } from '../sample/loopback-server.ts';
import { LookUpError, createLookUpClient, lookUpDomain, parseRdap, parseWhois } from '../index.ts';
import type { LookUpClientOptions, LookUpOutcome } from '../index.ts';
import { lookUpNames } from './look-up-client.ts';

const NIC = 'whois.nic.test';
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function listen(answer: (query: string, socket: Socket) => void): Promise<string> {
  const server = await startWhoisServer(answer);
  closing.push(() => server.close());
  return `127.0.0.1:${server.port}`;
}

/** A client over a root and one registry on loopback, with the received queries. */
async function world(answer: (query: string, socket: Socket) => void, more: LookUpClientOptions = {}) {
  const queries: string[] = [];
  const root = await listen((tld, socket) => {
    queries.push(`root ${tld}`);
    socket.end(rootObject(tld, NIC));
  });
  const registry = await listen((name, socket) => {
    queries.push(name);
    answer(name, socket);
  });
  const client = createLookUpClient({
    whoisRoot: root,
    hostMap: { [NIC]: registry },
    allowedCidrs: ['127.0.0.1/32'],
    timeoutMs: 30_000,
    perSecondPerRegistry: 0,
    rdapBootstrap: 'bundled',
    ...more,
  });
  closing.push(client.close);
  return { ...client, queries, root, registry };
}

/** A promise that the test resolves itself. */
function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => (resolve = done));
  return { promise, resolve };
}

const answers = (name: string, socket: Socket) => void socket.end(record(name));

async function read(outcomes: AsyncIterable<LookUpOutcome>): Promise<LookUpOutcome[]> {
  const all: LookUpOutcome[] = [];
  for await (const outcome of outcomes) all.push(outcome);
  return all;
}

describe('an error of the library', () => {
  it('has its own class, for faults of the name and of the registry', async () => {
    const { lookUpDomain } = await world((_, socket) => socket.end('No match!!\r\n'));
    for (const [name, code] of [
      ['-a.test', 'invalid_domain'],
      ['free.test', 'not_registered'],
    ] as const) {
      const error: unknown = await lookUpDomain(name).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(LookUpError);
      expect(error).toMatchObject({ name: 'LookUpError', code });
    }
  });
});

describe('a signal', () => {
  it('aborts a running look-up with its reason, and closes the connection', async () => {
    const gone = deferred<undefined>();
    const requested = deferred<undefined>();
    const answer = (_: string, socket: Socket) => {
      socket.on('close', () => gone.resolve(undefined));
      requested.resolve(undefined);
    };
    const { lookUpDomain } = await world(answer, { timeoutMs: 3_600_000 });
    const controller = new AbortController();
    const looked = lookUpDomain('a.test', { signal: controller.signal });
    await requested.promise;
    controller.abort(new Error('enough'));
    await expect(looked).rejects.toThrow('enough');
    await gone.promise;
  });

  it('that is already aborted sends no query', async () => {
    const { lookUpDomain, queries } = await world(answers);
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(lookUpDomain('a.test', { signal })).rejects.toThrow('too late');
    expect(queries).toEqual([]);
  });

  it('of one caller does not end the look-up of another caller of the same name', async () => {
    const given = deferred<Socket>();
    const { lookUpDomain, queries } = await world((_, socket) => {
      given.resolve(socket);
    });
    const controller = new AbortController();
    const first = lookUpDomain('a.test', { signal: controller.signal });
    const second = lookUpDomain('a.test');
    const socket = await given.promise;
    controller.abort(new Error('enough'));
    await expect(first).rejects.toThrow('enough');
    socket.end(record('a.test'));
    expect((await second).state).toBe('registered');
    expect(queries).toEqual(['root test', 'a.test']);
  });
});

describe('lookUpMany', () => {
  it('yields the outcome of each name, also of invalid names', async () => {
    const { lookUpMany } = await world(answers);
    const outcomes = await read(lookUpMany(['a.test', 'b.test', '-a.test']));
    const results = outcomes.map(({ name, data, error }) => [name, data?.state ?? error?.code]);
    expect(results.sort()).toEqual([
      ['-a.test', 'invalid_domain'],
      ['a.test', 'registered'],
      ['b.test', 'registered'],
    ]);
  });

  it('waits for our own limits, and passes on Retry-After of a registry', async () => {
    let requestCount = 0;
    const waits: number[] = [];
    const limited = (limitedBy: string) =>
      new LookUpError('registry_rate_limited', { details: { limitedBy }, retryAfterSeconds: 7 });
    const lookUp = (name: string) => {
      if (name === 'b.test') return Promise.reject(limited('registry'));
      return ++requestCount < 3 ? Promise.reject(limited('service')) : Promise.resolve('found');
    };
    const outcomes = [];
    for await (const outcome of lookUpNames(['a.test', 'b.test'], {
      lookUp,
      zoneOf: () => 'test',
      signal: undefined,
      sleep: (milliseconds) => Promise.resolve(void waits.push(milliseconds)),
    }))
      outcomes.push(outcome);
    expect(waits).toEqual([7_000, 7_000]);
    expect(outcomes.map(({ name, data, error }) => [name, data ?? error.code])).toEqual([
      ['b.test', 'registry_rate_limited'],
      ['a.test', 'found'],
    ]);
  });

  it('rejects with the reason of its signal', async () => {
    const controller = new AbortController();
    const { lookUpMany } = await world((name, socket) => {
      if (name === 'b.test') controller.abort(new Error('enough'));
      else socket.end(record(name));
    });
    await expect(read(lookUpMany(['a.test', 'b.test'], { signal: controller.signal }))).rejects.toThrow(
      'enough',
    );
  });

  it('aborts running look-ups when its reader stops', async () => {
    const gone = deferred<undefined>();
    const isRequested = deferred<undefined>();
    const { lookUpMany } = await world((name, socket) => {
      if (name === 'a.test') void isRequested.promise.then(() => socket.end(record(name)));
      else {
        isRequested.resolve(undefined);
        socket.on('close', () => gone.resolve(undefined));
      }
    });
    for await (const { name } of lookUpMany(['a.test', 'b.test'])) {
      expect(name).toBe('a.test');
      break;
    }
    await gone.promise;
  });

  it('a registry at its limit delays no other', async () => {
    const slow = Array.from({ length: 40 }, (_, index) => `${index}.slow`);
    const order: string[] = [];
    const ends: (() => void)[] = [];
    const lookUp = (name: string) =>
      name.endsWith('.slow') ? new Promise<void>((done) => ends.push(done)) : Promise.resolve();
    const zoneOf = (name: string) => name.split('.')[1] ?? '';
    const names = [...slow, 'a.quick', 'b.quick'];
    for await (const { name } of lookUpNames(names, {
      lookUp,
      zoneOf,
      signal: undefined,
      sleep: () => Promise.resolve(),
    })) {
      order.push(name);
      if (order.length >= 2) for (const end of ends.splice(0)) end();
    }
    expect(order.slice(0, 2)).toEqual(['a.quick', 'b.quick']);
    expect(order).toHaveLength(42);
  });
});

describe('the choice of protocols', () => {
  async function rdapServer() {
    const urls: string[] = [];
    const server = http.createServer((request, response) => {
      urls.push(request.url ?? '');
      const ldhName = (request.url ?? '').replace('/domain/', '');
      response.end(JSON.stringify({ objectClassName: 'domain', ldhName, status: ['active'] }));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    closing.push(() => new Promise((done) => server.close(done)));
    return { urls, port: (server.address() as AddressInfo).port };
  }
  const bootstrap = { publication: '', services: [[['test'], ['http://rdap.nic.test/']]] };

  it('only RDAP: port 43 is never used, not even for the root', async () => {
    const { port } = await rdapServer();
    const { lookUpDomain, queries } = await world(answers, {
      rdapBootstrap: bootstrap,
      protocols: 'rdap',
      hostMap: { 'rdap.nic.test': `127.0.0.1:${port}` },
    });
    expect(await lookUpDomain('a.test')).toMatchObject({ protocol: 'rdap', state: 'registered' });
    await expect(lookUpDomain('a.other')).rejects.toMatchObject({ code: 'no_registry_service' });
    await expect(lookUpDomain('test')).rejects.toMatchObject({ code: 'no_registry_service' });
    expect(queries).toEqual([]);
  });

  it('only WHOIS: RDAP is never queried, not even for an unreadable text', async () => {
    const { urls, port } = await rdapServer();
    const { lookUpDomain } = await world((_, socket) => socket.end('<html>'), {
      rdapBootstrap: bootstrap,
      allowedCidrs: ['127.0.0.1/32'],
    });
    expect(port).toBeGreaterThan(0);
    const looked = lookUpDomain('a.test', { protocols: 'whois' });
    await expect(looked).rejects.toMatchObject({ code: 'registry_unavailable' });
    expect(urls).toEqual([]);
  });

  it('is that of each call, also beside a call with another choice, and for many names', async () => {
    const { port } = await rdapServer();
    const { lookUpDomain, lookUpMany } = await world(answers, {
      rdapBootstrap: bootstrap,
      fetch: (url, init) => fetch(url.replace('rdap.nic.test', `127.0.0.1:${port}`), init),
    });
    const choices = ['whois', 'rdap'] as const;
    const both = await Promise.all(choices.map((protocols) => lookUpDomain('a.test', { protocols })));
    const many = await read(lookUpMany(['a.test'], { protocols: 'rdap' }));
    expect([...both, many[0]?.data].map((result) => result?.protocol)).toEqual(['whois', 'rdap', 'rdap']);
  });

  it('an unknown value is rejected by name', async () => {
    expect(() => createLookUpClient({ protocols: 'http' as never })).toThrow('both, rdap, whois, not "http"');
    const { lookUpDomain } = await world(answers);
    await expect(lookUpDomain('a.test', { protocols: 'x' as never })).rejects.toThrow(TypeError);
  });

  it('connections and RDAP requests use the given functions', async () => {
    const { port } = await rdapServer();
    const { root, registry } = await world((_, socket) => socket.end('<html>'));
    const connected: string[] = [];
    const fetched: string[] = [];
    const { lookUpDomain, close } = createLookUpClient({
      whoisRoot: 'whois.iana.org:43',
      rdapBootstrap: bootstrap,
      timeoutMs: 30_000,
      connect: ({ host, port: wanted }) => {
        connected.push(`${host}:${wanted}`);
        const [, behind] = (host === NIC ? registry : root).split(':');
        return Promise.resolve(net.connect(Number(behind), '127.0.0.1'));
      },
      fetch: (url, init) => {
        fetched.push(url);
        return fetch(url.replace('rdap.nic.test', `127.0.0.1:${port}`), init);
      },
    });
    closing.push(close);
    expect(await lookUpDomain('a.test')).toMatchObject({ protocol: 'rdap', state: 'registered' });
    expect(connected).toEqual(['whois.iana.org:43', `${NIC}:43`]);
    expect(fetched).toEqual(['http://rdap.nic.test/domain/a.test']);
  });

  it('a proxy may be behind a Unix socket, which has no addresses', async () => {
    const { root, registry } = await world(answers);
    const folder = await mkdtemp(path.join(tmpdir(), 'mokuroku-'));
    closing.push(() => rm(folder, { recursive: true }));
    const relay = async (name: string, endpoint: string) => {
      const [host = '', port] = endpoint.split(':');
      const server = net.createServer((inner) => {
        const outer = net.connect(Number(port), host);
        inner.pipe(outer).pipe(inner);
      });
      const file = path.join(folder, name);
      await new Promise<void>((done) => server.listen(file, done));
      closing.push(() => server.close());
      return file;
    };
    const files = { root: await relay('root', root), registry: await relay('registry', registry) };
    const { lookUpDomain } = createLookUpClient({
      protocols: 'whois',
      timeoutMs: 30_000,
      connect: ({ host }) => Promise.resolve(net.connect(host === NIC ? files.registry : files.root)),
    });
    const { state, hops, truncated } = await lookUpDomain('a.test');
    expect([state, truncated, hops.map(({ outcome }) => outcome)]).toEqual([
      'registered',
      undefined,
      ['referral', 'registered'],
    ]);
  });

  it('a connection that the program cannot open is an unreachable registry', async () => {
    const { lookUpDomain } = createLookUpClient({
      protocols: 'whois',
      timeoutMs: 5_000,
      connect: () => Promise.reject(new Error('the proxy is away')),
    });
    await expect(lookUpDomain('a.com')).rejects.toMatchObject({ code: 'registry_unavailable' });
  });
});

describe('the library', () => {
  it('callers of the same name share one look-up while it runs, each with the name as they wrote it', async () => {
    const { lookUpDomain, queries } = await world(answers);
    const names = ['example.test', 'EXAMPLE.test', 'www.example.test'];
    const all = await Promise.all(names.map((name) => lookUpDomain(name)));
    expect(all.map(({ domain }) => domain)).toEqual(names);
    expect(all[0]).toMatchObject({ whoisServer: NIC, parsed: { domainName: 'example.test' } });
    expect(queries).toEqual(['root test', 'example.test']);
    await lookUpDomain('example.test');
    expect(queries).toHaveLength(3);
  });

  it('connects to no private address unless allowed', async () => {
    const { lookUpDomain } = await world(answers, { allowedCidrs: [] });
    await expect(lookUpDomain('example.test')).rejects.toMatchObject({ code: 'registry_unavailable' });
  });

  it('rejects invalid settings at once, and takes the default for an option that is undefined', () => {
    const invalid = [{ whoisRoot: 'whois.iana.org' }, { hostMap: { a: 'b' } }, { rdapBootstrap: 'nonsense' }];
    for (const options of [...invalid, { allowedCidrs: ['127.0.0.1/33'] }]) {
      expect(() => createLookUpClient(options)).toThrow(TypeError);
    }
    expect(() => createLookUpClient({ rdapBootstrap: {} })).toThrow();
    const unset = { timeoutMs: undefined, allowedCidrs: undefined, userAgent: undefined };
    expect(() => createLookUpClient(unset as object)).not.toThrow();
  });

  it('rejects an invalid name before any query', async () => {
    await expect(lookUpDomain('-T dn.example')).rejects.toMatchObject({ code: 'invalid_domain' });
  });

  it('parses a given text', () => {
    const { state, parsed } = parseWhois(record('example.test'), { domain: 'example.test' });
    const { registrar, creationDate } = parsed;
    expect([state, registrar, creationDate]).toEqual([
      'registered',
      'Sample Registrar',
      '2001-02-03T04:05:06Z',
    ]);
    expect(parseWhois('').state).toBe('broken');
  });

  it('says whether a name is available: true, false, or null with the reason', async () => {
    const { isAvailable } = await world((name, socket) => {
      if (name === 'down.test') socket.destroy();
      else socket.end(name === 'free.test' ? 'No match!!\r\n' : record(name));
    });
    expect(await isAvailable('https://www.free.test/a?b')).toMatchObject({
      available: true,
      state: 'not_registered',
    });
    expect(await isAvailable('a.test')).toMatchObject({
      available: false,
      state: 'registered',
      ending: 'none',
    });
    expect(await isAvailable('-a.test')).toMatchObject({ available: false, state: 'invalid' });
    const unknown = await isAvailable('down.test');
    expect([unknown.available, unknown.state, unknown.reason]).toEqual([
      null,
      'registry_unavailable',
      expect.stringMatching(/\.$/),
    ]);
  });

  it('takes pasted URLs, also in lists and from async iterables', async () => {
    const { lookUpMany, lookUpDomain, queries } = await world(answers);
    expect((await lookUpDomain('http://www.a.test:8080/x')).parsed.domainName).toBe('a.test');
    expect((await lookUpDomain('b.test/x')).domain).toBe('b.test/x');
    async function* names() {
      yield 'https://c.test/';
      await new Promise(setImmediate);
      yield 'd.test';
    }
    const found: string[] = [];
    for await (const { name, data } of lookUpMany(names())) found.push(`${name} ${data?.state}`);
    expect(found.sort()).toEqual(['d.test registered', 'https://c.test/ registered']);
    expect(queries.slice(-2).sort()).toEqual(['c.test', 'd.test']);
  });

  it('reads an async source no further when the reader has stopped', async () => {
    const { lookUpMany } = await world(answers);
    let isEnded = false;
    async function* names() {
      try {
        for (let index = 0; ; index++) {
          yield `a${index}.test`;
          await new Promise(setImmediate);
        }
      } finally {
        isEnded = true;
      }
    }
    for await (const { data } of lookUpMany(names())) {
      expect(data?.state).toBe('registered');
      break;
    }
    await expect.poll(() => isEnded).toBe(true);
  });

  it('names a wrong argument', async () => {
    const { lookUpDomain, lookUpMany, isAvailable } = await world(answers);
    const wrong = (value: unknown) => value as never;
    await expect(lookUpDomain(wrong(42))).rejects.toThrow('a name must be a string, not 42');
    await expect(isAvailable(wrong(undefined))).rejects.toThrow(TypeError);
    await expect(lookUpDomain('a.test', { follow: wrong('x') })).rejects.toThrow(
      'follow must be one of registry, registrar, not "x"',
    );
    expect(() => lookUpMany(wrong('a.test'))).toThrow(
      'names must be a list or an async iterable, not string',
    );
    expect(() => lookUpMany(['a.test'], { protocols: wrong('ftp') })).toThrow('protocols must be one of');
  });

  it('parses an RDAP answer like a WHOIS text', () => {
    const json = JSON.stringify({ objectClassName: 'domain', ldhName: 'A.TEST', status: ['active'] });
    expect(parseRdap(json, { domain: 'a.test' })).toMatchObject({
      state: 'registered',
      parsed: { domainName: 'a.test' },
    });
    expect(parseRdap('{"errorCode":404,"title":"not found"}', { domain: 'a.test', status: 404 }).state).toBe(
      'not_registered',
    );
    expect(parseRdap(json, { domain: 'b.test' }).state).toBe('broken');
    expect(() => parseRdap(json, {} as never)).toThrow(TypeError);
  });
});
