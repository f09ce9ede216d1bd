import { describe, expect, it } from 'vitest';
import { listOf } from '../../../../test/list-of.ts';
import { createAddressGuard } from './address-guard.ts';

/** One or more of every special range of IPv4 and IPv6, and spellings that a resolver must not get past us. */
const SPECIAL_ADDRESSES = [
  '',
  ' 8.8.8.8',
  '8.8.8.8 ',
  ...listOf(`
    0.0.0.0 | 0.1.2.3 | 10.0.0.1 | 10.255.255.255 | 100.64.0.1 | 100.127.255.254 | 127.0.0.1 |
    127.255.255.254 | 169.254.169.254 | 172.16.0.1 | 172.31.255.255 | 192.0.0.1 | 192.0.0.170 | 192.0.2.1 |
    192.31.196.1 | 192.52.193.1 | 192.88.99.1 | 192.168.0.1 | 192.175.48.1 | 198.18.0.1 | 198.19.255.255 |
    198.51.100.7 | 203.0.113.9 | 224.0.0.1 | 239.255.255.255 | 240.0.0.1 | 255.255.255.255 | :: | ::1 |
    0:0:0:0:0:0:0:1 | ::ffff:127.0.0.1 | ::ffff:7f00:1 | ::ffff:8.8.8.8 | ::127.0.0.1 | ::ffff:0:127.0.0.1 |
    64:ff9b::7f00:1 | 64:ff9b::10.0.0.1 | 64:ff9b:1::1 | 100::1 | 100:0:0:1::1 | 2001::1 | 2001:0:7f00:1:: |
    2001:2::1 | 2001:3::1 | 2001:10::1 | 2001:20::1 | 2001:30::1 | 2001:db8::1 | 2001:4:112::1 |
    2002:7f00:1:: | 2002:a00:1::1 | 2620:4f:8000::1 | 3fff::1 | 4000::1 | 5f00::1 | fc00::1 | fd12:3456::1 |
    fe80::1 | fe80::1%eth0 | 2001:470::1%eth0 | fec0::1 | ff02::1 | 2001:470::5efe:127.0.0.1 |
    2001:470::200:5efe:10.0.0.1 | 0x7f.1 | 0x7f000001 | 2130706433 | 017700000001 | 127.1 | 010.0.0.1 |
    127.0.0.01 | localhost | [::1]
  `),
];

describe('the check of addresses before a connection', () => {
  it.each(SPECIAL_ADDRESSES)('rejects %j', (address) => {
    expect(createAddressGuard([])(address)).toEqual(expect.any(String));
  });

  it.each(['8.8.8.8', '192.0.1.1', '100.128.0.1', '172.32.0.1', '2606:4700::1111', '2001:500:88:200::8'])(
    'accepts the public address %s',
    (address) => expect(createAddressGuard([])(address)).toBeUndefined(),
  );

  it('accepts the ranges allowed by the operator and nothing beside them', () => {
    const guard = createAddressGuard(['127.0.0.0/30', 'fd00::/8']);
    expect(guard('127.0.0.1')).toBeUndefined();
    expect(guard('fd12::1')).toBeUndefined();
    expect(guard('127.0.0.4')).toContain('loopback');
    expect(guard('::ffff:127.0.0.1')).toContain('not global unicast');
    expect(guard('10.0.0.1')).toContain('private');
  });
});
