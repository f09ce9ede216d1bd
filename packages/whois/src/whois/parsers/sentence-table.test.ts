import { describe, expect, test } from 'vitest';
import { sentences, patternOfRow, knownSentences } from './sentence-table.ts';
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
});
