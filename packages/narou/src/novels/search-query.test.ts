import { describe, expect, it } from 'vitest';
import { parseQueryString, readParameters } from '@mokuroku/kit/http';
import {
  ADULT_SEARCH_PARAMETERS,
  NOVEL_SEARCH_PARAMETERS,
  USER_SEARCH_PARAMETERS,
} from './search-parameters.ts';
import { canonicalQuery, faultsOfSearch, toNovelQuery, toUserQuery } from './search-query.ts';

const novelQuery = (query: string) =>
  toNovelQuery('novelapi', readParameters(NOVEL_SEARCH_PARAMETERS, parseQueryString(query)).values);
const key = (query: string) => canonicalQuery(novelQuery(query));
const adultKey = (query: string) =>
  canonicalQuery(
    toNovelQuery('novel18api', readParameters(ADULT_SEARCH_PARAMETERS, parseQueryString(query)).values),
  );

/** The faults for a source with this maximum of `st`. */
const faultsAt = (query: Parameters<typeof faultsOfSearch>[1]['query'], maxStart: number | null) =>
  faultsOfSearch({ source: { maxStart } }, { query });

describe('the normalised form of a search', () => {
  it.each([
    ['defaults', '', 'lim=20&st=1&order=new'],
    ['order of parameters', 'lim=5&genre=101', 'genre=101&lim=5'],
    ['leading zeros', 'lim=5', 'lim=005'],
    ['order and doubles of codes', 'genre=201,101', 'genre=101,201,101'],
    ['case, order and doubles of Ncodes', 'ncode=n0001a,N0002B', 'ncode=N0002B,N0001A,n0002b'],
    ['order and doubles of `of`', 'of=t-n', 'of=n-t-n'],
    ['kind, number and order of blanks', 'word=a+b', 'word=%20b%E3%80%80%20a%20'],
    ['an empty word', '', 'word=&notword=%E3%80%80'],
    ['flags that are 0', 'word=x', 'word=x&title=0&ex=0'],
    ['targets without words', '', 'title=1'],
    ['targets of an Ncode', 'word=N0001A', 'word=N0001A&title=1'],
    ['all four targets', 'word=x', 'word=x&title=1&ex=1&keyword=1&wname=1'],
    ['unknown parameters', 'lim=5', 'lim=5&foo=1'],
    ['minlen and maxlen, or length', 'minlen=5&maxlen=9', 'length=5-9'],
    ['an open end', 'maxtime=9', 'time=-9'],
    ['one number as a range', 'sasie=3', 'sasie=3-3'],
    ['days and their seconds', 'lastup=2026-11-01,2026-11-01', 'lastup=1793458800-1793545199'],
    ['a lim equal to what a list of Ncodes sets', 'ncode=n0001a', 'ncode=n0001a&lim=20'],
  ])('%s make no difference', (_what, one, other) => {
    expect(key(one)).toBe(key(other));
  });

  it.each([
    ['word=x', 'notword=x'],
    ['word=x', 'word=x&title=1'],
    ['of=t', ''],
    ['word=a%26lim=5', 'word=a&lim=5'],
    ['genre=101', 'notgenre=101'],
  ])('%s and %s have different forms', (one, other) => {
    expect(key(one)).not.toBe(key(other));
  });

  it('without lim every requested Ncode fits the response', () => {
    const codes = Array.from({ length: 300 }, (_, i) => `n${String(i).padStart(4, '0')}a`).join(',');
    expect(novelQuery(`ncode=${codes}`).lim).toBe(300);
    expect(novelQuery(`ncode=${codes}&lim=7`).lim).toBe(7);
    expect(novelQuery('ncode=n0001a').lim).toBe(20);
  });

  it('lists have the form of the upstream', () => {
    expect(key('genre=201,101&ncode=n0001a,n0002b&userid=7,3&of=w-t')).toBe(
      'genre=101-201&lim=20&ncode=N0001A-N0002B&of=t-w&order=new&st=1&userid=3-7',
    );
  });

  it('on adult novels the codes that select nothing make no difference, and do not mean "all fields"', () => {
    expect(adultKey('of=t-u-g-bg-ir')).toBe(adultKey('of=t'));
    expect(adultKey('of=u')).not.toBe(adultKey(''));
    expect(adultKey('genre=101&isr15=1')).toBe(adultKey(''));
  });
});

