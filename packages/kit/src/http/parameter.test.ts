import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQueryString } from './parameter.ts';

describe('a query string', () => {
  it('keeps duplicates, empty values and order', () => {
    const { values, malformed } = parseQueryString('a=1&b=&a=2&c&&=x&d=e=f');
    expect([...values]).toEqual([
      ['a', ['1', '2']],
      ['b', ['']],
      ['c', ['']],
      ['', ['x']],
      ['d', ['e=f']],
    ]);
    expect(malformed).toEqual([]);
  });

  it('reports the parts with broken escapes instead of guessing', () => {
    expect(parseQueryString('a=%zz&b=%E7%8C&c=1').malformed).toEqual(['a=%zz', 'b=%E7%8C']);
  });

  it('reads what URLSearchParams writes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }))),
        (pairs) => {
          const expected = new Map<string, string[]>();
          for (const [name, value] of pairs) {
            const list = expected.get(name);
            if (list) list.push(value);
            else expected.set(name, [value]);
          }
          const written = new URLSearchParams(pairs).toString();
          expect([...parseQueryString(written).values]).toEqual([...expected]);
        },
      ),
    );
  });
});
