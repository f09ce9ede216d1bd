import { describe, expect, it } from 'vitest';
import { chooseLanguage } from './language.ts';

describe('the language of the page', () => {
  it('is what the reader chose, whatever the browser wants', () => {
    expect(chooseLanguage('en', ['ja-JP'])).toBe('en');
  });
  it("is the first of the browser's languages that there is", () => {
    expect(chooseLanguage(null, ['ja-JP', 'en'])).toBe('ja');
    expect(chooseLanguage(null, ['fr-FR', 'EN-us', 'ja'])).toBe('en');
    expect(chooseLanguage(null, ['jam-JM', 'ja'])).toBe('ja');
  });
  it('is English for everyone else, and for a choice that is none', () => {
    expect(chooseLanguage(null, ['de', 'fr'])).toBe('en');
    expect(chooseLanguage(null, [])).toBe('en');
    expect(chooseLanguage('toString', ['ja'])).toBe('ja');
  });
});
