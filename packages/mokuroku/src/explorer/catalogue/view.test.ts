import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RANKING_TYPES } from '@mokuroku/narou';
import {
  ANY_NOVEL,
  SPANS,
  WORD_TARGETS,
  hrefOf,
  novelViewOf,
  rankingViewOf,
  readView,
  toggleCompared,
} from './view.ts';
import type { Compared, View } from './view.ts';

const words = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.trim());
const digits = fc.nat(999_999).map(String);
const start = fc.integer({ min: 1, max: 100_000 });

function anySearch(adult: boolean): fc.Arbitrary<View> {
  return fc
    .record({
      word: words,
      notword: words,
      target: fc.constantFrom(...WORD_TARGETS),
      genre: adult ? fc.constant('') : fc.constantFrom('', '201', '9801,201'),
      biggenre: adult ? fc.constant('') : fc.constantFrom('', '2', '99,1'),
      notgenre: adult ? fc.constant('') : fc.constantFrom('', '101,102'),
      isr15: adult ? fc.constant('') : fc.constantFrom('', '1'),
      notbl: fc.constantFrom('', '1'),
      stop: fc.constantFrom('', '1', '2'),
      nocgenre: adult ? fc.constantFrom('', '1', '4') : fc.constant(''),
      type: fc.constantFrom('', 'er', 'r', 't', 'ter'),
      lastup: fc.constantFrom('', 'sevenday', '2026-11-01,2026-11-20'),
      kaiwaritu: fc.constantFrom('', '50-'),
      length: fc.constantFrom('', '10000-', '-500'),
      episodes: fc.constantFrom('', '10-100'),
      points: fc.constantFrom('', '1000-'),
      anykeyword: words,
      notkeyword: words,
      order: fc.constantFrom('weeklypoint', 'new', 'hyoka'),
      st: start,
    })
    .map((search) => ({ name: 'search' as const, adult, search: { ...ANY_NOVEL, ...search } }));
}

const anyView: fc.Arbitrary<View> = fc.oneof(
  anySearch(false),
  anySearch(true),
  fc.record({
    name: fc.constant('ranking' as const),
    type: fc.constantFrom(...RANKING_TYPES),
    date: fc.constantFrom(null, '2026-11-16', '2013-05-01'),
    genre: fc.constantFrom('', '2', '201'),
    state: fc.constantFrom('', 'short'),
    istt: fc.constantFrom('', '1'),
    minlen: fc.constantFrom('', '1000000'),
    rising: fc.boolean(),
    flow: fc.boolean(),
  }),
  fc.record({
    name: fc.constant('compare' as const),
    ncodes: fc.constantFrom([], ['N0001A'], ['N0001A', 'N8021JX']),
    period: fc.constantFrom(...RANKING_TYPES),
    span: fc.constantFrom(...SPANS),
  }),
  fc.record({
    name: fc.constant('novel' as const),
    adult: fc.boolean(),
    ncode: fc.constantFrom('N0001A', 'N8021JX'),
    period: fc.constantFrom(...RANKING_TYPES),
    span: fc.constantFrom(...SPANS),
  }),
  fc.record({ name: fc.constant('author' as const), userid: digits, st: start }),
  fc.record({ name: fc.constant('authors' as const), word: words, st: start }),
);

const searchOf = (href: string) => href.slice(1);

describe('the address of a view', () => {
  it('restores the view', () => {
    fc.assert(
      fc.property(anyView, (view) => {
        expect(readView(searchOf(hrefOf(view)))).toEqual(view);
      }),
    );
  });
  it('omits defaults', () => {
    expect(hrefOf({ name: 'search', adult: false, search: ANY_NOVEL })).toBe('/');
    expect(hrefOf(rankingViewOf('daily'))).toBe('/?ranking=daily');
    expect(hrefOf(novelViewOf('N8021JX', false))).toBe('/?ncode=N8021JX');
  });
  it('uses the names of the API', () => {
    const search = {
      ...ANY_NOVEL,
      word: '魔法',
      target: 'title' as const,
      biggenre: '2',
      type: 'er',
      length: '10000-',
    };
    const query = new URLSearchParams(searchOf(hrefOf({ name: 'search', adult: false, search })));
    expect(Object.fromEntries(query)).toEqual({
      word: '魔法',
      title: '1',
      biggenre: '2',
      type: 'er',
      length: '10000-',
    });
  });
});

describe('any address', () => {
  it('is a view, and an adult one only if it says so', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const view = readView(text);
        expect(hrefOf(view)).toMatch(/^\/(\?|$)/);
        if (!text.includes('r18')) expect('adult' in view && view.adult).toBe(false);
      }),
    );
  });
  it('written by hand is read leniently', () => {
    expect(readView('?ncode=n8021jx')).toMatchObject({ name: 'novel', ncode: 'N8021JX' });
    expect(readView('?ncode=%20n8021jx%20')).toMatchObject({ name: 'novel', ncode: 'N8021JX' });
    expect(readView('?ranking=yearly')).toMatchObject({ name: 'ranking', type: 'daily' });
    expect(readView('?compare=n1a,N2B n1a,,N3C')).toMatchObject({ ncodes: ['N1A', 'N2B', 'N3C'] });
    expect(readView('?st=-5')).toMatchObject({ name: 'search', search: { st: 1 } });
    expect(readView('?minlen=5')).toMatchObject({ search: { length: '5-' } });
    expect(readView('?minlen=5&maxlen=9')).toMatchObject({ search: { length: '5-9' } });
    expect(readView('?maxlen=9')).toMatchObject({ search: { length: '-9' } });
    expect(readView('?ncode=')).toMatchObject({ name: 'search' });
    expect(readView('?ncode=+&userid=%20')).toMatchObject({ name: 'search' });
    expect(readView('?ranking=daily&date=')).toEqual(rankingViewOf('daily'));
  });
});

describe('a filter that a search does not support', () => {
  const allAges = ['genre', 'biggenre', 'notgenre', 'notbiggenre', 'isr15', 'notr15'];
  const adult = ['nocgenre', 'notnocgenre'];
  const filtersOf = (address: string) => {
    const view = readView(address);
    if (view.name !== 'search') return [];
    return Object.entries(view.search).flatMap(([name, value]) => (value === '1' ? [name] : []));
  };
  it('is dropped', () => {
    const all = new URLSearchParams([...allAges, ...adult, 'isbl'].map((name) => [name, '1'])).toString();
    expect(filtersOf(`?${all}`).sort()).toEqual([...allAges, 'isbl'].sort());
    expect(filtersOf(`?r18=1&${all}`).sort()).toEqual([...adult, 'isbl'].sort());
  });
});

describe('the novels put aside to be compared', () => {
  it('are five at most, the oldest is dropped; a second selection removes one', () => {
    const toggle = (compared: Compared, ncode: string) => toggleCompared(compared, ncode, ncode);
    const six = ['A', 'B', 'C', 'D', 'E', 'F'].reduce(toggle, new Map());
    expect([...six.keys()]).toEqual(['B', 'C', 'D', 'E', 'F']);
    expect([...toggle(six, 'C').keys()]).toEqual(['B', 'D', 'E', 'F']);
  });
});
