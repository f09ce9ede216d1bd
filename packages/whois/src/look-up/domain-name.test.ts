import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createNameReader } from './domain-name.ts';
import { LookUpError } from './look-up-error.ts';

const ownRegistries = new Set(['uk.com', 'ac.uk']);
const read = createNameReader((zone) => ownRegistries.has(zone));

interface Fault {
  given: string;
  reason: string;
}

/** The faults of a name; none if it is accepted. */
function faultsOf(spelling: string): readonly Fault[] {
  try {
    read(spelling);
    return [];
  } catch (error) {
    if (!(error instanceof LookUpError)) throw error;
    expect(error.code).toBe('invalid_domain');
    return error.details as Fault[];
  }
}
const reasonsOf = (requested: string) => faultsOf(requested).map(({ reason }) => reason);

/** A name of so many characters, in labels of at most 50. */
const nameOf = (length: number) =>
  `${'x'.repeat(49)}.`
    .repeat(5)
    .slice(0, length - 4)
    .replace(/\.$/, 'x') + '.com';

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
    ['www.blogspot.com', 'blogspot.com', 'com'],
    ['shop.name.uk.com', 'name.uk.com', 'uk.com'],
    ['uk.com', 'uk.com', 'com'],
    ['www.city.kawasaki.jp', 'city.kawasaki.jp', 'kawasaki.jp'],
    ['www.college.ac.uk', 'college.ac.uk', 'ac.uk'],
    ['ab--cd.com', 'ab--cd.com', 'com'],
    ['1.example', '1.example', 'example'],
  ])('%s becomes %s in the zone %s', (spelling, name, zone) => {
    expect(read(spelling)).toEqual({ spelling, name, zone, tld: name.slice(name.lastIndexOf('.') + 1) });
  });

  it.each([
    ['co.uk', 'uk'],
    ['x.kawasaki.jp', 'kawasaki.jp'],
    ['kawasaki.jp', 'jp'],
    ['nom.br', 'br'],
  ])('%s is a public suffix in the zone %s, and marked', (name, zone) => {
    expect(read(name)).toMatchObject({ name, zone, isSuffix: true });
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
    ['example.1com', 'cannot be a top-level domain'],
    ['example.com1', 'cannot be a top-level domain'],
    ['example.c-m', 'cannot be a top-level domain'],
    ['example.c', 'cannot be a top-level domain'],
    // The suffix is checked only if the rest is valid.
    ['a_b.c', 'other than letters, digits and hyphens'],
    // Some parsers read these as IP addresses.
    ['127.0.0.10', 'IP address'],
    ['10.255', 'IP address'],
    ['1.0xff', 'IP address'],
    ['1.0x12', 'IP address'],
    ['0xab.1', 'IP address'],
    ['1.2.3.0x', 'IP address'],
    ['ab:cd::1', 'IP address'],
    ['ab:example', 'without scheme'],
    ['\u{e000}.jp', 'it is not a valid internationalised name (IDNA)'],
    [nameOf(254), 'it has 254 characters; at most 253 are allowed'],
    ['x'.repeat(1_013), 'it has 1013 characters; at most 253 are allowed'],
  ])('%j: %s', (spelling, reason) => {
    expect(reasonsOf(spelling)).toEqual([expect.stringContaining(reason)]);
  });

  it('names every fault at once', () => {
    expect(reasonsOf('-a.b_c..com').join()).toMatch(/hyphen.*letters, digits and hyphens.*empty label/);
  });

  it.each(['日本語', nameOf(253), `${'x'.repeat(63)}.com`])('%s is accepted', (spelling) => {
    expect(reasonsOf(spelling)).toEqual([]);
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
          expect(error).toBeInstanceOf(LookUpError);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

it('does not remain in memory with its URL', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = used();
  const names = Array.from({ length: 100 }, (_, i) => {
    const url = `/a-name-of-some-length-${i}.example?${'x'.repeat(1_000_000)}`;
    return read(url.slice(1, url.indexOf('?'))).name;
  });
  const grown = used() - before;
  expect(names.at(-1)).toBe('a-name-of-some-length-99.example');
  expect(grown).toBeLessThan(20_000_000);
});

describe('the fault of a name', () => {
  it('is reported for a bounded number of labels', () => {
    const labels = Array.from({ length: 200 }, (_, i) => `${i}_`).join('.');
    expect(reasonsOf(labels)).toHaveLength(1 + 128);
  });

  it('shows labels of up to 30 characters whole', () => {
    const shown = (length: number) => /"(.*?)"/.exec(reasonsOf(`${'_'.repeat(length)}.com`)[0] ?? '')?.[1];
    expect([shown(30), shown(31)]).toEqual(['_'.repeat(30), `${'_'.repeat(30)}...`]);
  });

  it('shows the given text up to 100 characters', () => {
    const given = (length: number) => faultsOf(`_${'x'.repeat(length - 1)}`)[0]?.given;
    expect([given(100), given(101)]).toEqual([`_${'x'.repeat(99)}`, `_${'x'.repeat(99)}...`]);
  });
});
