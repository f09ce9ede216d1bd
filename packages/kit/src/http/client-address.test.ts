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

  it('is the IPv4 address, also if it is mapped into IPv6', () => {
    expect(direct(from('192.0.2.7')).key).toBe('192.0.2.7');
    expect(direct(from('::ffff:192.0.2.7')).key).toBe('192.0.2.7');
  });

  it('is the IPv4 address behind a NAT64 translator (64:ff9b::/96), and of no other prefix', () => {
    expect(direct(from('64:ff9b::192.0.2.7'))).toEqual({ key: '192.0.2.7', network: '192.0.2.0' });
    expect(direct(from('64:ff9b::c000:208')).key).toBe('192.0.2.8');
    expect(direct(from('64:ff9b:1::c000:208')).key).toBe('64:ff9b:1:0::/64');
    expect(direct(from('64:ff9b::1:c000:208')).key).toBe('64:ff9b:0:0::/64');
    expect(direct(from('65:ff9b::c000:208')).key).toBe('65:ff9b:0:0::/64');
    expect(direct(from('64:1::c000:208')).key).toBe('64:1:0:0::/64');
  });

  it('is the /64 for IPv6, so that one household counts as one client', () => {
    expect(direct(from('2001:db8:1:2:3:4:5:6')).key).toBe('2001:db8:1:2::/64');
    expect(direct(from('2001:db8:1:2:ffff::1')).key).toBe('2001:db8:1:2::/64');
    expect(direct(from('fe80::1%eth0')).key).toBe('fe80:0:0:0::/64');
  });

  it('ignores X-Forwarded-For unless the peer is a trusted proxy', () => {
    expect(direct(from('192.0.2.7', '198.51.100.1')).key).toBe('192.0.2.7');
    expect(proxied(from('192.0.2.7', '198.51.100.1')).key).toBe('192.0.2.7');
  });

  it('is the last hop that is not a proxy: forged entries before it do not count', () => {
    expect(proxied(from('127.0.0.1', '203.0.113.9, 198.51.100.1')).key).toBe('198.51.100.1');
    expect(proxied(from('127.0.0.1', '203.0.113.9, 198.51.100.1, 10.1.2.3')).key).toBe('198.51.100.1');
    expect(proxied(from('::ffff:127.0.0.1', 'x, 2001:db8:7::5')).key).toBe('2001:db8:7:0::/64');
    expect(proxied(from('2001:db8:ffff::1', '[2001:db8:7::5]')).key).toBe('2001:db8:7:0::/64');
    expect(proxied(from('127.0.0.1', '198.51.100.1:4711')).key).toBe('198.51.100.1');
  });

  it('is the nearest readable hop if the header is malformed or lists only proxies', () => {
    expect(proxied(from('127.0.0.1', 'unknown')).key).toBe('127.0.0.1');
    expect(proxied(from('127.0.0.1', '198.51.100.1, unknown, 10.0.0.9')).key).toBe('10.0.0.9');
    expect(proxied(from('127.0.0.1', '10.0.0.8, 10.0.0.9')).key).toBe('10.0.0.8');
    expect(proxied(from('127.0.0.1')).key).toBe('127.0.0.1');
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

  it('is network for the log', () => {
    expect(direct(from('192.0.2.77')).network).toBe('192.0.2.0');
    expect(direct(from('2001:db8:1:2:3:4:5:6')).network).toBe('2001:db8:1::');
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
