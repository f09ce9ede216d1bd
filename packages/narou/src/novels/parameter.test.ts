import { describe, expect, it } from 'vitest';
import { parseQueryString, readParameters } from '@mokuroku/kit/http';
import { OF_FIELDS, SERVED_CODES } from './of-fields.ts';
import {
  ADULT_SEARCH_PARAMETERS,
  NOVEL_SEARCH_PARAMETERS,
  SUGGEST_PARAMETERS,
  USER_SEARCH_PARAMETERS,
} from './search-parameters.ts';

const read = (query: string) => readParameters(NOVEL_SEARCH_PARAMETERS, parseQueryString(query));

describe('numbers in a query', () => {
  it.each(['', ...'0x10 1e2 %2010 10%20 %2B5 +5 -5 Infinity NaN 1.0 １０ 0 501'.split(' ')])(
    'lim=%s is rejected with the valid range',
    (text) => {
      const { faults, values } = read(`lim=${text}`);
      expect(faults).toHaveLength(1);
      expect(faults[0]).toMatchObject({
        parameter: 'lim',
        allowed: 'a whole number from 1 to 500, in digits',
      });
      expect(values).toEqual({});
    },
  );

  it('a start position of 400 digits is rejected, not read as infinity', () => {
    const reason = 'must be at most 9999999999';
    expect(read(`st=${'9'.repeat(400)}`).faults).toMatchObject([{ given: `${'9'.repeat(100)}...`, reason }]);
  });

  it('the bounds themselves are accepted', () => {
    expect(read('lim=1').values.lim).toBe(1);
    expect(read('lim=500').values.lim).toBe(500);
    expect(read('st=1').values.st).toBe(1);
  });
});

