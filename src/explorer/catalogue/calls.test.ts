import { describe, expect, it } from 'vitest';
import { findOfField, ofCodesServedBy } from '../../catalogue/novels/of-fields.ts';
import * as calls from './calls.ts';
import { ANY_NOVEL } from './view.ts';
import { readView } from './view-url.ts';

const queryOf = (path: string) => Object.fromEntries(new URL(path, 'http://service').searchParams);

describe('the calls behind the views', () => {
  it('carry every condition of the search, its order, its page and the fields shown', () => {
    const search = {
      ...ANY_NOVEL,
      word: '魔法 学園',
      notword: '悪役',
      genre: '201',
      maxlen: '10000',
      st: 31,
    };
    const path = calls.novelsCall(search, false);
    expect(path.split('?')[0]).toBe('/v1/novels');
    expect(queryOf(path)).toMatchObject({
      word: '魔法 学園',
      notword: '悪役',
      genre: '201',
      maxlen: '10000',
      order: 'weeklypoint',
      lim: '30',
      st: '31',
    });
  });
  it('ask each interface only for fields that it has', () => {
    const codesOf = (path: string) => (queryOf(path)['of'] ?? '').split('-');
    expect(codesOf(calls.novelsCall(ANY_NOVEL, false)).every((code) => findOfField(code))).toBe(true);
    const adult = new Set<string>(ofCodesServedBy('novel18api'));
    expect(codesOf(calls.novelsCall(ANY_NOVEL, true)).filter((code) => !adult.has(code))).toEqual([]);
  });
  it('reach works for adults at their own paths alone', () => {
    expect(calls.novelsCall(ANY_NOVEL, true)).toMatch(/^\/v1\/r18\/novels\?/);
    expect(calls.novelCall('N0001A', true)).toBe('/v1/r18/novels/N0001A');
    expect(calls.novelCall('N0001A', false)).toBe('/v1/novels/N0001A');
  });
  it('leave the date to the service for the newest board', () => {
    expect(queryOf(calls.boardCall('weekly', null))).not.toHaveProperty('date');
    expect(calls.ranksCall('weekly', '2026-11-09')).toBe('/v1/rankings/weekly?date=2026-11-09');
  });
  it('for adults are never made ahead of the confirmation', () => {
    const adults = [readView('?r18=1'), readView('?r18=1&word=a'), readView('?ncode=N0001A&r18=1')];
    expect(adults.map(calls.firstCallOf)).toEqual([null, null, null]);
    expect(calls.firstCallOf(readView('?ncode=N0001A'))).toBe('/v1/novels/N0001A');
  });
  it('keep whatever stands in an address within its own path segment', () => {
    expect(calls.novelCall('../meta/genres', false)).toBe('/v1/novels/..%2Fmeta%2Fgenres');
    expect(calls.userCall('1?lim=5')).toBe('/v1/users/1%3Flim%3D5');
  });
});
