import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { parseCidrs } from '../process/cidr.ts';
import { createClientAddressReader } from './client-address.ts';

const from = (remoteAddress: string, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

describe('the client address', () => {
  const direct = createClientAddressReader([]).addressOf;
  const proxied = createClientAddressReader(['127.0.0.1', '10.0.0.0/8', '2001:db8:ffff::/48']).addressOf;

  it.each([
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
  ])('of %s is %s, and its network for the log %s', (address, key, network) => {
    expect(direct(from(address))).toEqual({ key, network });
  });

  it('ignores X-Forwarded-For unless the peer is a trusted proxy', () => {
    expect(direct(from('192.0.2.7', '198.51.100.1')).key).toBe('192.0.2.7');
    expect(proxied(from('192.0.2.7', '198.51.100.1')).key).toBe('192.0.2.7');
  });

  it.each([
    // The last hop that is not a proxy: forged entries before it do not count.
    ['127.0.0.1', '203.0.113.9, 198.51.100.1', '198.51.100.1'],
    ['127.0.0.1', '203.0.113.9, 198.51.100.1, 10.1.2.3', '198.51.100.1'],
    ['::ffff:127.0.0.1', 'x, 2001:db8:7::5', '2001:db8:7:0::/64'],
    ['2001:db8:ffff::1', '[2001:db8:7::5]', '2001:db8:7:0::/64'],
    ['127.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
    // The nearest readable hop if the header is malformed or lists only proxies.
    ['127.0.0.1', 'unknown', '127.0.0.1'],
    ['127.0.0.1', '198.51.100.1, unknown, 10.0.0.9', '10.0.0.9'],
    ['127.0.0.1', '10.0.0.8, 10.0.0.9', '10.0.0.8'],
    ['127.0.0.1', undefined, '127.0.0.1'],
  ])('behind the trusted proxy %s, which forwarded for %j, is %s', (proxy, forwarded, key) => {
    expect(proxied(from(proxy, forwarded)).key).toBe(key);
  });

  it('of a connection is unknown if it is a proxy, which forwards the requests of many', () => {
    const { clientOf, isFromProxy } = createClientAddressReader(['10.0.0.0/8']);
    const both = (remoteAddress: string) => [
      clientOf({ remoteAddress } as unknown as Socket)?.key,
      isFromProxy(from(remoteAddress)),
    ];
    expect(both('10.1.2.3')).toEqual([undefined, true]);
    expect(both('192.0.2.7')).toEqual(['192.0.2.7', false]);
    // Of a connection that has closed, or over a Unix socket.
    expect(clientOf({} as unknown as Socket)).toEqual({ key: 'unknown', network: 'unknown' });
    expect(isFromProxy({ socket: {} } as unknown as IncomingMessage)).toBe(false);
  });
});

describe('a CIDR', () => {
  it('is a range or a single address', () => {
    const ranges = parseCidrs(['10.0.0.0/8', '192.0.2.1', '::1']);
    expect(ranges.map(([, bits]) => bits)).toEqual([8, 32, 128]);
  });

  it.each(['', '3', 'loopback', '10.0.0.0/33', '10.0.0/8x'])('is not "%s"', (text) => {
    expect(() => parseCidrs(['::1', text])).toThrow(`"${text}" is not an address range`);
  });
});
