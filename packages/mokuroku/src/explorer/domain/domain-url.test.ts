import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hrefOf, pastedNames, readView, tidyDomain } from './domain-url.ts';

describe('a name as people paste it', () => {
  it.each([
    ['https://www.example.jp/path?a=1#b', 'www.example.jp'],
    [' example.com. ', 'example.com'],
    ['ｅｘａｍｐｌｅ。ｊｐ', 'example.jp'],
    ['見本.jp', '見本.jp'],
    ['Example.COM', 'example.com'],
    ['example.com:8080', 'example.com'],
    ['//example.com/path', 'example.com'],
    ['https://user:secret@example.com:8080/@path', 'example.com'],
    ['someone@example.com', 'example.com'],
    ['..', ''],
  ])('%s is parsed as %s', (text, domain) => {
    expect(tidyDomain(text)).toBe(domain);
  });
});

describe('several names', () => {
  it.each([
    ['example.com example.jp Example.com', ['example.com', 'example.jp']],
    ['example.com,\nhttps://example.jp/path; 見本.jp、example.com', ['example.com', 'example.jp', '見本.jp']],
    ['example.com；example.jp，example.org', ['example.com', 'example.jp', 'example.org']],
    [' , ', []],
  ])('%j are parsed as %j', (text, names) => {
    expect(pastedNames(text)).toEqual(names);
    expect(readView(hrefOf({ names }).slice(1)).names).toEqual(names);
  });

  it('of an address are all there, also those beyond the number that is looked up at once', () => {
    const many = Array.from({ length: 130 }, (_, i) => `name-${i}.com`);
    expect(pastedNames(many.join('\n'))).toEqual(many);
    expect(readView(hrefOf({ names: many }).slice(1)).names).toEqual(many);
  });
});

it('a word alone is looked up in common zones, in one request', () => {
  const { name, names, word } = readView('?domain=Mokuroku');
  expect([name, word, names[0], names.includes('mokuroku.co.jp')]).toEqual([
    'many',
    'mokuroku',
    'mokuroku.com',
    true,
  ]);
});

describe('the address of a view', () => {
  const anyNames = fc.uniqueArray(fc.domain(), { maxLength: 5 });
  it('restores it', () => {
    fc.assert(
      fc.property(anyNames, fc.boolean(), (names, chosen) => {
        const isMany = names.length > 1;
        const name = isMany ? ('many' as const) : names.length === 0 ? ('home' as const) : ('one' as const);
        const view = { name, names, registrar: chosen && !isMany, soonest: chosen && isMany };
        expect(readView(hrefOf(view).slice(1))).toEqual(view);
      }),
    );
    expect(hrefOf({ names: [] })).toBe('/');
    expect(hrefOf({ names: ['a.jp'], soonest: true })).toBe('/?domain=a.jp');
  });
  it('keeps a word in another order', () => {
    const view = readView('?domain=mokuroku');
    expect(readView(hrefOf({ ...view, soonest: true }).slice(1))).toEqual({ ...view, soonest: true });
  });
  it('can show a single name as a list', () => {
    const view = { name: 'many' as const, names: ['a.jp'], registrar: false, soonest: true };
    expect(readView(hrefOf(view).slice(1))).toEqual(view);
  });
});
