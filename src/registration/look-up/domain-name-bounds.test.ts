import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../errors.ts';
import { readDomainName } from './domain-name.ts';

interface Fault {
  given: string;
  reason: string;
}

/** The faults of a name; none if it is accepted. */
function faultsOf(spelling: string): readonly Fault[] {
  try {
    readDomainName(spelling, () => false);
    return [];
  } catch (error) {
    if (error instanceof ServiceError) return error.details as Fault[];
    throw error;
  }
}
const reasonsOf = (requested: string) => faultsOf(requested).map(({ reason }) => reason);

/** A name of so many characters, in labels of at most 50. */
const nameOf = (length: number) =>
  `${'x'.repeat(49)}.`
    .repeat(5)
    .slice(0, length - 4)
    .replace(/\.$/, 'x') + '.com';

describe('a domain name', () => {
  it('has at most 253 characters', () => {
    expect([nameOf(253).length, nameOf(254).length]).toEqual([253, 254]);
    expect(reasonsOf(nameOf(253))).toEqual([]);
    expect(reasonsOf(nameOf(254))).toEqual(['it has 254 characters; at most 253 are allowed']);
  });

  it('has labels of at most 63', () => {
    expect(reasonsOf(`${'x'.repeat(63)}.com`)).toEqual([]);
    expect(reasonsOf(`${'x'.repeat(64)}.com`)).toHaveLength(1);
  });

  it.each(['example.1com', 'example.com1', 'example.c-m', 'example.c'])(
    'does not end like %s, which is not a top-level domain',
    (spelling) => {
      expect(reasonsOf(spelling)).toEqual([expect.stringContaining('cannot be a top-level domain')]);
    },
  );

  it('has its suffix checked only if the rest is valid', () => {
    expect(reasonsOf('a_b.c')).toEqual([expect.stringContaining('other than letters, digits and hyphens')]);
  });

  it.each(['127.0.0.10', '10.255', '1.0xff', '1.0x12', '0xab.1', '1.2.3.0x'])(
    'is not written as %s, which some parsers read as an IP address',
    (spelling) => {
      expect(reasonsOf(spelling)).toEqual(['it is an IP address, not a domain name']);
    },
  );

  it('with a colon is reported as an IPv6 address only if it can be one', () => {
    expect(reasonsOf('ab:cd::1')).toEqual(['it is an IP address, not a domain name']);
    expect(reasonsOf('ab:example')).toEqual([expect.stringContaining('without scheme')]);
  });

  it('that cannot be registered in Unicode is reported as such', () => {
    expect(reasonsOf('\u{e000}.jp')).toEqual(['it is not a valid internationalised name (IDNA)']);
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
    return readDomainName(url.slice(1, url.indexOf('?')), () => false).name;
  });
  const grown = used() - before;
  expect(names.at(-1)).toBe('a-name-of-some-length-99.example');
  expect(grown).toBeLessThan(20_000_000);
});

describe('the fault of a name', () => {
  it('is reported for a bounded number of labels, and once for an overlong text', () => {
    const labels = Array.from({ length: 200 }, (_, i) => `${i}_`).join('.');
    expect(reasonsOf(labels)).toHaveLength(1 + 128);
    expect(reasonsOf('x'.repeat(1_013))).toEqual(['it has 1013 characters; at most 253 are allowed']);
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
