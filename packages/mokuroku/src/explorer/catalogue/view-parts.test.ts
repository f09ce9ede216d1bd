import { describe, expect, it } from 'vitest';
import { createFormat } from '../shell/format.ts';
import { statedTotals } from './novel-facts.tsx';
import { startBefore } from './novel-row.tsx';
import { conditionsOf, describeCondition, faultLabels } from './conditions.ts';
import { ANY_NOVEL, CODE_LISTS, MARKS, PAGE_LENGTH } from './view.ts';
import { en } from './words-en.ts';

const page = { words: en, format: createFormat('en') };

describe('the label of a filter', () => {
  const labelsOf = (change: Partial<typeof ANY_NOVEL>) => {
    const search = { ...ANY_NOVEL, ...change };
    return conditionsOf(search).map((condition) => describeCondition(page, condition));
  };

  it('says whether novels with the value are included or excluded', () => {
    const excluding = [...CODE_LISTS, ...MARKS.map((mark) => `not${mark}`), 'notword'].filter((name) =>
      name.startsWith('not'),
    );
    for (const name of excluding) {
      expect(labelsOf({ [name]: '1' }), name).toEqual([expect.stringMatching(/^not \S/)]);
    }
    expect(labelsOf({ notgenre: '101', notbiggenre: '2', notnocgenre: '3', notbl: '1' })).toEqual([
      'not Romance, another world',
      'not Fantasy',
      'not Site 3',
      'not boys’ love',
    ]);
    expect(labelsOf({ biggenre: '2', nocgenre: '3', isbl: '1', istt: '1', word: 'bl', stop: '2' })).toEqual([
      'bl',
      'All Fantasy',
      'Site 3',
      'On long hiatus only',
      'boys’ love',
      'reincarnation or other world',
    ]);
  });

  it('is the value itself if it is unknown', () => {
    expect(labelsOf({ genre: 'abc', type: 'zz' })).toEqual(['abc', 'zz']);
  });

  it('has both ends of a range', () => {
    expect(labelsOf({ length: '1000-', episodes: '10-1200', points: '-20' })).toEqual([
      'Length in characters 1,000–',
      'Episodes 10–1,200',
      'Overall points –20',
    ]);
  });

  it('says where words of keywords are searched', () => {
    expect(labelsOf({ notword: 'a', anykeyword: 'b c', notkeyword: 'd' })).toEqual([
      'not a',
      'Any of these keywords b c',
      'not keywords d',
    ]);
  });
});

it('a fault has the label of its filter, that of a big genre being that of genres', () => {
  const labelOf = faultLabels(en);
  const labels = ['biggenre', 'notbiggenre', 'order', 'constructor'].map((parameter) => labelOf(parameter));
  expect(labels).toEqual(['Genre', 'Excluded genres', 'Order', undefined]);
  expect([labelOf('constructor', '1'), labelOf('type', 'constructor')]).toEqual([undefined, 'constructor']);
});

it('the page before a position after the last match is the last page', () => {
  expect(startBefore(61, 100)).toBe(31);
  expect(startBefore(31, 31)).toBe(1);
  expect(startBefore(3_001, 45)).toBe(45 - PAGE_LENGTH + 1);
  expect(startBefore(3_001, 0)).toBe(1);
});

it('totals that a record lacks are not shown as 0', () => {
  const totals = statedTotals(page.words, page.format, { global_point: 0, review_cnt: 1_200 });
  expect(totals.filter(([, value]) => value)).toEqual([
    ['Overall points', '0'],
    ['Reviews', '1,200'],
  ]);
});

it('one is not counted as several in English', () => {
  const counts = (count: string) => [
    en.list.count(count),
    en.author.count(count),
    en.history.times(count),
    en.form.showFound(count),
  ];
  expect(counts('1')).toEqual(['1 novel', '1 author', '1 time in the top 300', 'Show 1 novel']);
  expect(counts('21')[0]).toBe('21 novels');
});
