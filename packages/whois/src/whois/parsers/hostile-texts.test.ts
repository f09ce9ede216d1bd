import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { collectGarbage } from '../../../../../test/collect-garbage.ts';
import { hasThreadTime, threadTime } from '../../../test/thread-time.ts';
import { fixturePaths, textOf } from '../../../test/whois-fixtures.ts';
import { parseWhoisText } from './parse-whois-text.ts';

const codes = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));
const everyCode = codes.join('');
const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

/** Each is read in one pass; a pattern that backtracks or a look-back that repeats would take minutes here. */
const texts: Record<string, string> = {
  '200 kB of blanks': ' '.repeat(200_000),
  '100,000 blank lines': '\n'.repeat(100_000),
  'blank lines within a record': `Domain Name: a.test\n${'\r\n'.repeat(100_000)}Registrar: Example\n`,
  'a label with 200 kB of blanks': `Domain Name:${' '.repeat(200_000)}a.test`,
  'one endless line': `Domain Name: ${'a'.repeat(200_000)}`,
  'one endless line of words': 'a b '.repeat(50_000),
  'one endless line of dots': `Domain${'.'.repeat(200_000)}a.test`,
  'every byte value': everyCode.repeat(800),
  'every byte value on a line': codes.join('\n').repeat(400),
  'nested labels': 'Domain:'.repeat(30_000),
  'nested headings': lines(3000, (index) => `${' '.repeat(index % 60)}Registrar:`),
  'unclosed brackets': '['.repeat(200_000),
  'unclosed parentheses': `Registrar: ${'('.repeat(200_000)}`,
  'brackets behind a host': `Domain Name: a.test\nName Servers:\nns.a.test ${'(['.repeat(100_000)}z`,
  'endless date': `Creation Date: ${'1.'.repeat(100_000)}`,
  'impossible dates': lines(5000, () => 'Creation Date: 99.99.9999 99:99:99 XXX'),
  'endless status': `Status: ${'ok / '.repeat(40_000)}`,
  'blanks before an address': `Status: ${' '.repeat(100_000)}http`,
  'unclosed tags': `<html>${'<td>'.repeat(50_000)}`,
  'unclosed scripts': `<html>${'<script>'.repeat(25_000)}`,
  'unclosed remarks': `<html>${'<!--'.repeat(50_000)}`,
  'conditions without end': 'if not found '.repeat(15_000),
  'limits without end': 'may limit exceeded\n'.repeat(10_000),
  'pairs without end': `Tonic whoisd\n${'a a.b.c\n'.repeat(25_000)}`,
  'classes without end': `%rwhois ${'domain:'.repeat(28_000)}`,
  'tabs before a second label': `Domain: a.test${'\t'.repeat(100_000)}x: y`,
  'gaps before no second label': lines(4_000, () => `Status: ok:${' '.repeat(380)}x`),
  'NUL bytes': '\0'.repeat(200_000),
  'paragraphs without end': 'a\n'.repeat(100_000),
  'carriage returns only': 'Domain Name: a.test\r'.repeat(9000),
  'one endless address': `a@${'b.'.repeat(100_000)}`,
  'addresses without end': 'a@b '.repeat(50_000),
  'one endless telephone number': `+1${' '.repeat(200_000)}`,
  'colons without end': 'a: '.repeat(60_000),
  'names without end': `not found ${'a.'.repeat(100_000)}`,
};

/**
 * Processor time of a few readings, once the code is compiled. If each line is looked at again for every other, it is 32
 * to 400 times that of a plain text.
 */
function timeOf(text: string): number {
  const read = () => parseWhoisText(text, { domain: 'umi.example' });
  read();
  const before = threadTime();
  for (let count = 0; count < 3; count++) read();
  return threadTime() - before;
}

