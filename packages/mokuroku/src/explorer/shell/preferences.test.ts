import { describe, expect, it } from 'vitest';
import { applyTheme, chooseLanguage, createPreferences, readTheme } from './preferences.ts';

function throws(name: string): never {
  throw new DOMException(name, name);
}

it('preferences without storage, or with a full one, last as long as the page', () => {
  const full = { getItem: () => 'light', setItem: () => throws('QuotaExceededError') };
  for (const storageOf of [() => throws('SecurityError'), () => full as unknown as Storage]) {
    const preferences = createPreferences(storageOf);
    preferences.write('theme', 'dark');
    expect(preferences.read('theme')).toBe('dark');
  }
});

it('what a full storage lacks is stored by a later write, and another tab may change it then', () => {
  let stored: string | null = null;
  let isFull = true;
  const storage = {
    getItem: () => stored,
    setItem: (_: string, value: string) => (isFull ? throws('QuotaExceededError') : (stored = value)),
  };
  const preferences = createPreferences(() => storage as unknown as Storage);
  preferences.write('theme', 'dark');
  expect(preferences.isStored('theme')).toBe(false);
  isFull = false;
  preferences.write('theme', 'dark');
  expect(preferences.isStored('theme')).toBe(true);
  stored = 'light';
  expect(preferences.read('theme')).toBe('light');
});

describe('the theme', () => {
  it('follows the system unless it is one of ours', () => {
    expect([readTheme('dark'), readTheme('sepia'), readTheme(null)]).toEqual(['dark', 'auto', 'auto']);
  });
  it('marks the document only when it differs from the system', () => {
    const root = { dataset: {} as Record<string, string> };
    const marks = (['dark', 'light', 'auto'] as const).map((theme) => {
      applyTheme(root as unknown as HTMLElement, theme);
      return { ...root.dataset };
    });
    expect(marks).toEqual([{ theme: 'dark' }, { theme: 'light' }, {}]);
  });
});

it.each([
  ['the choice of the reader', 'en', ['ja-JP'], 'en'],
  ['the first supported one of the browser', null, ['ja-JP', 'en'], 'ja'],
  ['one of a region in any case', null, ['fr-FR', 'EN-us', 'ja'], 'en'],
  ['not one that begins alike', null, ['jam-JM', 'ja'], 'ja'],
  ['English if none is supported', null, ['de', 'fr'], 'en'],
  ['English if the browser has none', null, [], 'en'],
  ['one of the browser after an invalid choice', 'toString', ['ja'], 'ja'],
])('the language of the page is %s', (_what, chosen, preferred, language) => {
  expect(chooseLanguage(chosen, preferred)).toBe(language);
});
