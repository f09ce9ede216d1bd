import { describe, expect, it } from 'vitest';
import { chooseLanguage } from './language.ts';

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
