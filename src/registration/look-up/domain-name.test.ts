import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../errors.ts';
import { readDomainName } from './domain-name.ts';

const ownRegistries = new Set(['uk.com', 'ac.uk']);
const read = (given: string) => readDomainName(given, (zone) => ownRegistries.has(zone));

function reasonsOf(requested: string): string {
  try {
    read(requested);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    expect(error.code).toBe('invalid_domain');
    return JSON.stringify(error.details);
  }
  return 'accepted';
}

describe('the name in the query to a registry', () => {
  it.each([
    ['example.com', 'example.com', 'com'],
    ['EXAMPLE.Com.', 'example.com', 'com'],
    ['www.example.co.uk', 'example.co.uk', 'co.uk'],
    ['a.b.c.example.org', 'example.org', 'org'],
    ['a.b.test', 'b.test', 'test'],
    ['日本語.jp', 'xn--wgv71a119e.jp', 'jp'],
    ['例え。テスト', 'xn--r8jz45g.xn--zckzah', 'xn--zckzah'],
    ['XN--WGV71A119E.JP', 'xn--wgv71a119e.jp', 'jp'],
    ['faß.de', 'xn--fa-hia.de', 'de'],
    ['x.kawasaki.jp', 'x.kawasaki.jp', 'kawasaki.jp'],
    ['www.blogspot.com', 'blogspot.com', 'com'],
    ['shop.name.uk.com', 'name.uk.com', 'uk.com'],
    ['uk.com', 'uk.com', 'com'],
    ['www.college.ac.uk', 'college.ac.uk', 'ac.uk'],
    ['co.uk', 'co.uk', 'uk'],
    ['ab--cd.com', 'ab--cd.com', 'com'],
    ['1.example', '1.example', 'example'],
  ])('%s becomes %s in the zone %s', (spelling, name, zone) => {
    expect(read(spelling)).toEqual({ spelling, name, zone, tld: name.slice(name.lastIndexOf('.') + 1) });
  });

  it.each([['com'], ['COM.'], ['みんな'], ['xn--q9jyb4c']])('%s alone is a top-level domain', (spelling) => {
    const { name, tld, zone } = read(spelling);
    expect(name).toBe(tld);
    expect(zone).toBe('');
  });
});

describe('an invalid name is rejected with the reason', () => {
  it.each([
    ['', 'empty'],
    ['.', 'root'],
    ['..', 'empty label'],
    ['.com', 'empty label'],
    ['a..com', 'empty label'],
    ['127.0.0.1', 'IP address'],
    ['0x7f.1', 'IP address'],
    ['2130706433', 'IP address'],
    ['::1', 'IP address'],
    ['[::1]', 'IP address'],
    ['example.123', 'top-level domain'],
    ['x', 'top-level domain'],
    ['-x.com', 'hyphen'],
    ['x-.com', 'hyphen'],
    ['x.-com', 'hyphen'],
    ['-T dn.de', 'blanks'],
    ['a_b.com', 'letters, digits and hyphens'],
    ['a*b.com', 'letters, digits and hyphens'],
    ['a b.com', 'blanks'],
    ['example.com\r\nevil.com', 'blanks, control'],
    ['example.com\n', 'blanks, control'],
    ['exa\u00admple.com', 'invisible'],
    ['exa\u200bmple.com', 'invisible'],
    ['https://example.com/', 'without scheme'],
    ['example.com:43', 'without scheme'],
    ['user@example.com', 'without scheme'],
    ['ex%61mple.com', 'percent'],
    ['xn--a.com', 'punycode'],
    [`${'a'.repeat(64)}.com`, '64 characters'],
    [`${'a.'.repeat(127)}com`, '257 characters'],
    ['a'.repeat(5_000), '5000 characters'],
    ['日本語', 'accepted'],
  ])('%j: %s', (spelling, reason) => {
    expect(reasonsOf(spelling)).toContain(reason);
  });

  it('names every fault at once', () => {
    expect(reasonsOf('-a.b_c..com')).toMatch(/hyphen.*letters, digits and hyphens.*empty label/);
  });

  it('no text can put a blank, a line end or a leading hyphen into a query', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.stringMatching(/^[-a-zA-Z0-9._ \r\n\t]{1,80}$/),
      fc.domain(),
    );
    fc.assert(
      fc.property(text, (spelling) => {
        try {
          const { name } = read(spelling);
          expect(name).toMatch(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/);
          expect(name.length).toBeLessThan(254);
        } catch (error) {
          expect(error).toBeInstanceOf(ServiceError);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