describe('hostile texts', () => {
  test.each(Object.entries(texts))('%s', (_, text) => {
    const { state, parsed } = parseWhoisText(text);
    expect(state).toMatch(/^(?:registered|not_registered|broken|throttled|reserved)$/);
    expect(parsed.nameServers.length + parsed.status.length).toBeLessThan(105);
  });

  test.runIf(hasThreadTime).each([
    ['denials among other lines', 'not found\nzarbl blorg\n'.repeat(1_500)],
    ['denials among other remarks', '% not found\n% zarbl blorg\n'.repeat(1_200)],
    ['a long paragraph', 'no\n'.repeat(10_900)],
    ['different labels of a date', lines(20_000, (index) => `created ${index}: x`)],
  ])('are read in linear time: %s', (_, text) => {
    const plain = lines(text.split('\n').length, () => 'zarbl blorg\n');
    expect(timeOf(text)).toBeLessThan(15 * timeOf(plain));
  });

  test.runIf(hasThreadTime)(
    'are read in linear time: 62 name servers in Chinese, and 270 spellings of another',
    () => {
      const label = (at: number) =>
        String.fromCodePoint(...Array.from({ length: 60 }, (_, i) => 0x4e00 + at + i));
      const host = (at: number) => `${[0, 60, 120, 180].map((by) => label(at * 60 + by)).join('.')}.example`;
      const wide = (letter: string) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0);
      const spelling = (bits: number) =>
        host(62).replace(/[a-z]/g, (letter, at: number) =>
          (bits >> (at - 244)) & 1 ? wide(letter) : letter,
        );
      const record = (hostAt: (at: number) => string) =>
        `Domain Name: umi.example\nCreation Date: 2001-01-01\n${lines(332, (at) => `Name Server: ${hostAt(at)}`)}`;
      const plain = record((at) => `ns${at}.${'umi.'.repeat(50)}example`);
      const text = record((at) => (at < 62 ? host(at) : spelling(at - 62)));
      // Each Chinese name is converted once, which takes longer than reading its line.
      expect(timeOf(text)).toBeLessThan(100 * timeOf(plain));
    },
  );

  test.each([
    ['however many they are', 'ü'.repeat(30), 60, 150, ''],
    ['however long the rest of the answer is', 'xn--umi', 2, 40, `Remarks: ${'none '.repeat(40_000)}`],
  ])('leave no name servers in two spellings in memory, %s', async (_, label, count, answers, rest) => {
    const host = (at: number) => `ns${at}.${label}.${'umi.'.repeat(40)}example`;
    const heapAfter = async (from: number, to: number) => {
      for (let at = from; at < to; at++) {
        const servers = lines(count, (index) => `Name Server: ${host(at * count + index)}`);
        parseWhoisText(`Domain Name: umi.example\n${servers}\n${rest}`);
      }
      await collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const before = await heapAfter(0, 10);
    expect((await heapAfter(10, answers)) - before).toBeLessThan(3_000_000);
  });

  test('blank texts of every kind are unreadable, never a denial', () => {
    for (const text of [
      '',
      ' ',
      '\n',
      '\r\n\r\n',
      '\t',
      '\0',
      '\ufeff',
      '%',
      '%%\n%%\n',
      ' '.repeat(200_000),
    ]) {
      expect(parseWhoisText(text).state).toBe('broken');
    }
  });

  test('10,000 name servers are truncated, and the rest of the record is read', () => {
    const hosts = lines(10_000, (index) => `Name Server: ns${index}.example.test`);
    const { parsed } = parseWhoisText(`Domain Name: a.test\nRegistrar: Example\n${hosts}`);
    expect(parsed).toMatchObject({ domainName: 'a.test', registrar: 'Example' });
    expect(parsed.nameServers).toHaveLength(64);
  });

  test('labels named like members of objects are ordinary labels', () => {
    const text = '__proto__: x\nconstructor: y\ntoString: z\nDomain Name: a.test\nStatus: ok\n__proto__: x\n';
    expect(parseWhoisText(text).parsed).toMatchObject({ domainName: 'a.test', status: ['ok'] });
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
});

const fixtureTexts = fixturePaths().map(textOf);
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
      fc.constantFrom(...fixtureTexts),
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
