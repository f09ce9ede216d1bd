import { describe, expect, it } from 'vitest';
import { conditionsOf, isLengthRange, tidyNumber, withoutCondition } from './search-draft.ts';
import { ANY_NOVEL } from './view.ts';

describe('a length range', () => {
  it.each([
    ['', ''],
    ['10000', ''],
    ['', '0'],
    ['10000', '10000'],
  ])('from "%s" to "%s" can be asked for', (minlen, maxlen) => {
    expect(isLengthRange(minlen, maxlen)).toBe(true);
  });
  it.each([
    ['2', '1'],
    ['1万', ''],
    ['-5', ''],
    ['1e3', ''],
    ['', '9999999999'],
  ])('from "%s" to "%s" cannot', (minlen, maxlen) => {
    expect(isLengthRange(minlen, maxlen)).toBe(false);
  });
  it('may be typed in full-width digits and with separators', () => {
    expect(tidyNumber('１０，０００')).toBe('10000');
    expect(tidyNumber(' 10 000 ')).toBe('10000');
  });
});

describe('conditions', () => {
  const search = { ...ANY_NOVEL, word: '魔法', genre: '201', maxlen: '10000', st: 61 };
  it('are what narrows the search, not its order or page', () => {
    expect(conditionsOf(search)).toEqual(['word', 'genre', 'length']);
    expect(conditionsOf({ ...ANY_NOVEL, order: 'new', st: 31 })).toEqual([]);
  });
  it('can each be taken back alone, from the first page on', () => {
    const wider = withoutCondition(search, 'length');
    expect(wider).toEqual({ ...search, maxlen: '', st: 1 });
    expect(withoutCondition(search, 'word')).toEqual({ ...search, word: '', st: 1 });
  });
});
