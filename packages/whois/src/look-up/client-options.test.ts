import net from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { answers, clientOver, readAll, serveRegistry } from '../../test/client-world.ts';
import type { Answer } from '../../test/client-world.ts';
import { record } from '../../test/loopback-world.ts';
import { NIC, listenHttp } from '../../test/opened-world.ts';
import { recordOf } from '../../test/rdap-world.ts';
import { createLookUpClient } from '../index.ts';
import type { LookUpClientOptions } from '../index.ts';

describe('the choice of protocols', () => {
  const rdapBootstrap = { publication: '', services: [[['test'], ['http://rdap.nic.test/']]] };

  /** An RDAP server with a record of every name, and a fetch that leads to it. */
  async function rdapServer() {
    const urls: string[] = [];
    const port = await listenHttp((request, response) => response.end(recordOf(request)));
    const viaPort: LookUpClientOptions['fetch'] = (url, init) => {
      urls.push(url);
      return fetch(url.replace('rdap.nic.test', `127.0.0.1:${port}`), init);
    };
    return { urls, port, viaPort };
  }

  it('only RDAP: port 43 is never used, not even for the root', async () => {
    const { port } = await rdapServer();
    const listed = { 'rdap.centralnic.com': '127.0.0.1:1', 'whois.centralnic.com': '127.0.0.1:1' };
    const hostMap = { 'rdap.nic.test': `127.0.0.1:${port}`, ...listed };
    const { lookUpDomain, queries } = await clientOver(answers, {
      rdapBootstrap,
      protocols: 'rdap',
      hostMap,
    });
    expect(await lookUpDomain('a.test')).toMatchObject({ protocol: 'rdap', state: 'registered' });
    for (const name of ['a.other', 'test'])
      await expect(lookUpDomain(name)).rejects.toMatchObject({ code: 'no_registry_service' });
    await expect(lookUpDomain('a.uk.com')).rejects.toMatchObject({
      details: { hops: [{ protocol: 'rdap' }] },
    });
    expect(queries).toEqual([]);
  });

  it('only WHOIS: RDAP is never queried, not even for an unreadable text', async () => {
    const { urls, viaPort } = await rdapServer();
    const { lookUpDomain } = await clientOver((_, socket) => socket.end('<html>'), {
      rdapBootstrap,
      fetch: viaPort,
    });
    const looked = lookUpDomain('a.test', { protocols: 'whois' });
    await expect(looked).rejects.toMatchObject({ code: 'registry_unavailable' });
    expect(urls).toEqual([]);
  });

  it('is that of each call, also beside a call with another choice, and for many names', async () => {
    const { viaPort } = await rdapServer();
    const { lookUpDomain, lookUpMany } = await clientOver(answers, { rdapBootstrap, fetch: viaPort });
    const choices = ['whois', 'rdap'] as const;
    const both = await Promise.all(choices.map((protocols) => lookUpDomain('a.test', { protocols })));
    const many = await readAll(lookUpMany(['a.test'], { protocols: 'rdap' }));
    expect([...both, many[0]?.data].map((result) => result?.protocol)).toEqual(['whois', 'rdap', 'rdap']);
  });
});

describe("the program's own connections", () => {
  it('are used for the root, the registry and RDAP', async () => {
    const connected: string[] = [];
    const { ports } = await serveRegistry((_, socket) => socket.end('<html>'));
    const rdap = await listenHttp((request, response) => response.end(recordOf(request)));
    const behind: Record<string, number> = { 'whois.iana.org': ports.root, [NIC]: ports.registry };
    const { lookUpDomain, close } = createLookUpClient({
      rdapBootstrap: { publication: '', services: [[['test'], ['http://rdap.nic.test/']]] },
      timeoutMs: 30_000,
      connect: ({ host, port }) => {
        connected.push(`${host}:${port}`);
        return Promise.resolve(net.connect(behind[host] ?? rdap, '127.0.0.1'));
      },
    });
    onTestFinished(close);
    expect(await lookUpDomain('a.test')).toMatchObject({ protocol: 'rdap', state: 'registered' });
    expect(connected).toEqual(['whois.iana.org:43', `${NIC}:43`, 'rdap.nic.test:80']);
  });

  it('may lead to a Unix socket, which has no addresses', async () => {
    const { ports } = await serveRegistry(answers);
    const folder = temporaryFolder();
    const relay = async (port: number) => {
      const server = net.createServer((inner) => {
        inner.pipe(net.connect(port, '127.0.0.1')).pipe(inner);
      });
      const file = path.join(folder, String(port));
      await new Promise<void>((done) => server.listen(file, done));
      onTestFinished(() => void server.close());
      return file;
    };
    const files = { root: await relay(ports.root), registry: await relay(ports.registry) };
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

  it('that cannot be opened are an unreachable registry', async () => {
    const { lookUpDomain } = createLookUpClient({
      protocols: 'whois',
      timeoutMs: 5_000,
      connect: () => Promise.reject(new Error('the proxy is away')),
    });
    await expect(lookUpDomain('a.com')).rejects.toMatchObject({ code: 'registry_unavailable' });
  });
});

it('many names at once cause no warning of the runtime', async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error) => void warnings.push(name);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  const { lookUpMany, lookUpDomain } = await clientOver(answers);
  const names = Array.from({ length: 40 }, (_, at) => `a.zone${'x'.repeat(at)}`);
  const outcomes = await readAll(lookUpMany(names, { signal: new AbortController().signal }));
  const { signal } = new AbortController();
  await Promise.all(names.map((name) => lookUpDomain(name, { signal })));
  await new Promise((done) => setImmediate(done));
  expect([outcomes.length, warnings]).toEqual([40, []]);
});