describe('words', () => {
  const given = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`).join('+');

  it.each([
    ['word', NOVEL_SEARCH_PARAMETERS, 30],
    ['notword', NOVEL_SEARCH_PARAMETERS, 30],
    ['word', ADULT_SEARCH_PARAMETERS, 30],
    ['notword', ADULT_SEARCH_PARAMETERS, 30],
    ['word', USER_SEARCH_PARAMETERS, 30],
    ['notword', USER_SEARCH_PARAMETERS, 30],
    ['q', SUGGEST_PARAMETERS, 10],
  ])('%s accepts its number of different words and no more', (name, table, most) => {
    const of = (count: number) =>
      readParameters(table, parseQueryString(`${name}=${given(count)}+w0`)).faults;
    expect(of(most)).toEqual([]);
    expect(of(most + 1)).toMatchObject([
      {
        parameter: name,
        reason: `${most + 1} words, more than ${most}`,
        allowed: `at most ${most} different words, separated by blanks`,
      },
    ]);
  });
});

describe('closed sets', () => {
  it.each([
    ['genre=100', 'genre', 201],
    ['genre=0201', 'genre', 201],
    ['genre=201,', 'genre', 201],
    ['notbiggenre=5', 'notbiggenre', 99],
    ['order=Hyoka', 'order', 'hyoka'],
    ['title=2', 'title', 1],
    ['title=', 'title', 0],
    ['type=x', 'type', 'ter'],
    ['of=t-zz', 'of', 'ua'],
    ['of=ng', 'of', 'ua'],
    ['of=T', 'of', 't'],
    ['of=', 'of', 't'],
    ['of=t,n', 'of', 'n'],
  ])('%s is rejected with the valid values', (query, parameter, member) => {
    const { faults } = read(query);
    expect(faults).toHaveLength(1);
    expect(faults[0]?.parameter).toBe(parameter);
    expect(faults[0]?.values).toContain(member);
  });

  it('the error for `of` lists all codes', () => {
    expect(read('of=x').faults[0]?.values).toEqual(SERVED_CODES.novelapi);
  });

  it('the adult interface has all codes and 14 orders', () => {
    const adult = readParameters(ADULT_SEARCH_PARAMETERS, parseQueryString('of=x&order=ncodeasc'));
    expect(adult.faults.map((fault) => fault.values?.length)).toEqual([OF_FIELDS.length, 14]);
  });
});

describe('the invalid value in an error', () => {
  it('is cut between characters, since some JSON parsers reject half a character', () => {
    const given = encodeURIComponent(`a${'𩸽'.repeat(60)}`);
    const { faults } = read(`order=${given}&genre=${given}`);
    expect(faults.map((fault) => fault.given)).toEqual(Array(2).fill(`a${'𩸽'.repeat(49)}...`));
    expect(faults[1]?.reason).toBe(`no such code: "a${'𩸽'.repeat(49)}..."`);
  });
});

describe('lists', () => {
  it('500 Ncodes are accepted, 501 are rejected, duplicates or not', () => {
    const codes = (count: number) =>
      Array.from({ length: count }, (_, i) => `n${String(i).padStart(4, '0')}aa`);
    expect(read(`ncode=${codes(500).join(',')}`).values.ncode).toHaveLength(500);
    expect(read(`ncode=${codes(501).join(',')}`).faults[0]?.reason).toBe('501 codes, more than 500');
    expect(read(`ncode=${Array(501).fill('n0001a').join(',')}`).faults).toHaveLength(1);
  });

  it.each(['N123AB', 'N12345A', 'N1234ABC', 'X1234AB', 'n1234ab,', 'N1234AB%20N1234AC', '-', ''])(
    'ncode=%s is not a list of Ncodes',
    (text) => {
      expect(read(`ncode=${text}`).faults[0]?.parameter).toBe('ncode');
    },
  );

  it.each(['abc', '', '0', '1,,2', '12345678901', '-1', '1--2'])(
    'userid=%s is not a list of user ids',
    (text) => {
      expect(read(`userid=${text}`).faults[0]?.parameter).toBe('userid');
    },
  );

  it('only the first invalid members are shown, so that the error does not grow with the request', () => {
    const fault = read(`ncode=${Array.from({ length: 400 }, (_, i) => `bad${i}`).join(',')}`).faults[0];
    expect(fault?.reason).toMatch(/and 390 more$/);
    expect(JSON.stringify(fault).length).toBeLessThan(700);
  });
});

describe('the forms of a list', () => {
  it.each([
    'genre=201,202',
    'genre=202,201,202',
    'genre=201-202',
    'genre=201,%20202',
    'genre=%20201%20,202',
    'genre[]=201&genre[]=202',
    'genre%5B%5D=202&genre%5B%5D=201',
    'genre[]=201,202',
    'genre=201&genre=202',
    'genre=201&genre[]=202',
    'genre=202&genre=201&genre=202',
  ])('%s is the list of 201 and 202', (query) => {
    expect(read(query)).toEqual({ values: { genre: [201, 202] }, faults: [], ignored: [] });
  });

  it('`ncode` and `userid` accept the same forms', () => {
    expect(read('ncode[]=n0002b&ncode[]=n0001a').values.ncode).toEqual(['N0001A', 'N0002B']);
    expect(read('ncode=n0001a-n0002b').values.ncode).toEqual(['N0001A', 'N0002B']);
    expect(read('userid=7-3').values.userid).toEqual([3, 7]);
  });

  it('`of` too may be repeated', () => {
    expect(read('of=t&of=n').values.of).toEqual(['t', 'n']);
    expect(read('of[]=n&of=t-w').values.of).toEqual(['t', 'n', 'w']);
    expect(read('of=t&of=x').faults[0]).toMatchObject({ parameter: 'of', given: 't-x' });
  });

  it('is that of lists alone: any other parameter is given once', () => {
    expect(read('lim=2&lim=3').faults[0]).toMatchObject({ parameter: 'lim', given: ['2', '3'] });
    expect(read('lim[]=3&order[]=new&__proto__[]=1').ignored).toEqual(['lim[]', 'order[]', '__proto__[]']);
  });
});

describe('ranges', () => {
  it.each([
    ['0', { min: 0, max: 0 }],
    ['5-9', { min: 5, max: 9 }],
    ['5-5', { min: 5, max: 5 }],
    ['5-', { min: 5, max: undefined }],
    ['-9', { min: 0, max: 9 }],
    ['9999999999', { min: 9_999_999_999, max: 9_999_999_999 }],
  ])('length=%s', (text, expected) => {
    expect(read(`length=${text}`).values.length).toEqual(expected);
  });

  it.each(['', '-', '9-5', '1-2-3', 'a', '1,2', '99999999999', '-1-2', '1.5'])(
    'time=%s is rejected',
    (text) => {
      expect(read(`time=${text}`).faults[0]?.parameter).toBe('time');
    },
  );
});

describe('time ranges', () => {
  const day = (text: string) => Date.parse(`${text}+09:00`) / 1000;
  it.each([
    ['lastup=thisweek', 'thisweek'],
    ['lastup=100-200', { min: 100, max: 200 }],
    ['lastup=100-', { min: 100, max: 99_999_999_999 }],
    [
      'lastupdate=2026-11-01,2026-11-20',
      { min: day('2026-11-01T00:00:00'), max: day('2026-11-20T23:59:59') },
    ],
    [
      'firstup=2026-11-01,%202026-11-01',
      { min: day('2026-11-01T00:00:00'), max: day('2026-11-01T23:59:59') },
    ],
    ['lastup=2026-11-01,', { min: day('2026-11-01T00:00:00'), max: 99_999_999_999 }],
    ['lastup=,2026-11-01', { min: 0, max: day('2026-11-01T23:59:59') }],
  ])('%s: words as they are, Unix seconds, days in Japan with both ends or one', (query, expected) => {
    expect(Object.values(read(query).values)).toEqual([expected]);
  });

  it.each(['yesterday', '', '2026-11-01', '2026-02-30,', '20261101,20261120', '-', ',', '1-2-3'])(
    'lastup=%s is rejected with the valid forms',
    (text) => {
      expect(read(`lastup=${text}`).faults[0]).toMatchObject({
        parameter: 'lastup',
        allowed: expect.stringContaining('2026-11-01,2026-11-20') as string,
      });
    },
  );

  it.each(['200-100', '2026-11-20,2026-11-01'])('lastup=%s ends before it begins', (text) => {
    expect(read(`lastup=${text}`).faults[0]?.reason).toBe('it ends before it begins');
  });

  it('words are invalid for `firstup`, for which no manual documents them', () => {
    expect(read('firstup=thisweek').faults).toHaveLength(1);
  });
});

describe('values of other APIs', () => {
  it.each([
    ['all', 'leave it out'],
    ['tr', "the site's own search page"],
    ['constructor', 'unknown value'],
  ])('type=%s is explained', (text, reason) => {
    expect(read(`type=${text}`).faults[0]?.reason).toContain(reason);
  });
});

describe('a whole query', () => {
  it('all its faults are reported at once', () => {
    const { faults } = read('lim=0&st=x&order=best&of=q&genre=7&title=9&ncode=n1&word=%ff');
    expect(faults.map((fault) => fault.parameter).sort()).toEqual(
      ['genre', 'lim', 'ncode', 'of', 'order', 'st', 'title', 'word'].sort(),
    );
  });

  it('a repeated parameter is rejected, even with the same value', () => {
    expect(read('lim=1&lim=1').faults).toEqual([
      {
        parameter: 'lim',
        given: ['1', '1'],
        reason: 'given more than once (2 times)',
        allowed: 'at most one: a whole number from 1 to 500, in digits',
      },
    ]);
  });

  it('unknown names are ignored and listed, also names of inherited properties', () => {
    const { faults, ignored } = read('limit=5&__proto__=1&constructor=2&toString=3&utm=1&utm=2');
    expect(faults).toEqual([]);
    expect(ignored).toEqual(['limit', '__proto__', 'constructor', 'toString', 'utm']);
  });

  it('the filters that the adult interface lacks are ignored there', () => {
    const query = parseQueryString('genre=201&notgenre=1&biggenre=x&notbiggenre=2&userid=1&nocgenre=2');
    const { ignored, values, faults } = readParameters(ADULT_SEARCH_PARAMETERS, query);
    expect(ignored).toEqual(['genre', 'notgenre', 'biggenre', 'notbiggenre', 'userid']);
    expect({ values, faults }).toEqual({ values: { nocgenre: [2] }, faults: [] });
  });
});

describe('user search', () => {
  const users = (query: string) => readParameters(USER_SEARCH_PARAMETERS, parseQueryString(query));

  it.each(['ab', 'カ', '山', 'a', '', 'かき', 'ー', '゛'])('name1st=%s is rejected', (text) => {
    expect(users(`name1st=${encodeURIComponent(text)}`).faults[0]?.parameter).toBe('name1st');
  });

  it.each([
    ['あ', 'あ'],
    ['ば', 'は'],
    ['ぱ', 'は'],
    ['か\u3099', 'か'],
    ['ん', 'ん'],
    ['ゔ', 'う'],
  ])('name1st=%s is filed under %s', (given, filed) => {
    expect(users(`name1st=${encodeURIComponent(given)}`).values.name1st).toBe(filed);
  });

  it('accepts one user id only', () => {
    expect(users('userid=12').values.userid).toBe(12);
    expect(users('userid=1,2').faults[0]?.reason).toBe('not one user id');
  });
});
