import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RANKING_TYPES } from '@mokuroku/narou';
import { ANY_NOVEL, SPANS, WORD_TARGETS, hrefOf, hrefTo, readView, toggleCompared, viewOf } from './view.ts';
import type { Compared, View } from './view.ts';

const words = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.trim());
const start = fc.integer({ min: 1, max: 100_000 });
const anyOf = (...values: string[]) => fc.constantFrom('', ...values);

/** Filters of one search only. */
const ALL_AGES: Readonly<Record<string, fc.Arbitrary<string>>> = {
  genre: anyOf('201', '9801,201'),
  biggenre: anyOf('2', '99,1'),
  notgenre: anyOf('101,102'),
  isr15: anyOf('1'),
};
const ADULT: typeof ALL_AGES = { nocgenre: anyOf('1', '4') };

const anySearch = (adult: boolean): fc.Arbitrary<View> =>
  fc
    .record({
      ...(adult ? ADULT : ALL_AGES),
      word: words,
      notword: words,
      anykeyword: words,
      notkeyword: words,
      target: fc.constantFrom(...WORD_TARGETS),
      notbl: anyOf('1'),
      stop: anyOf('1', '2'),
      type: anyOf('er', 'r', 't', 'ter'),
      lastup: anyOf('sevenday', '2026-11-01,2026-11-20'),
      kaiwaritu: anyOf('50-'),
      length: anyOf('10000-', '-500'),
      episodes: anyOf('10-100'),
      points: anyOf('1000-'),
      order: fc.constantFrom('weeklypoint', 'new', 'hyoka'),
      st: start,
    })
    .map((search) => ({ ...ANY_NOVEL, adult, ...search }));

const chart = { period: fc.constantFrom(...RANKING_TYPES), span: fc.constantFrom(...SPANS) };

const anyView: fc.Arbitrary<View> = fc.oneof(
  anySearch(false),
  anySearch(true),
  fc.record({
    name: fc.constant('ranking' as const),
    type: fc.constantFrom(...RANKING_TYPES),
    date: anyOf('2026-11-16', '2013-05-01'),
    genre: anyOf('2', '201'),
    state: anyOf('short'),
    istt: anyOf('1'),
    minlen: anyOf('1000000'),
    rising: fc.boolean(),
  }),
  fc.record({
    ...chart,
    name: fc.constant('compare' as const),
    ncodes: fc.constantFrom([], ['N0001A'], ['N0001A', 'N8021JX']),
  }),
  fc.record({
    ...chart,
    name: fc.constant('novel' as const),
    adult: fc.boolean(),
    ncode: fc.constantFrom('N0001A', 'N8021JX'),
  }),
  fc.record({ name: fc.constant('author' as const), userid: fc.nat(999_999).map(String), st: start }),
  fc.record({ name: fc.constant('authors' as const), word: words, st: start }),
  fc.constant({ name: 'shelf' as const, shelf: true }),
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
    expect(hrefOf(ANY_NOVEL)).toBe('/');
    expect(hrefOf(viewOf('ranking'))).toBe('/?ranking=daily');
    expect(hrefTo('novel', { ncode: 'N8021JX' })).toBe('/?ncode=N8021JX');
  });
  it('uses the names of the API', () => {
    const filters = { word: '魔法', biggenre: '2', type: 'er', length: '10000-' };
    const query = new URLSearchParams(searchOf(hrefTo('search', { ...filters, target: 'title' })));
    expect(Object.fromEntries(query)).toEqual({ ...filters, title: '1' });
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
  it.each([
    ['?ncode=n8021jx', { name: 'novel', ncode: 'N8021JX' }],
    ['?ncode=%20n8021jx%20', { name: 'novel', ncode: 'N8021JX' }],
    ['?ranking=yearly', { name: 'ranking', type: 'daily' }],
    ['?ranking=daily&date=', viewOf('ranking')],
    ['?compare=n1a,N2B n1a,,N3C', { ncodes: ['N1A', 'N2B', 'N3C'] }],
    ['?st=-5', { name: 'search', st: 1 }],
    ['?minlen=5', { length: '5-' }],
    ['?minlen=5&maxlen=9', { length: '5-9' }],
    ['?maxlen=9', { length: '-9' }],
    ['?length=-&episodes=-&time=-', viewOf('search')],
    ['?minlen=&maxlen=', viewOf('search')],
    // A flag of 0 is none.
    ['?isr15=0&notbl=x&istt=1', { isr15: '', notbl: '', istt: '1' }],
    ['?ranking=daily&istt=0', { istt: '' }],
    ['?ncode=', { name: 'search' }],
    ['?ncode=+&userid=%20', { name: 'search' }],
  ])('written by hand is read leniently: %s', (address, view) => {
    expect(readView(address)).toMatchObject(view);
  });
});

describe('a filter that a search does not support', () => {
  const allAges = ['genre', 'biggenre', 'notgenre', 'notbiggenre', 'isr15', 'notr15'];
  const adult = ['nocgenre', 'notnocgenre'];
  const filtersOf = (address: string) =>
    Object.entries(readView(address)).flatMap(([name, value]) => (value === '1' ? [name] : []));
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