describe('the settings of a client', () => {
  it('allow no private address unless it is named', async () => {
    const { lookUpDomain } = await clientOver(answers, { allowedCidrs: [] });
    await expect(lookUpDomain('example.test')).rejects.toMatchObject({ code: 'registry_unavailable' });
  });

  it.each<[object, string | typeof TypeError]>([
    [{ whoisRoot: 'whois.iana.org' }, TypeError],
    [{ hostMap: { a: 'b' } }, TypeError],
    [{ rdapBootstrap: 'nonsense' }, TypeError],
    [{ allowedCidrs: ['127.0.0.1/33'] }, TypeError],
    [{ protocols: 'http' }, 'both, rdap, whois, not "http"'],
    [{ rdapBootstrap: {} }, 'no RDAP bootstrap'],
    [{ rdapBootstrap: null }, TypeError],
    [{ timeoutMs: 'abc' }, 'timeoutMs must be a number of milliseconds, 1 to 2147483647, not "abc"'],
    [{ timeoutMs: 2 ** 31 }, 'timeoutMs must be a number of milliseconds, 1 to 2147483647, not 2147483648'],
    [{ timeoutMs: Infinity }, TypeError],
    [
      { concurrentPerRegistry: 0 },
      'concurrentPerRegistry must be a number of queries, 1 to 2147483647, not 0',
    ],
    [{ concurrentPerRegistry: 1.5 }, TypeError],
    [{ perSecondPerRegistry: -1 }, TypeError],
    [{ userAgent: 'a\r\nb' }, TypeError],
    [{ log: true }, 'log must be a function, not true'],
    [{ gate: {} }, 'gate must be an object with a function run'],
    [{ timeOutMs: 5_000 }, 'there is no option timeOutMs; the nearest is timeoutMs'],
    [{ concurrentPerRegistri: 1 }, 'the nearest is concurrentPerRegistry'],
    [{ retries: 1 }, 'there is no option retries; the options are protocols, connect, '],
    [{ toString: 1 }, 'there is no option toString'],
    [{ servers: { test: 'whois.nic.test' } }, 'servers must be an object of zones with servers'],
    [{ servers: { test: {} } }, TypeError],
    [{ servers: { test: { whois: 5 } } }, TypeError],
    [{ servers: [] }, 'not []'],
    [{ servers: new Map([['test', { whois: 'whois.nic.test' }]]) }, TypeError],
    [{ servers: { test: { whois: 'a host' } } }, TypeError],
    [{ servers: { test: { rdap: 'rdap.nic.test' } } }, TypeError],
    [{ servers: { test: { whois: 'whois.nic.test', rdpa: '' } } }, 'not {"test":'],
    [{ servers: { '': { whois: 'whois.nic.test' } } }, TypeError],
  ])('are rejected at once if they are invalid: %j', (options, fault) => {
    expect(() => createLookUpClient(options)).toThrow(fault);
  });

  it('name the servers of a zone, which are then the only ones', async () => {
    const rdap = await listenHttp((request, response) => response.end(recordOf(request)));
    const denies: Answer = (name, socket) => socket.end(name.startsWith('free') ? 'No match.' : record(name));
    const { ports } = await serveRegistry(denies);
    const port = ports.registry;
    const { lookUpDomain, isAvailable, queries, zoneOf } = await clientOver(answers, {
      servers: {
        com: { whois: 'whois.own.test' },
        'ouTer.Test.': { whois: `127.0.0.1:${port}` },
        'xn--wgv71a119e': { rdap: `http://127.0.0.1:${rdap}` },
      },
      hostMap: { 'whois.own.test': `127.0.0.1:${port}` },
    });
    expect(await lookUpDomain('www.a.com')).toMatchObject({
      whoisServer: 'whois.own.test',
      protocol: 'whois',
    });
    expect(await isAvailable('free.com')).toMatchObject({ available: true });
    expect(await lookUpDomain('a.b.outer.test')).toMatchObject({ parsed: { domainName: 'b.outer.test' } });
    expect(await isAvailable('free.outer.test')).toMatchObject({ available: true });
    expect(await lookUpDomain('名前.日本語')).toMatchObject({ protocol: 'rdap', state: 'registered' });
    expect(queries).toEqual([]);
    expect(await lookUpDomain('a.test')).toMatchObject({ whoisServer: NIC });
    expect(zoneOf('b.outer.test')).toMatchObject({
      zone: 'outer.test',
      services: [{ protocol: 'whois', server: `127.0.0.1:${port}`, source: 'operator' }],
    });
    await expect(lookUpDomain('a.com', { protocols: 'rdap' })).rejects.toMatchObject({
      code: 'no_registry_service',
    });
  });

  it('name an RDAP server that also states the expiry that WHOIS leaves out', async () => {
    const rdap = await listenHttp((request, response) => {
      const events = [{ eventAction: 'expiration', eventDate: '2031-02-03T04:05:06Z' }];
      response.end(JSON.stringify({ ...(JSON.parse(recordOf(request)) as object), events }));
    });
    const undated: Answer = (name, socket) =>
      socket.end(record(name).replace(/^Registry Expiry[^\n]*\n/m, ''));
    const { ports } = await serveRegistry(undated);
    const servers = { org: { whois: `127.0.0.1:${ports.registry}`, rdap: `http://127.0.0.1:${rdap}` } };
    const { lookUpDomain } = await clientOver(answers, { servers });
    const { protocol, parsed } = await lookUpDomain('a.org');
    expect([protocol, parsed.expirationDate]).toEqual(['whois', '2031-02-03T04:05:06Z']);
  });

  it('have their defaults for options that are undefined', () => {
    const unset = { timeoutMs: undefined, allowedCidrs: undefined, userAgent: undefined };
    expect(() => createLookUpClient(unset as object)).not.toThrow();
  });
});
