import { describe, expect, it } from 'vitest';
import { applyTheme, chooseLanguage, createPreferences, readTheme } from './preferences.ts';

describe('preferences', () => {
  it('are stored under prefixed names', () => {
    const stored = new Map<string, string>();
    const storage = {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, value: string) => stored.set(name, value),
    } as unknown as Storage;
    const preferences = createPreferences(() => storage);
    preferences.write('language', 'en');
    expect([...stored]).toEqual([['mokuroku-language', 'en']]);
    expect(preferences.read('language')).toBe('en');
    expect(preferences.read('theme')).toBeNull();
  });
  it('work without storage', () => {
    const preferences = createPreferences(() => {
      throw new Error('SecurityError');
    });
    preferences.write('theme', 'dark');
    expect(preferences.read('theme')).toBeNull();
  });
});

describe('the theme', () => {
  it('follows the system unless it is one of ours', () => {
    expect([readTheme('dark'), readTheme('sepia'), readTheme(null)]).toEqual(['dark', 'auto', 'auto']);
  });
  it('marks the document only when it differs from the system', () => {
    const root = { dataset: {} as Record<string, string> };
    applyTheme(root as unknown as HTMLElement, 'dark');
    expect(root.dataset).toEqual({ theme: 'dark' });
    applyTheme(root as unknown as HTMLElement, 'light');
    expect(root.dataset).toEqual({ theme: 'light' });
    applyTheme(root as unknown as HTMLElement, 'auto');
    expect(root.dataset).toEqual({});
  });
});

describe('the language of the page', () => {
  it("is the reader's choice, whatever the browser prefers", () => {
    expect(chooseLanguage('en', ['ja-JP'])).toBe('en');
  });
  it('is the first supported language of the browser', () => {
    expect(chooseLanguage(null, ['ja-JP', 'en'])).toBe('ja');
    expect(chooseLanguage(null, ['fr-FR', 'EN-us', 'ja'])).toBe('en');
    expect(chooseLanguage(null, ['jam-JM', 'ja'])).toBe('ja');
  });
  it('is English otherwise, and for an invalid choice', () => {
    expect(chooseLanguage(null, ['de', 'fr'])).toBe('en');
    expect(chooseLanguage(null, [])).toBe('en');
    expect(chooseLanguage('toString', ['ja'])).toBe('ja');
  });
});
