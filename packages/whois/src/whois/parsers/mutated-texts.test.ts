import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fixturePaths, textOf } from '../../../test/whois-fixtures.ts';
import { parseWhoisText } from './parse-whois-text.ts';

const texts = fixturePaths().map(textOf);
const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\dZ)?$/;
const RUNS = 4000;

interface Mutation {
  kind: 'cut' | 'insert' | 'repeat' | 'swap' | 'end';
  at: number;
  length: number;
  text: string;
}

function mutate(text: string, { kind, at, length, text: other }: Mutation): string {
  const from = Math.floor(at * text.length);
  const to = from + length;
  switch (kind) {
    case 'cut':
      return text.slice(0, from) + text.slice(to);
    case 'insert':
      return text.slice(0, from) + other + text.slice(from);
    case 'repeat':
      return text.slice(0, to) + text.slice(from);
    case 'swap':
      return text.slice(from) + text.slice(0, from);
    case 'end':
      return text.slice(0, from);
  }
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('cut', 'insert', 'repeat', 'swap', 'end'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat(80),
  text: fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom('\n\n', '  ', ':', '://', '[', '：', '\ud800', '<html>', '99.99.9999'),
    fc.constantFrom('Domain Name: ', 'not found'),
  ),
});

test('a damaged answer is parsed without throwing into a well-formed reading', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...texts),
      fc.array(mutation, { minLength: 1, maxLength: 6 }),
      (text, steps) => {
        const { state, parsed } = parseWhoisText(steps.reduce(mutate, text));
        const dates = [parsed.creationDate, parsed.expirationDate, parsed.updatedDate];
        for (const date of dates) {
          if (date === null) continue;
          expect(date).toMatch(DATE);
          expect(Date.parse(date)).not.toBeNaN();
        }
        for (const host of parsed.nameServers) expect(host).toBe(host.toLowerCase());
        if (state === 'registered' || state === 'reserved') return;
        expect(
          [parsed.registrar, ...dates, ...parsed.nameServers, ...parsed.status].every((x) => x === null),
        ).toBe(true);
      },
    ),
    { seed: 20_261_121, numRuns: RUNS },
  );
});
