import http from 'node:http';
import net from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { record, rootObject, startWorld } from '../../../test/registration/loopback-world.ts';
import type { World, WorldOptions } from '../../../test/registration/loopback-world.ts';
import { ServiceError } from '../../errors.ts';

let world: World | undefined;
const servers: net.Server[] = [];

afterEach(async () => {
  await world?.close();
  world = undefined;
  await Promise.all(servers.splice(0).map((server) => new Promise((done) => server.close(done))));
});

async function listen(server: net.Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((done) => server.listen({ host: '127.0.0.1', port: 0 }, done));
  return (server.address() as net.AddressInfo).port;
}

/** An RDAP server. */
const listenHttp = (answer: http.RequestListener) => listen(http.createServer(answer));

/** Time that only goes on when it is told to, beside what really passes. */
function skippingClock() {
  let skipped = 0;
  return {
    now: () => Date.now() + skipped,
    monotonic: () => performance.now() + skipped,
    skip: (seconds: number) => {
      skipped += seconds * 1_000;
    },
  };
}

async function open(options: WorldOptions): Promise<World> {
  world = await startWorld(options);
  return world;
}

async function errorOf(looked: Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await looked.then(
    () => 'no error',
    (reason: unknown) => reason,
  );
  if (!(error instanceof ServiceError)) throw error;
  return error;
}

const outcomes = (hops: readonly { server: string; outcome: string }[]) =>
  hops.map(({ server, outcome }) => `${server} ${outcome}`);

const NIC = 'whois.nic.test';

describe('the walk from the root to the registry', () => {
  it('asks the root for the TLD, the registry for the registrable name, and tells the hops', async () => {
    const { lookUp, queries } = await open({
      root: { test: { refer: NIC } },
      whois: { [NIC]: record('example.test') },
    });
    const result = await lookUp('www.Example.test.');
    expect(queries).toEqual(['root test', `${NIC} example.test`]);
    expect(result).toMatchObject({
      whoisServer: NIC,
      protocol: 'whois',
      state: 'registered',
      raw: record('example.test'),
    });
    expect(result.parsed).toMatchObject({
      domainName: 'example.test',
      registrar: 'Sample Registrar',
      creationDate: '2001-02-03T04:05:06Z',
      expirationDate: '2031-02-03T04:05:06Z',
      updatedDate: '2026-01-02T03:04:05Z',
      nameServers: ['ns1.hosting.example', 'ns2.hosting.example'],
      status: ['ok'],
    });
    expect(outcomes(result.hops)).toEqual(['root referral', `${NIC} registered`]);
  });

  it("the root's answer for a TLD is asked for once a day", async () => {
    let now = Date.UTC(2026, 0, 1);
    const clock = { now: () => now, monotonic: () => performance.now() };
    const { lookUp, queries } = await open({
      root: { test: { refer: NIC } },
      whois: { [NIC]: (q, s) => s.end(record(q)) },
      clock,
    });
    await lookUp('a.test');
    now += 23 * 3_600_000;
    await lookUp('b.test');
    expect(queries.filter((query) => query.startsWith('root'))).toHaveLength(1);
    now += 3_600_000;
    await lookUp('c.test');
    expect(queries.filter((query) => query.startsWith('root'))).toHaveLength(2);
  });

  it('a TLD alone is answered by the root', async () => {
    const { lookUp, queries } = await open({ root: { test: { refer: NIC } } });
    const result = await lookUp('TEST');
    expect(result).toMatchObject({ whoisServer: 'root', raw: rootObject('test', NIC) });
    expect(result.parsed.domainName).toBe('test');
    expect(queries).toEqual(['root test']);
  });

  it('a TLD that the root does not know is unknown, and no registry is asked', async () => {
    const { lookUp } = await open({});
    expect(await errorOf(lookUp('example.nowhere'))).toMatchObject({ code: 'unknown_tld', status: 404 });
  });

  it('a registry without any service is told with its web address', async () => {
    const text = `${rootObject('test', '')}remarks:      Registration information: https://nic.example/\n`;
    const { lookUp } = await open({ root: { test: text } });
    const error = await errorOf(lookUp('example.test'));
    expect(error).toMatchObject({ code: 'no_registry_service', status: 501 });
    expect(error.details).toMatchObject({ zone: 'test', registryWebsite: 'https://nic.example/' });
  });

  it('a server that only refers further is followed, and the last answer counts', async () => {
    const { lookUp, queries } = await open({
      root: { test: { refer: 'whois.first.test' } },
      whois: {
        'whois.first.test': 'domain: TEST\r\nrefer: whois.second.test\r\n',
        'whois.second.test': 'ReferralServer: whois://whois.third.test\r\n',
        'whois.third.test': record('example.test'),
      },
    });
    const result = await lookUp('example.test');
    expect(result.whoisServer).toBe('whois.third.test');
    expect(queries).toHaveLength(4);
  });

  it('names under one TLD that are looked up at the same time share the question to the root', async () => {
    const { lookUp, queries } = await open({
      root: { test: { refer: NIC } },
      whois: { [NIC]: (query, socket) => socket.end(record(query)) },
    });
    await Promise.all(['a.test', 'b.test', 'c.test'].map((name) => lookUp(name)));
    expect(queries.filter((query) => query === 'root test')).toHaveLength(1);
  });

  it('a zone with a registry of its own is asked there, without the root', async () => {
    const { lookUp, queries } = await open({ whois: { 'whois.centralnic.com': record('sample.uk.com') } });
    expect((await lookUp('www.sample.uk.com')).whoisServer).toBe('whois.centralnic.com');
    expect(queries).toEqual(['whois.centralnic.com sample.uk.com']);
  });

  it('where the root is silent, the built-in table knows the registry', async () => {
    const { lookUp } = await open({
      root: (_, socket) => socket.destroy(),
      whois: {
        'whois.verisign-grs.com': (query, socket) => socket.end(record(query.replace('domain ', ''))),
      },
    });
    const result = await lookUp('example.com');
    expect(outcomes(result.hops)).toEqual(['root bad_answer', 'whois.verisign-grs.com registered']);
  });

  it('a silent root and a TLD that nobody knows: unavailable, never unknown', async () => {
    const { lookUp } = await open({ root: (_, socket) => socket.destroy() });
    expect(await errorOf(lookUp('example.test'))).toMatchObject({ code: 'registry_unavailable' });
    expect(await errorOf(lookUp('test'))).toMatchObject({ code: 'registry_unavailable' });
  });
});

