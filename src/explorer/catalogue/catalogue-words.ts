import type { Language } from '../shell/language.ts';
import { en } from './words-en.ts';
import { ja } from './words-ja.ts';
import type { CatalogueWords } from './words-ja.ts';

export type { CatalogueWords };

/** Every word of the catalogue's page, in both languages. */
export const CATALOGUE_WORDS: Readonly<Record<Language, CatalogueWords>> = { ja, en };
