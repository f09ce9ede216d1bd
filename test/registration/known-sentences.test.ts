import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { knownSentences } from '../../packages/whois/src/whois/parsers/sentence-table.ts';
import { LEFT_OUT, leftOutReport } from '../../scripts/left-out.ts';
import {
  faultsOfRow,
  misreadAnswers,
  registeredFixtures,
  misreadLines,
  rowsWithoutFixture,
} from '../../scripts/sentence-checks.ts';

describe('the table of known sentences', () => {
  test('contains masked sentences with source and month', () => {
    expect(knownSentences().flatMap((row) => faultsOfRow(row).map((fault) => [row.sentence, fault]))).toEqual(
      [],
    );
  });

  test('contains no sentence twice for the same servers', () => {
    const keys = knownSentences().map(({ sentence, only }) => `${sentence} | ${String(only)}`);
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  });

  test('has a fixture of the original sentence for every row', () => {
    expect(rowsWithoutFixture()).toEqual([]);
  });

  test('contains no sentence of an answer for a registered name', () => {
    expect(misreadLines(registeredFixtures())).toEqual([]);
  });

  test('reads as many sentences of a registry that is left out as before (npm run check:sentences)', () => {
    expect(leftOutReport().split('\n')).toEqual(readFileSync(LEFT_OUT, 'utf8').split('\n'));
  });
});

test('a sentence is read in whole answers, in any case of letters and among neutral lines', () => {
  expect(misreadAnswers()).toEqual([]);
});