describe('the time of a look-up', () => {
  const com = {
    'whois.verisign-grs.com': (query: string, socket: net.Socket) =>
      socket.end(record(query.replace('domain ', ''))),
  };

  it('is not eaten by a bootstrap that does not come', async () => {
    const port = await listen(net.createServer((socket) => socket.on('error', () => undefined).resume()));
    const { lookUp } = await open({
      root: { test: { refer: NIC } },
      whois: { [NIC]: record('example.test') },
      settings: {
        timeoutMs: 2_000,
        rdapBootstrap: { kind: 'url', url: `http://127.0.0.1:${port}/dns.json` },
      },
    });
    expect((await lookUp('example.test')).whoisServer).toBe(NIC);
  });

  it('is not eaten by a root that is silent, which is not asked again for ten seconds', async () => {
    const clock = skippingClock();
    const { lookUp, queries } = await open({
      root: () => undefined,
      whois: com,
      settings: { timeoutMs: 2_500 },
      clock,
    });
    expect(outcomes((await lookUp('a.com')).hops)).toEqual([
      'root timeout',
      'whois.verisign-grs.com registered',
    ]);
    expect(outcomes((await lookUp('b.com')).hops)).toEqual(['whois.verisign-grs.com registered']);
    expect(await errorOf(lookUp('com'))).toMatchObject({ code: 'registry_unavailable' });
    clock.skip(8);
    await lookUp('c.com');
    expect(queries.filter((query) => query.startsWith('root'))).toHaveLength(1);
    clock.skip(2);
    await lookUp('d.com');
    expect(queries.filter((query) => query.startsWith('root'))).toHaveLength(2);
  });

  it('what a silent root said the day before serves', async () => {
    const clock = skippingClock();
    let isSilent = false;
    const { lookUp, queries } = await open({
      root: (tld, socket) => isSilent || socket.end(rootObject(tld, NIC)),
      whois: { [NIC]: (query, socket) => socket.end(record(query)) },
      settings: { timeoutMs: 2_500 },
      clock,
    });
    await lookUp('a.test');
    isSilent = true;
    clock.skip(86_400);
    expect(outcomes((await lookUp('b.test')).hops)).toEqual(['root timeout', `${NIC} registered`]);
    expect(outcomes((await lookUp('c.test')).hops)).toEqual(['root referral', `${NIC} registered`]);
    expect(queries.filter((query) => query === 'root test')).toHaveLength(2);
  });

  it('a server that was slow goes last for a minute, and first again as soon as it answers', async () => {
    let isSilent = true;
    let rdapStatus = 200;
    const port = await listenHttp((request, response) => {
      const ldhName = (request.url ?? '').replace('/domain/', '');
      response
        .writeHead(rdapStatus)
        .end(JSON.stringify({ objectClassName: 'domain', ldhName, status: ['active'] }));
    });
    const { lookUp } = await open({
      root: { test: { refer: NIC } },
      whois: { [NIC]: (query, socket) => isSilent || socket.end(record(query)) },
      rdap: { test: 'http://rdap.nic.test/' },
      ports: { 'rdap.nic.test': port },
      settings: { timeoutMs: 2_500 },
    });
    const servers = async (name: string) => outcomes((await lookUp(name)).hops).slice(1);
    expect(await servers('a.test')).toEqual([`${NIC} timeout`, 'rdap.nic.test registered']);
    expect(await servers('b.test')).toEqual(['rdap.nic.test registered']);
    isSilent = false;
    rdapStatus = 500;
    expect(await servers('c.test')).toEqual(['rdap.nic.test broken', `${NIC} registered`]);
    expect(await servers('d.test')).toEqual([`${NIC} registered`]);
  });
});

