import { chooseLanguage, applyTheme, createPreferences, readTheme } from './preferences.ts';
import type { Language, Preferences } from './preferences.ts';
import type { LoadedWords } from './words.ts';

type LoadWords = (language: Language) => Promise<LoadedWords>;

/** The settings of a page at its start. */
export interface Start {
  language: Language;
  /** The texts of that language, which are loading. */
  words: Promise<LoadedWords>;
  loadWords: LoadWords;
  preferences: Preferences;
}

/**
 * The first, small script of a page: selects language and theme before anything is rendered, and loads the texts of
 * that language only, in parallel with the page itself.
 */
export function start(
  languages: Readonly<Record<Language, () => Promise<{ words: LoadedWords }>>>,
  loadPage: () => Promise<{ mount: (start: Start) => Promise<void> }>,
): void {
  const preferences = createPreferences(() => localStorage);
  const language = chooseLanguage(preferences.read('language'), navigator.languages);
  document.documentElement.lang = language;
  applyTheme(document.documentElement, readTheme(preferences.read('theme')));
  const loadWords: LoadWords = async (chosen) => (await languages[chosen]()).words;
  const words = loadWords(language);
  loadPage()
    .then(({ mount }) => mount({ language, words, loadWords, preferences }))
    .catch((problem: unknown) => {
      tellFailure();
      throw problem;
    });
}

/** In both languages, because the texts themselves may have failed to load. */
function tellFailure(): void {
  const main = document.querySelector('main');
  const text = document.createElement('p');
  text.role = 'alert';
  text.textContent =
    'この画面を読み込めませんでした。再読み込みしてください。 This page could not be loaded. Please reload it.';
  main?.replaceChildren(text);
}
