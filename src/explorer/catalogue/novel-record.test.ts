import { describe, expect, it } from 'vitest';
import { CATALOGUE_WORDS } from './catalogue-words.ts';
import { fullGenreName, genreGroups } from './genre-names.ts';
import { keywordsOf, progressOf } from './novel-record.ts';

describe('where a novel stands', () => {
  it('is read from three fields, one of them the wrong way round', () => {
    expect(progressOf({ noveltype: 2, end: 0 })).toBe('short');
    expect(progressOf({ noveltype: 1, end: 0 })).toBe('complete');
    expect(progressOf({ noveltype: 1, end: 1, isstop: 0 })).toBe('ongoing');
    expect(progressOf({ noveltype: 1, end: 1, isstop: 1 })).toBe('stopped');
    expect(progressOf({ noveltype: 1 })).toBeUndefined();
  });
});

describe('keywords', () => {
  it('are separated by blanks of either width', () => {
    expect(keywordsOf({ keyword: '冒険 魔法\u3000成長  ' })).toEqual(['冒険', '魔法', '成長']);
    expect(keywordsOf({})).toEqual([]);
  });
});

describe('genres', () => {
  it('carry their big genre in Japanese only where they would be unclear without', () => {
    const { ja, en } = CATALOGUE_WORDS;
    expect(fullGenreName(ja, 101)).toBe('異世界〔恋愛〕');
    expect(fullGenreName(ja, 201)).toBe('ハイファンタジー');
    expect(fullGenreName(en, 101)).toBe('Romance, another world');
    expect(fullGenreName(ja, 777)).toBe('777');
  });
  it('stand below their big genre, all 21 that can be chosen', () => {
    expect(genreGroups().flatMap(({ genres }) => genres)).toHaveLength(21);
    expect(genreGroups().find(({ big }) => big === 4)?.genres).toEqual([401, 402, 403, 404]);
  });
});