describe('what the registry says becomes the answer or the right error', () => {
  it.each([
    ['No match for "EXAMPLE.TEST".\r\n', 'not_registered', 404],
    ['', 'registry_unavailable', 502],
    ['<html><body>Maintenance</body></html>', 'registry_unavailable', 502],
    ['This WHOIS server does not have any records for that zone.\r\n', 'registry_unavailable', 502],
    ['WHOIS LIMIT EXCEEDED - SEE WWW.PIR.ORG/WHOIS FOR DETAILS\r\n', 'registry_rate_limited', 503],
    [
      '%% Too many requests...\r\n%%\r\n%% No entries found in the AFNIC Database.\r\n',
      'registry_rate_limited',
      503,
    ],
  ])('%j: %s', async (text, code, status) => {
    const { lookUp } = await open({ root: { test: { refer: NIC } }, whois: { [NIC]: text } });
    const error = await errorOf(lookUp('example.test'));
    expect(error).toMatchObject({ code, status });
    if (code === 'not_registered') expect(error.details).toMatchObject({ whoisServer: NIC, raw: text });
    else expect(JSON.stringify(error.details)).not.toContain('AFNIC');
  });

  it('a reserved name is an answer of its own: not registered to anyone, not free', async () => {
    const { lookUp } = await open({
      root: { test: { refer: NIC } },
      whois: { [NIC]: 'Reserved by Registry\r\n' },
    });
    const result = await lookUp('example.test');
    expect(result).toMatchObject({ state: 'reserved', raw: 'Reserved by Registry\r\n' });
    expect(result.parsed.registrar).toBeNull();
  });

  it('a registry that throttles is left alone for the time it states', async () => {
    let now = 0;
    const clock = { now: () => now, monotonic: () => now };
    const text =
      'The WHOIS query quota for 192.0.2.1 has been exceeded\r\nand will be replenished in 50 seconds\r\n';
    const { lookUp, queries } = await open({ root: { test: { refer: NIC } }, whois: { [NIC]: text }, clock });
    expect(await errorOf(lookUp('a.test'))).toMatchObject({
      code: 'registry_rate_limited',
      retryAfterSeconds: 50,
    });
    now += 20_000;
    expect(await errorOf(lookUp('b.test'))).toMatchObject({
      code: 'registry_rate_limited',
      retryAfterSeconds: 30,
    });
    expect(queries.filter((query) => query.startsWith(NIC))).toHaveLength(1);
    now += 30_000;
    await errorOf(lookUp('b.test'));
    expect(queries.filter((query) => query.startsWith(NIC))).toHaveLength(2);
  });

  it('never more than two queries are under way at one registry', async () => {
    let underWay = 0;
    let most = 0;
    const { lookUp } = await open({
      root: { test: { refer: NIC } },
      whois: {
        [NIC]: (query, socket) => {
          most = Math.max(most, ++underWay);
          setTimeout(() => {
            underWay--;
            socket.end(record(query));
          }, 5);
        },
      },
    });
    await Promise.all(Array.from({ length: 20 }, (_, i) => lookUp(`name${i}.test`)));
    expect(most).toBe(2);
  });
});

