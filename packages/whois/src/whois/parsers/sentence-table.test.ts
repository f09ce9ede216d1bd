import { domainToASCII } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  SentenceReader,
  folded,
  knownSentences,
  maskLine,
  nameFormsOf,
  patternOfRow,
} from './sentence-table.ts';
import type { Source } from './sentence-table.ts';

const ANYBODY: Source = { server: null, zone: null };
const ELSEWHERE: Source = { server: 'whois.nic.test', zone: 'test' };
/** A server, or a zone with a dot before it. */
const sourceOf = (place: string): Source =>
  place.startsWith('.')
    ? { server: 'whois.nic.test', zone: place.slice(1) }
    : { server: place, zone: 'test' };

const stateAt = (sentence: string, source: Source) => new SentenceReader(null, source).stateOf(sentence);

/** The sentence of a row with the first of each of its alternatives. */
function firstSentence(sentence: string): string {
  const first = sentence.replace(/\(([^()|]*)[^()]*\)/, '$1');
  return first === sentence ? sentence.replace(/ +/g, ' ').trim() : firstSentence(first);
}

const rows = knownSentences().map((row) => ({ ...row, sentence: firstSentence(row.sentence) }));

test('the parts of a row vary', () => {
  const pattern = patternOfRow('(no|nothing) {n} (|was) found (|for (|the) {name})');
  const read = ['no {n} found', 'nothing {n} was found for the {name}', 'no {n} found for {name}'];
  const others = [
    '{n} found',
    'no {n} foundry',
    'no {n} is found',
    'no {n} found for',
    'no {n}found',
    'no found',
  ];
  expect([...read, ...others].filter((line) => pattern.test(`${line} `))).toEqual(read);
});

describe('a known sentence', () => {
  test('for every server has its state at all of them', () => {
    const general = rows.filter(({ only }) => only === null);
    expect(general.length).toBeGreaterThan(100);
    for (const source of [ANYBODY, ELSEWHERE]) {
      const wrong = general.filter(({ sentence, state }) => stateAt(sentence, source) !== state);
      expect(wrong).toEqual([]);
    }
  });

  test('of some servers and zones has its state there only', () => {
    const general = new Set(rows.filter(({ only }) => only === null).map(({ sentence }) => sentence));
    const special = rows.filter(({ only, sentence }) => only !== null && !general.has(sentence));
    expect(special.length).toBeGreaterThan(5);
    for (const { sentence, state, only } of special) {
      for (const place of only ?? []) {
        expect([sentence, place, stateAt(sentence, sourceOf(place))]).toEqual([sentence, place, state]);
      }
      for (const source of [ANYBODY, ELSEWHERE]) expect(stateAt(sentence, source)).toBeUndefined();
    }
  });
});

const mask = (line: string, name: string | null = 'umi.example'): string =>
  maskLine(folded(line), nameFormsOf(name));

describe('a line is masked', () => {
  test.each([
    ['No match for "UMI.EXAMPLE".', 'no match for {name}'],
    ['umi.example.. is free!', '{name} is free'],
    ['umi.example- taken', '{name} taken'],
    ['<umi.example>', '{name}'],
    ['not found:umi.example', 'not found {name}'],
    ['umi.example (umi.example)', '{name}'],
    ['my-umi.example', '{server}'],
    ['a.umi.example', '{server}'],
    ['hoshi@umi.example', '{mail}'],
    ['hoshi+sora@umi.test', '{mail}'],
    ['umi.example-a', '{server}'],
    ['umi.example.test', '{server}'],
    ['umi.example@umi', '{mail}'],
    ['see https://umi.test/a?b=1 now', 'see {url} now'],
    [
      'see ftp://umi.test rdap://umi.test rdaps://u whois://u rwhois://u:4321/a',
      'see {url} {url} {url} {url} {url}',
    ],
    ['see <http://umi.test>', 'see {url}'],
    ['zone .example and .xn--p1ai', 'zone {zone} and {zone}'],
    ['the whois.nic.test server', 'the {server} server'],
    ['in 10 of 0 or 2030-01-02 10:20:30', 'in {n} of 0 or {n}'],
    ['at 2030-01-02t10:20:30.5z', 'at {n}'],
    ['on 02-jan-2030, 1,000 times', 'on {n} times'],
    ['from 2001:db8::1 now', 'from {n} now'],
    ['from 192.0.2.1/24', 'from {n}'],
    ['handle d79017889', 'handle {n}'],
    ['ab12 abcde123', 'ab12 abcde123'],
    ['2nd try', '2nd try'],
    ['Wörter, 日本語!', 'wörter 日本語'],
    ['', ''],
    ['%% --', ''],
  ])('%j', (line, masked) => {
    expect(mask(line)).toBe(masked);
  });

  test('without a queried name every host except servers is a name', () => {
    expect(mask('umi.example at whois.nic.test, www.a.test, rdap.a.test', null)).toBe(
      '{name} at {server} {server} {server}',
    );
  });

  test('its first label alone is a word', () => {
    expect(mask('umi not found')).toBe('umi not found');
  });

  test('a mark in the text of a server is no name', () => {
    expect(mask('\ue000 is free')).toBe('is free');
  });
});

describe('the spellings of a name', () => {
  test('are A-labels and Unicode, the longest first', () => {
    const ascii = domainToASCII('かもめ.example');
    const forms = [ascii, 'かもめ.example'];
    expect(nameFormsOf('かもめ.example')).toEqual(forms);
    expect(nameFormsOf(ascii.toUpperCase())).toEqual(forms);
  });

  test('are one for an ASCII name, without its trailing dots', () => {
    expect(nameFormsOf('Umi.Example..')).toEqual(['umi.example']);
  });

  test('do not exist for a single label', () => {
    for (const name of [null, '', 'umi', 'umi.']) expect(nameFormsOf(name)).toEqual([]);
  });
});

test('letters of either width and both small sigmas are equal', () => {
  expect(folded('ＵＭＩ ΟΔΟΣ οδος')).toBe('umi οδοσ οδοσ');
  expect(folded('UMI')).toBe('umi');
});
