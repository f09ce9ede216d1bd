import { describe, expect, it } from 'vitest';
import { chooseEncoding } from './negotiation.ts';
import { matchesEtag } from './response-headers.ts';

describe('the encoding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0, gzip;q=0.1', 'gzip'],
    ['gzip;q=0', 'identity'],
    ['*', 'br'],
    ['*;q=0.5, br;q=0', 'gzip'],
    ['identity', 'identity'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['x-gzip;q=0, br;q=0', 'identity'],
    ['gzip;q=nonsense', 'gzip'],
    ['gzip;q=0.5, br;q=0.5', 'br'],
    [`br,${'x'.repeat(197)}`, 'br'],
    [`br,${'x'.repeat(198)}`, 'identity'],
  ])('for %j is %s', (header, expected) => {
    expect(chooseEncoding(header)).toBe(expected);
  });
});

describe('If-None-Match', () => {
  const etag = 'W/"abc"';
  it('compares weakly, in lists and with the star', () => {
    for (const header of ['W/"abc"', '"abc"', '"x", W/"abc"', ' * '])
      expect(matchesEtag(header, etag)).toBe(true);
    for (const header of ['"abcd"', 'abc', '', 'W/abc']) expect(matchesEtag(header, etag)).toBe(false);
  });
});
