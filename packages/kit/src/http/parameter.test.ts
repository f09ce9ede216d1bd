import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oneOf, parseQueryString, readParameters } from './parameter.ts';

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
    expect(parseQueryString('%&'.repeat(19) + 'a=1')).toMatchObject({
      malformed: { length: 19 },
      values: { size: 1 },
    });
    expect(parseQueryString('%&'.repeat(30) + 'a=1')).toMatchObject({
      malformed: { length: 20 },
      values: { size: 0 },
    });
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

it('a fault has at most 100 characters of a name and of each given value', () => {
  const long = 'x'.repeat(101);
  const shown = `${'x'.repeat(100)}...`;
  const table = { size: oneOf(['small'], { en: 'The size.', ja: '大きさ。' }) };
  const faultOf = (query: string) => readParameters(table, parseQueryString(query)).faults[0];
  expect(faultOf(`size=${long}`)).toMatchObject({ given: shown });
  expect(faultOf(`size=${long}&size=small`)).toMatchObject({ given: [shown, 'small'] });
  expect(faultOf(`${long}=%zz`)).toMatchObject({ parameter: shown, given: shown });
});
