import { describe, expect, it } from 'vitest';
import type { WrittenForm } from '../../packages/kit/src/http/endpoint.ts';
import { raw, startThings } from './things-service.ts';

const PROXIES = ['127.0.0.1', '10.0.0.0/8', '2001:db8:ffff::/48'];

/** The clients of requests that a proxy forwards for these addresses, as the log has them. */
async function loggedClients(forwarded: readonly string[], options: Parameters<typeof startThings>[1]) {
  const { get, logged } = await startThings(undefined, options);
  for (const each of forwarded) await get('/livez', each === '' ? {} : { 'x-forwarded-for': each });
  return logged().map(({ client }) => client);
}

describe('the client of a forwarded request', () => {
  it('is an IPv4 address or an IPv6 /64; the log has its network', async () => {
    const cases = [
      ['192.0.2.7', '192.0.2.7', '192.0.2.0'],
      // Mapped into IPv6.
      ['::ffff:192.0.2.7', '192.0.2.7', '192.0.2.0'],
      // Behind a NAT64 translator (64:ff9b::/96), and no other prefix.
      ['64:ff9b::192.0.2.7', '192.0.2.7', '192.0.2.0'],
      ['64:ff9b::c000:208', '192.0.2.8', '192.0.2.0'],
      ['64:ff9b:1::c000:208', '64:ff9b:1:0::/64', '64:ff9b:1::'],
      ['64:ff9b::1:c000:208', '64:ff9b:0:0::/64', '64:ff9b:0::'],
      ['65:ff9b::c000:208', '65:ff9b:0:0::/64', '65:ff9b:0::'],
      ['64:1::c000:208', '64:1:0:0::/64', '64:1:0::'],
      // The /64 for IPv6, so that one household counts as one client.
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::'],
      ['2001:db8:1:2:ffff::1', '2001:db8:1:2::/64', '2001:db8:1::'],
      ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::'],
    ] as const;
    const addresses = cases.map(([address]) => address);
    const keys = cases.map(([, key]) => key);
    expect(await loggedClients(addresses, { trustedProxies: PROXIES, level: 'debug' })).toEqual(keys);
    const networks = cases.map(([, , network]) => network);
    expect(await loggedClients(addresses, { trustedProxies: PROXIES })).toEqual(networks);
  });

  it('is the last hop that is not a trusted proxy, or the nearest that can be read', async () => {
    const cases = [
      ['203.0.113.9, 198.51.100.1', '198.51.100.1'],
      ['203.0.113.9, 198.51.100.1, 10.1.2.3', '198.51.100.1'],
      ['x, 2001:db8:7::5', '2001:db8:7:0::/64'],
      ['[2001:db8:7::5]', '2001:db8:7:0::/64'],
      ['198.51.100.1:4711', '198.51.100.1'],
      ['198.51.100.1, 2001:db8:ffff::1', '198.51.100.1'],
      ['unknown', '127.0.0.1'],
      ['198.51.100.1, unknown, 10.0.0.9', '10.0.0.9'],
      ['10.0.0.8, 10.0.0.9', '10.0.0.8'],
      ['', '127.0.0.1'],
    ] as const;
    const clients = await loggedClients(
      cases.map(([forwarded]) => forwarded),
      { trustedProxies: PROXIES, level: 'debug' },
    );
    expect(clients).toEqual(cases.map(([, key]) => key));
  });

  it('is read behind 98 headers that the client sent; with more, the request is refused', async () => {
    const { base, logged } = await startThings(undefined, { trustedProxies: PROXIES, level: 'debug' });
    for (const count of [98, 99, 130, 2_000]) {
      const more = 'A: b\r\n'.repeat(count);
      await raw(base, `GET /livez HTTP/1.1\r\nHost: a\r\n${more}X-Forwarded-For: 198.51.100.1\r\n\r\n`);
    }
    expect(logged().map(({ status }) => status)).toEqual([200, 431, 431, 431]);
    expect(logged()[0]).toMatchObject({ client: '198.51.100.1' });
  });

  it('is the peer, whatever it states, unless that is a trusted proxy', async () => {
    const clients = await loggedClients(['198.51.100.1'], { trustedProxies: [], level: 'debug' });
    expect(clients).toEqual(['127.0.0.1']);
  });
});

describe('absolute addresses in a response', () => {
  /** A form that is the address of its request. */
  const form: WrittenForm = {
    name: 'address',
    contentType: 'application/json',
    keyFor: ({ url }) => url,
    write: (_entry, target) => JSON.stringify(target),
  };

  it('have the host of the request, or localhost if it cannot be a public name', async () => {
    const { get } = await startThings(undefined, { form });
    const cases = [
      ['novels.example', 'novels.example', 'novels.example'],
      ['Novels.Example:3000', 'novels.example:3000', 'novels.example'],
      ['a', 'a', 'a'],
      ['192.0.2.1:80', '192.0.2.1:80', '192.0.2.1'],
      ['[2001:db8::1]:3000', '[2001:db8::1]:3000', 'localhost'],
      ['a'.repeat(254), 'a'.repeat(254), 'a'.repeat(254)],
      ...['-a', 'a-', 'a.', 'a:', 'a_b', "a'b", 'a&b', '%61', 'a'.repeat(255)].map(
        (host) => [host, 'localhost', 'localhost'] as const,
      ),
    ] as const;
    for (const [host, authority, hostname] of cases) {
      const { text } = await get('/things/one?format=x', { host });
      const origin = `http://${authority}`;
      expect([host, JSON.parse(text)]).toEqual([
        host,
        { origin, hostname, url: `${origin}/things/one?format=x` },
      ]);
    }
  });

  it('are https only if a trusted proxy says so', async () => {
    for (const [trustedProxies, proto, scheme] of [
      [['127.0.0.1'], 'https', 'https'],
      [['127.0.0.1'], 'javascript', 'http'],
      [[], 'https', 'http'],
    ] as const) {
      const { get } = await startThings(undefined, { form, trustedProxies });
      const { text, headers } = await get('/things/one?format=x', {
        host: 'a',
        'x-forwarded-proto': proto,
      });
      expect(JSON.parse(text)).toMatchObject({ origin: `${scheme}://a` });
      expect(headers['content-type']).toBe('application/json');
    }
  });

  it.each(['http://a', 'HTTP://A'])(
    'have their host once, also if the request names it: %s',
    async (origin) => {
      const { base } = await startThings(undefined, { form, next: () => ({ page: '2' }) });
      const head = `GET ${origin}/things/one?format=x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
      const answer = await raw(base, head, false);
      expect(answer).toContain('"url":"http://a/things/one?format=x"');
      expect(answer).toContain('link: <http://a/things/one?format=x&page=2>');
    },
  );
});
