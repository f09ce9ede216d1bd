import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Language } from './language.ts';

export const LanguageContext = createContext<Language>('en');

export function useLanguage(): Language {
  return useContext(LanguageContext);
}

/** The words of the reader's language out of a table of both. */
export function useWords<Words>(words: Readonly<Record<Language, Words>>): Words {
  return words[useLanguage()];
}
