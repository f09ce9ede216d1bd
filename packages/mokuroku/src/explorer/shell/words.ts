import { ownValue } from '@mokuroku/kit';
import { OTHER_PROBLEM, findProblem } from '../../words/problems.ts';
import type { ShellWords } from './words-ja.ts';

/**
 * The tables of texts of one language by name. They are loaded together (`words-ja.ts` and `words-en.ts` of each page),
 * so that no reader loads the other language.
 */
export type LoadedWords = Readonly<Record<string, unknown>>;

/** The text of a code from outside (a URL or a service); an unknown code is returned unchanged. */
export const wordFor = (table: Readonly<Record<string, string>>, code: string): string =>
  ownValue(table, code) ?? code;

/** The title and the remedy of an error, by its code. */
export const problemOf = (
  { textLanguage }: ShellWords,
  code: string,
): readonly [title: string, text: string] => (findProblem(code) ?? OTHER_PROBLEM)[textLanguage];
