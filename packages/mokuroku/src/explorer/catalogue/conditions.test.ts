import { describe, expect, it } from 'vitest';
import { createFormat } from '../shell/format.ts';
import {
  conditionsOf,
  countsOf,
  describeCondition,
  endsOf,
  faultLabels,
  isRange,
  rangeOf,
  tidyNumber,
  withCode,
  withoutCondition,
} from './conditions.ts';
import { ANY_NOVEL, CODE_LISTS, MARKS } from './view.ts';
import type { SearchInput } from './view.ts';
import { en } from './words-en.ts';
import { ja } from './words-ja.ts';
import type { CatalogueWords } from './words-ja.ts';

describe('a range of numbers', () => {
  it('is a valid filter if both ends are whole numbers in their order', () => {
    const [valid, invalid] = [
      ['', '10000-', '-0', '10000-10000', '5'],
      ['2-1', '1万-', '-5-', '1e3-', '-9999999999', '1-2-3'],
    ];
    expect([...valid, ...invalid].filter(isRange)).toEqual(valid);
  });
  it.each(['', '10-', '-10', '10-20'])('"%s" is that of its two ends', (range) => {
    expect(rangeOf(...endsOf(range))).toBe(range);
  });
  it('may be typed in full-width digits and with separators', () => {
    expect(tidyNumber('１０，０００')).toBe('10000');
    expect(tidyNumber(' 10 000 ')).toBe('10000');
  });
});

describe('conditions', () => {
  const search = { ...ANY_NOVEL, word: '魔法', genre: '201,202,201', notbl: '1', length: '-10000', st: 61 };
  it('are the filters of the search, one per code, without order and page', () => {
    expect(conditionsOf(search)).toEqual([
      { field: 'word', value: '魔法' },
      { field: 'genre', value: '201' },
      { field: 'genre', value: '202' },
      { field: 'length', value: '-10000' },
      { field: 'notbl', value: '1' },
    ]);
    expect(conditionsOf({ ...ANY_NOVEL, order: 'new', st: 31 })).toEqual([]);
  });
  it('can be removed one by one, which returns to the first page', () => {
    const wider = withoutCondition(search, { field: 'length', value: '-10000' });
    expect(wider).toEqual({ ...search, length: '', st: 1 });
    const wordless = withoutCondition(search, { field: 'word', value: '魔法' });
    expect(wordless).toEqual({ ...search, word: '', st: 1 });
    expect(withoutCondition(search, { field: 'genre', value: '201' })).toMatchObject({ genre: '202', st: 1 });
  });
  it('removed one by one leave none', () => {
    let left: SearchInput = {
      ...search,
      target: 'title',
      lastup: 'sevenday',
      time: '-10',
      kaiwaritu: '50-',
      episodes: '10-100',
      anykeyword: '和風 西洋風',
    };
    expect(conditionsOf(left)).toHaveLength(conditionsOf(search).length + 6);
    for (const condition of conditionsOf(left)) left = withoutCondition(left, condition);
    expect(left).toEqual({ ...ANY_NOVEL, st: 1 });
  });
  it('of several codes contain each once', () => {
    expect(withCode('201,202', '201', true)).toBe('202,201');
    expect(withCode('', '201', true)).toBe('201');
    expect(withCode('201', '201', false)).toBe('');
  });
});

const FACETS = { genre: { 201: 12, 301: 3 }, type: { er: 15 } };

describe('counts beside choices', () => {
  it('are those of the response, and 0 for values without a match', () => {
    const countOf = countsOf(FACETS, ANY_NOVEL);
    expect([countOf('genre', '201'), countOf('genre', '401'), countOf('type', 'er')]).toEqual([12, 0, 15]);
  });
  it('are awaited where the response will have them', () => {
    const awaited = countsOf(null, { ...ANY_NOVEL, genre: '201' });
    expect([awaited('genre', '201'), awaited('type', 'er')]).toEqual([null, null]);
    const others = [awaited('genre', '301'), awaited('type', ''), awaited('stop', '1')];
    expect(others).toEqual([undefined, undefined, undefined]);
  });
  it('are unknown for excluded and for uncounted values', () => {
    const countOf = countsOf(FACETS, { ...ANY_NOVEL, genre: '201,301' });
    expect([countOf('genre', '301'), countOf('genre', '401')]).toEqual([3, undefined]);
    expect(countsOf(FACETS, { ...ANY_NOVEL, notbiggenre: '4' })('genre', '401')).toBeUndefined();
    const uncounted = [countOf('type', ''), countOf('biggenre', '2'), countOf('stop', '1')];
    expect(uncounted).toEqual([undefined, undefined, undefined]);
    expect(countsOf(undefined, ANY_NOVEL)('genre', '201')).toBeUndefined();
    const adultSearch = { ...ANY_NOVEL, notnocgenre: '2', type: 'er' };
    const ofAdult = countsOf({ nocgenre: { 1: 4 }, type: {} }, adultSearch);
    const counts = [ofAdult('nocgenre', '1'), ofAdult('nocgenre', '2'), ofAdult('type', 't')];
    expect(counts).toEqual([4, undefined, undefined]);
  });
});

describe('the label of a filter', () => {
  const labelsOf = (change: Partial<typeof ANY_NOVEL>, words: CatalogueWords = en) => {
    const search = { ...ANY_NOVEL, ...change };
    return conditionsOf(search).map((condition) =>
      describeCondition({ words, format: createFormat('en') }, condition),
    );
  };

  it('names the big genre where the Japanese name alone is ambiguous', () => {
    expect(labelsOf({ genre: '101,201' }, ja)).toEqual(['異世界〔恋愛〕', 'ハイファンタジー']);
  });

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