describe('a name that one service of the registry calls invalid', () => {
  const root = { test: { refer: NIC } };
  const rdap = { test: 'http://rdap.nic.test/' };

  it.each([400, 422])('by RDAP (%i) is invalid when nobody knows better', async (status) => {
    const port = await listenHttp((_, response) => response.writeHead(status).end('{"errorCode":400}'));
    const { lookUp } = await open({ root: { test: { refer: '' } }, rdap, ports: { 'rdap.nic.test': port } });
    const error = await errorOf(lookUp('example.test'));
    expect(error).toMatchObject({ code: 'invalid_domain', status: 400 });
    expect(error.details).toMatchObject([
      { parameter: 'domain', given: 'example.test', whoisServer: 'rdap.nic.test', raw: '{"errorCode":400}' },
    ]);
  });

  it('is not believed to be so while the other one was out of reach', async () => {
    const port = await listenHttp((_, response) => response.writeHead(400).end());
    const { lookUp } = await open({ root, rdap, ports: { 'rdap.nic.test': port } });
    expect(await errorOf(lookUp('example.test'))).toMatchObject({ code: 'registry_unavailable' });
  });

  it('is what the other one says it is', async () => {
    const port = await listenHttp((_, response) =>
      response.end(JSON.stringify({ objectClassName: 'domain', ldhName: 'example.test' })),
    );
    const { lookUp } = await open({
      root,
      rdap,
      whois: { [NIC]: 'Invalid domain name\r\n' },
      ports: { 'rdap.nic.test': port },
    });
    expect(await lookUp('example.test')).toMatchObject({ state: 'registered', protocol: 'rdap' });
  });
});

describe('an answer that cannot be used', () => {
  const root = { test: { refer: NIC } };

  it.each([
    ['is a page', '<html><body>Maintenance</body></html>', 'broken'],
    [
      'is a refusal',
      'Requests of this client are not permitted. Please use https://nic.example/whois/\r\n',
      'refused',
    ],
  ])('and %s is shown, so that a person can read what we cannot', async (_, raw, outcome) => {
    const { lookUp } = await open({ root, whois: { [NIC]: raw } });
    const error = await errorOf(lookUp('example.test'));
    expect(error).toMatchObject({ code: 'registry_unavailable' });
    expect(error.details).toMatchObject({
      whoisServer: NIC,
      raw,
      protocol: 'whois',
      hops: [{}, { outcome }],
    });
  });

  it('is shown as far as its first 64 KiB', async () => {
    const page = `<html>${'x'.repeat(100_000)}`;
    const { lookUp } = await open({ root, whois: { [NIC]: page } });
    const { details } = await errorOf(lookUp('example.test'));
    expect((details as { raw: string }).raw).toBe(page.slice(0, 65_536));
  });

  it("and is a refusal comes with the registry's web page, where the root or our table names one", async () => {
    const text = rootObject('test', NIC) + 'remarks:      Registration information: https://nic.example/\n';
    const refusal = 'Requests of this client are not permitted.\r\n';
    const { lookUp } = await open({
      root: { test: text, ph: { refer: NIC } },
      whois: { [NIC]: refusal },
    });
    const error = await errorOf(lookUp('example.test'));
    expect(error.message).toContain('https://nic.example/');
    expect(error.details).toMatchObject({ registryWebsite: 'https://nic.example/' });
    expect((await errorOf(lookUp('example.ph'))).message).toContain('https://whois.dot.ph/');
  });
});

