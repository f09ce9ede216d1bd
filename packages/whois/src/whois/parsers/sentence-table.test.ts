import { describe, expect, test } from 'vitest';
import { listOf } from '../../../../../test/list-of.ts';
import { folded, maskLine, nameFormsOf } from './masked-line.ts';
import { firstWord, lastWord, sentences, patternOfRow, knownSentences } from './sentence-table.ts';
import type { Source } from './sentence-table.ts';

const ANYBODY: Source = { server: null, zone: null };
const ELSEWHERE: Source = { server: 'whois.nic.test', zone: 'test' };
/** A server, or a zone with a dot before it. */
const sourceOf = (place: string): Source =>
  place.startsWith('.')
    ? { server: 'whois.nic.test', zone: place.slice(1) }
    : { server: place, zone: 'test' };

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
      const wrong = general.filter(({ sentence, state }) => sentences().stateOf(sentence, source) !== state);
      expect(wrong).toEqual([]);
    }
  });

  test('of some servers and zones has its state there only', () => {
    const general = new Set(rows.filter(({ only }) => only === null).map(({ sentence }) => sentence));
    const special = rows.filter(({ only, sentence }) => only !== null && !general.has(sentence));
    expect(special.length).toBeGreaterThan(5);
    for (const { sentence, state, only } of special) {
      for (const place of only ?? []) {
        expect([sentence, place, sentences().stateOf(sentence, sourceOf(place))]).toEqual([
          sentence,
          place,
          state,
        ]);
      }
      for (const source of [ANYBODY, ELSEWHERE])
        expect(sentences().stateOf(sentence, source)).toBeUndefined();
    }
  });

  test('is looked for only if a line begins and ends like it', () => {
    expect(sentences().lastWordsAfter('NOTHING more')?.has('query')).toBe(true);
    expect(sentences().lastWordsAfter('Zarbl more')).toBeUndefined();
  });
});

describe('the first and last word of a line, or * for a word that masking may change', () => {
  test.each(
    listOf(`
      No match found. = no found | >>> "NO" match (Found) <<< = no found | free = free free |
      umi-free is umi-free = umi free | %% = * * | umi.example is free = * free |
      umi-hoshi.example is free = * free | umi_hoshi.example is free = * free |
      .example is a zone = * zone | hoshi@umi.example: ask = * ask | https://umi.example ask = * ask |
      and/or free = * free | Error: not free = error free | End. Free = end free |
      404 not found = * found | a1 is found = * found | été is found = * found |
      No match for umi.example = no * | No match for umi.example-hoshi. = no * |
      No match for umi_hoshi.example. = no * | Ask hoshi@umi = ask * | See https://umi = see * |
      See whois/umi = see * | Wait 10 = wait * | Ask Zoë = ask * | Status: free = status free |
      The end. Free. = the free | Zone of .example = zone *
    `),
  )('%s', (row) => {
    const [line = '', words] = row.split(' = ');
    expect([firstWord(line), lastWord(line)].join(' ')).toBe(words);
  });

  test('are none of an empty line', () => {
    expect([firstWord(''), lastWord('')]).toEqual(['*', '*']);
  });

  test('agree with those of the masked line', () => {
    const forms = nameFormsOf('umi.example');
    for (const line of listOf(`
      No match for "UMI.EXAMPLE". | umi.example is free | %% 10 queries of hoshi@umi.test at 2030-01-02 |
      Zone .example has no {name} | Domain umi.example. Not found | https://umi.example/ is away |
      상기 도메인이름은 등록
    `)) {
      const words = maskLine(folded(line), forms).split(' ');
      const [first, last] = [words[0], words.at(-1)].map((word = '') => (/^[a-z]+$/.test(word) ? word : '*'));
      expect([line, firstWord(line), lastWord(line)]).toEqual([line, first, last]);
    }
  });
});
