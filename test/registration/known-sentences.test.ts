import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseWhoisText } from '../../src/registration/whois/parsers/parse-whois-text.ts';
import { LEFT_OUT, leftOutReport } from '../../scripts/left-out.ts';
import {
  faultsOfRow,
  registeredFixtures,
  rows,
  misreadLines,
  rowsWithoutFixture,
  sentSentences,
} from '../../scripts/sentence-checks.ts';

const STATE_OF: Readonly<Record<string, string>> = {
  no: 'not_registered',
  beside: 'broken',
};

describe('the table of known sentences', () => {
  test('contains masked sentences with source and month', () => {
    expect(rows().flatMap((row) => faultsOfRow(row).map((fault) => [row.sentence, fault]))).toEqual([]);
  });

  test('contains no sentence twice for the same servers', () => {
    const keys = rows().map(({ sentence, only }) => `${sentence} | ${String(only)}`);
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

test('determines the state of a text that consists of the sentence alone', () => {
  const wrong = sentSentences().flatMap(({ state, server, domain, text }) => {
    const read = parseWhoisText(`${text}\r\n`, { server, domain }).state;
    return read === (STATE_OF[state] ?? state) ? [] : [[text, state, read]];
  });
  expect(wrong).toEqual([]);
});
