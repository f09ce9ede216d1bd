import { describe, expect, it } from 'vitest';
import { listOf } from '../../../../test/list-of.ts';
import { parseEndpoint, parseHostMapping } from './host-map.ts';

describe('HOST_MAP', () => {
  it.each([
    ['whois.iana.org:43', { host: 'whois.iana.org', port: 43 }],
    ['127.0.0.1:4343', { host: '127.0.0.1', port: 4343 }],
    ['[::1]:4343', { host: '::1', port: 4343 }],
    ['localhost:1', { host: 'localhost', port: 1 }],
  ])('reads %s', (text, endpoint) => {
    expect(parseEndpoint(text)).toEqual(endpoint);
  });

  it.each([
    '',
    ...listOf(`
      whois.iana.org | :43 | host:0 | host:65536 | host:43:43 | ::1:43 | ho st:43 | host:4a
    `),
  ])('rejects %j', (text) => {
    expect(parseEndpoint(text)).toBeUndefined();
  });

  it('maps a name in any case to its address', () => {
    expect(parseHostMapping(' Whois.NIC.example = 127.0.0.1:5000 ')).toEqual([
      'whois.nic.example',
      { host: '127.0.0.1', port: 5_000 },
    ]);
    expect(parseHostMapping('=127.0.0.1:5000')).toBeUndefined();
    expect(parseHostMapping('127.0.0.1:5000')).toBeUndefined();
  });
});