describe('the registrar, one hop more', () => {
  const REGISTRAR = 'whois.registrar.test';
  const root = { test: { refer: NIC } };
  const registry = record('example.test', [`Registrar WHOIS Server: ${REGISTRAR}`]);

  it('its text is returned, its values fill blanks, and those of the registry stand', async () => {
    const thin = registry.replace(/Updated Date.*\r\n/, '').replace(/Name Server: ns2.*\r\n/, '');
    const fromRegistrar = record('example.test').replace('Sample Registrar', 'Other Words, Inc.');
    const { lookUp } = await open({ root, whois: { [NIC]: thin, [REGISTRAR]: fromRegistrar } });
    const result = await lookUp('example.test', 'registrar');
    expect(result).toMatchObject({ whoisServer: REGISTRAR, raw: fromRegistrar });
    expect(result.registry).toEqual({ whoisServer: NIC, raw: thin, protocol: 'whois' });
    expect(result.parsed).toMatchObject({
      registrar: 'Sample Registrar',
      updatedDate: '2026-01-02T03:04:05Z',
      nameServers: ['ns1.hosting.example'],
    });
    expect(outcomes(result.hops)).toEqual(['root referral', `${NIC} registered`, `${REGISTRAR} registered`]);
  });

  it('is not asked unless that is wished', async () => {
    const { lookUp, queries } = await open({
      root,
      whois: { [NIC]: registry, [REGISTRAR]: record('example.test') },
    });
    expect((await lookUp('example.test')).whoisServer).toBe(NIC);
    expect(queries).toHaveLength(2);
  });

  it.each([
    ['says that there is no such name', 'No match for example.test.\r\n'],
    ['says nothing', ''],
    ['throttles', 'You have exceeded your quota of queries.\r\n'],
    ['speaks of another name', record('other.test')],
    ['says much less', 'Domain Name: example.test\r\nRegistrar: Other\r\n'],
  ])('that %s loses nothing of the registry', async (_, text) => {
    const { lookUp } = await open({ root, whois: { [NIC]: registry, [REGISTRAR]: text } });
    const result = await lookUp('example.test', 'registrar');
    expect(result).toMatchObject({ whoisServer: NIC, raw: registry });
    expect(result.parsed.registrar).toBe('Sample Registrar');
    expect(result.hops).toHaveLength(3);
  });

  it('is judged as a registry is: one that throttles is left alone', async () => {
    const { lookUp, queries } = await open({
      root,
      whois: {
        [NIC]: (query, socket) => socket.end(record(query, [`Registrar WHOIS Server: ${REGISTRAR}`])),
        [REGISTRAR]: 'You have exceeded your quota of queries.\r\n',
      },
    });
    expect(outcomes((await lookUp('a.test', 'registrar')).hops).at(-1)).toBe(`${REGISTRAR} throttled`);
    const second = await lookUp('b.test', 'registrar');
    expect(second.whoisServer).toBe(NIC);
    expect(outcomes(second.hops).at(-1)).toBe(`${REGISTRAR} busy`);
    expect(queries.filter((query) => query.startsWith(REGISTRAR))).toHaveLength(1);
  });

  it('that is dead loses nothing of the registry, and the hop says so', async () => {
    const { lookUp } = await open({ root, whois: { [NIC]: registry } });
    const result = await lookUp('example.test', 'registrar');
    expect(result).toMatchObject({ whoisServer: NIC, raw: registry });
    expect(outcomes(result.hops).at(-1)).toBe(`${REGISTRAR} unreachable`);
  });

  it('whose port 43 is dead is asked by RDAP, where the RDAP record of the registry links to it', async () => {
    const href = 'https://rdap.registrar.test/domain/example.test';
    const port = await listenHttp((_, response) => {
      const links = [{ rel: 'related', type: 'application/rdap+json', href }];
      response.end(JSON.stringify({ objectClassName: 'domain', ldhName: 'example.test', links }));
    });
    const { lookUp } = await open({
      root,
      whois: { [NIC]: registry },
      rdap: { test: 'http://rdap.nic.test/' },
      ports: { 'rdap.nic.test': port, 'rdap.registrar.test': port },
    });
    const result = await lookUp('example.test', 'registrar');
    // Nobody here vouches for a certificate; registrar.test.ts has what happens when somebody does.
    expect(outcomes(result.hops)).toEqual([
      'root referral',
      `${NIC} registered`,
      `${REGISTRAR} unreachable`,
      'rdap.nic.test registered',
      'rdap.registrar.test unreachable',
    ]);
    expect(result).toMatchObject({ whoisServer: NIC, raw: registry });
  });

  it.each([
    'https://registrar.example/whois',
    'see our web page',
    '127.0.0.1',
    'localhost',
    'whois.registrar.test:25',
  ])('that is no server (%s) is not asked', async (stated) => {
    const text = record('example.test', [`Registrar WHOIS Server: ${stated}`]);
    const { lookUp } = await open({ root, whois: { [NIC]: text } });
    expect(await lookUp('example.test', 'registrar')).toMatchObject({
      whoisServer: NIC,
      hops: { length: 2 },
    });
  });
});