describe('the normalised form of a search of users', () => {
  const userKey = (query: string) =>
    canonicalQuery(toUserQuery(readParameters(USER_SEARCH_PARAMETERS, parseQueryString(query)).values));

  it('the default order makes no difference, another one does', () => {
    expect(userKey('order=new')).toBe(userKey(''));
    expect(userKey('order=old&minnovel=1&notword=a')).toBe('lim=20&minnovel=1&notword=a&order=old&st=1');
  });
});

describe('the upstream’s form', () => {
  it('ranges, time ranges, time words and flags are written as in its manual', () => {
    expect(key('length=5-&kaiwaritu=-40&sasie=1&lastup=sevenday&lastupdate=1-2&opt=weekly&istt=1')).toBe(
      'istt=1&kaiwaritu=0-40&lastup=sevenday&lastupdate=1-2&length=5-&lim=20&opt=weekly&order=new&sasie=1&st=1',
    );
    expect(adultKey('xid=X1234AB,x0001a&buntai=6,1')).toBe(
      'buntai=1-6&lim=20&order=new&st=1&xid=x0001a-x1234ab',
    );
  });
});

describe('faults between parameters', () => {
  const faults = (query: string) =>
    faultsAt(readParameters(NOVEL_SEARCH_PARAMETERS, parseQueryString(query)).values, null).map(
      ({ parameter, given, reason }) => `${parameter}=${given as string}: ${reason}`,
    );

  it.each([
    ['length=1-2&minlen=1', 'length=1-2: the upstream does not accept it together with minlen'],
    ['length=1-2&maxlen=1', 'length=1-2: the upstream does not accept it together with maxlen'],
    ['time=5&mintime=1&maxtime=9', 'time=5: the upstream does not accept it together with mintime, maxtime'],
    ['time=5-&maxlen=9', 'time=5-: the upstream does not accept it together with maxlen'],
    ['time=5-&length=9', 'time=5-: the upstream does not accept it together with length'],
    ['mintime=5&length=9', 'mintime=5: the upstream does not accept it together with length'],
    ['maxtime=5&minlen=9', 'maxtime=5: the upstream does not accept it together with minlen'],
    ['mintime=5&maxtime=4', 'mintime=5: must be at most maxtime, which is 4'],
  ])('%s is rejected with the reason', (query, fault) => {
    expect(faults(query)).toEqual([fault]);
  });

  it.each(['length=1&kaiwaritu=1', 'minlen=1&maxlen=1&sasie=1', 'mintime=1&maxtime=1', 'time=1'])(
    '%s is accepted',
    (query) => {
      expect(faults(query)).toEqual([]);
    },
  );

  it.each([
    [{ minnovel: 2, maxnovel: 1 }, 'minnovel'],
    [{ minreview: 2, maxreview: 1 }, 'minreview'],
  ])('%j of users is rejected', (values, parameter) => {
    expect(faultsAt(values, null).map((fault) => fault.parameter)).toEqual([parameter]);
  });

  it('a start position above the limit of the source is reported with the reason', () => {
    expect(faultsAt({ st: 2001 }, 2000)[0]).toMatchObject({ parameter: 'st', given: '2001' });
    expect(faultsAt({ st: 2000 }, 2000)).toEqual([]);
    expect(faultsAt({ st: 2001 }, null)).toEqual([]);
  });
});

describe('a time range', () => {
  it('is written with both ends even if they are equal: the upstream ignores a single number', () => {
    expect(key('lastup=1795230000-1795230000')).toContain('lastup=1795230000-1795230000');
  });
});
