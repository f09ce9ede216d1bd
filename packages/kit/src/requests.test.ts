import { expect, it } from 'vitest';
import { readAddress, readRetryAfter, retryAfterOf, waitSeconds, withoutPasswords } from './requests.ts';

it.each([
  ['30', 30],
  [['5', '7'], 5],
  ['Thu, 01 Jan 2026 00:01:00 GMT', 60],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['soon', undefined],
  // Date.parse accepts both as years.
  ['-1', undefined],
  ['1.5', undefined],
  [undefined, undefined],
])('a Retry-After of %j is %j seconds', (header, seconds) => {
  expect(readRetryAfter(header, Date.UTC(2026, 0, 1))).toBe(seconds);
});

it('a date in Retry-After is relative to the date of its response', () => {
  const headers = new Headers({
    Date: 'Sat, 21 Nov 2026 10:00:00 GMT',
    'Retry-After': 'Sat, 21 Nov 2026 10:00:09 GMT',
  });
  expect(retryAfterOf({ headers })).toBe(9);
});

it('a stated wait is at least a second, an hour at most', () => {
  expect([0, 7, 31_492_800].map(waitSeconds)).toEqual([1, 7, 3_600]);
});

it('an address is divided into its credentials and the rest', () => {
  const { url, headers } = readAddress('http://me:p%40ss%E7%8C%AB@host.example/path?x=1');
  expect([url.href, headers]).toEqual([
    'http://host.example/path?x=1',
    { Authorization: `Basic ${Buffer.from('me:p@ss猫').toString('base64')}` },
  ]);
  expect(readAddress('http://host.example').headers).toEqual({});
});

it.each(['http://me:%zzhidden@host.example', 'ftp://me:hidden@host.example', 'http://me:hidden@a b'])(
  'an address that cannot be used is rejected without its password: %s',
  (address) => {
    expect(() => readAddress(address)).toThrow(TypeError);
    expect(() => readAddress(address)).not.toThrow(/hidden/);
  },
);

it('a text that is shown has no password of an address, however it is written', () => {
  expect(withoutPasswords('redis://me:p//a@b@host:6379/0?password=hidden&x=1')).toBe(
    'redis://...@host:6379/0?password=...&x=1',
  );
});
