import net from 'node:net';
import { describe, expect, it } from 'vitest';
import { listOf } from '../../../../test/list-of.ts';
import { record, rootObject } from '../../test/loopback-world.ts';
import { NIC, codeOf, errorOf, listen, open, openRegistry } from '../../test/opened-world.ts';

/** Servers that refer to each other one by one; the last one answers so. */
const chain = (length: number, last: string) =>
  Object.fromEntries(
    Array.from({ length }, (_, i) => [
      `whois.n${i}.test`,
      i === length - 1 ? last : `refer: whois.n${i + 1}.test\n`,
    ]),
  );

describe('referrals that', () => {
  it.each<[string, string, Record<string, string>]>([
    ['lead in a circle of two', 'refer: whois.b.test\n', { 'whois.b.test': `refer: ${NIC}\n` }],
    ['lead to themselves', `refer: ${NIC}\n`, {}],
    ['never end', 'refer: whois.n0.test\n', chain(12, '')],
  ])('%s are cut, and no server is queried twice', async (_, answer, whois) => {
    const { lookUp, queries } = await openRegistry(answer, { whois });
    expect(await codeOf(lookUp('example.test'))).toBe('registry_unavailable');
    expect(new Set(queries).size).toBe(queries.length);
    expect(queries.length).toBeLessThanOrEqual(5);
  });

  it('lead in a circle do not hide what the first server states', async () => {
    const { lookUp } = await openRegistry(`TLD is not supported.\nrefer: whois.b.test\n`, {
      whois: { 'whois.b.test': `refer: ${NIC}\n` },
    });
    const { details } = await errorOf(lookUp('example.test'));
    expect(details).toMatchObject({ whoisServer: NIC });
  });

  it('make five hops with the root are followed, and a sixth is not', async () => {
    const root = { test: { refer: 'whois.n0.test' } };
    const { lookUp } = await open({ root, whois: chain(4, record('example.test')) });
    expect((await lookUp('example.test')).hops).toHaveLength(5);
    const longer = await open({ root, whois: chain(5, record('example.test')) });
    expect(await codeOf(longer.lookUp('example.test'))).toBe('registry_unavailable');
    expect(longer.queries).toHaveLength(5);
  });

  it('come with the object of another domain are not followed: its server denies every name of this one', async () => {
    const { lookUp, queries } = await open({
      root: { test: rootObject('other', 'whois.nic.other') },
      whois: { 'whois.nic.other': 'No match for domain.\r\n' },
    });
    expect(await codeOf(lookUp('example.test'))).toBe('registry_unavailable');
    expect(queries).toEqual(['root test']);
  });

  it.each([
    'whois.b.test\r\nwhois.c.test',
    'whois.b.test%0d%0aexample.org',
    'whois.b.test\\r\\nexample.org',
    'whois.b.test\u0000.example',
    'whois.b.test\u2028example.org',
    'whois.b.test -T dn example.org',
    '-h whois.b.test',
  ])('contain more than a host name (%j) add nothing to a query', async (stated) => {
    const { lookUp, queries } = await open({
      root: { test: rootObject('test', stated) },
      whois: { 'whois.b.test': record('example.test'), 'whois.c.test': record('example.test') },
    });
    await lookUp('example.test').catch(() => undefined);
    expect(queries.filter((query) => !/^(?:root test|whois\.b\.test example\.test)$/.test(query))).toEqual(
      [],
    );
  });
});
describe('a referral to this machine or a private network', () => {
  /** Addresses to which a root, registry or registrar may refer in order to abuse this service's position. */
  const LITERALS = listOf(`
    127.0.0.2 | 127.1 | 127.0.0.2:4321 | 0x7f.0.0.2 | 0x7f000002 | 2130706434 | 017700000002 |
    0177.0.0.2 | 127.0.2 | 0 | 0.0.0.0 | [::1] | ::1 | [::1]:4321 | [::ffff:127.0.0.2] | ::ffff:7f00:2 |
    [64:ff9b::7f00:2] | [2002:7f00:2::] | fe80::1%lo | 10.0.0.1 | 172.16.0.1 | 192.168.1.1 |
    169.254.169.254 | 100.64.0.1 | 224.0.0.1 | 255.255.255.255 | 240.0.0.1 | 198.18.0.1 | 192.0.2.1 |
    localhost | LOCALHOST | localhost. | foo.localhost | intranet | whois | http://127.0.0.2/ |
    whois://127.0.0.2 | rwhois://127.0.0.2:4321/auth-area=. | http://[::1]/ | [fe80::2] | [fd00::1] |
    [ff02::1] | [2001:db8::1] | 198.51.100.1 | 203.0.113.1 | 127.000.000.002 | whois://localhost:4321 |
    user@127.0.0.2 | １２７.0.0.2 | ①②⑦.0.0.2 | 127。0。0。2
  `);
  const HOSTS = Object.entries({
    'loopback.test': '127.0.0.2',
    'loopback6.test': '::1',
    'mapped.test': '::ffff:127.0.0.2',
    'nat64.test': '64:ff9b::7f00:2',
    'sixtofour.test': '2002:7f00:2::1',
    'teredo.test': '2001:0:7f00:2::',
    'any.test': '0.0.0.0',
    'any6.test': '::',
    'private.test': '10.0.0.1',
    'cgnat.test': '100.64.0.1',
    'metadata.test': '169.254.169.254',
    'ula.test': 'fd00::1',
    'linklocal.test': 'fe80::1',
    'multicast.test': 'ff02::1',
    'short.test': '0x7f.2',
  });

  /** Listens on every address of this machine. */
  async function startCanary(): Promise<{ arrived: () => number; port: number }> {
    let count = 0;
    const server = net.createServer((socket) => {
      count++;
      socket.destroy();
    });
    const port = await listen(server, '::');
    return { arrived: () => count, port };
  }

  it.each(LITERALS)('written as %s is not followed', async (stated) => {
    const { lookUp, queries } = await open({
      root: { test: rootObject('test', stated), other: { refer: NIC } },
      whois: { [NIC]: record('example.other', [`Registrar WHOIS Server: ${stated}`]) },
      resolve: () => Promise.reject(new Error('nothing is resolved')),
    });
    expect(await codeOf(lookUp('example.test'))).toBe('registry_unavailable');
    expect(await lookUp('example.other', 'registrar')).toMatchObject({
      whoisServer: NIC,
      hops: { length: 2 },
    });
    expect(queries).toEqual(['root test', 'root other', `${NIC} example.other`]);
  });

  it.each(HOSTS)('by the name %s (%s) causes no connection', async (host, address) => {
    const canary = await startCanary();
    const resolved = { root: { test: { refer: host } }, resolve: () => Promise.resolve([address]) };
    const mapped = { ...resolved, hosts: { [host]: { host: address, port: canary.port } } };
    for (const options of [resolved, mapped]) {
      const { lookUp } = await open(options);
      const error = await errorOf(lookUp('example.test'));
      expect(error).toMatchObject({ code: 'registry_unavailable' });
      expect(error).toHaveProperty('details.hops.1.outcome', 'forbidden_address');
    }
    expect(canary.arrived()).toBe(0);
  });
});
