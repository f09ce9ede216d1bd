import { problemsIn } from '@mokuroku/kit';
import type { ShellWords } from './words-ja.ts';

/**
 * The tables of texts of one language by name. They are loaded together (`words-ja.ts` and `words-en.ts` of each page),
 * so that no reader loads the other language.
 */
export type LoadedWords = Readonly<Record<string, unknown>>;

/** The text of a code from outside (a URL or a service); an unknown code is returned unchanged. */
export const wordFor = (table: Readonly<Record<string, string>>, code: string): string =>
  (Object.hasOwn(table, code) ? table[code] : undefined) ?? code;

/** The title and the remedy of an error, by its code. */
export function problemOf(
  { textLanguage }: ShellWords,
  code: string,
): readonly [title: string, text: string] {
  const problems = problemsIn(textLanguage);
  return (Object.hasOwn(problems, code) ? problems[code] : problems['other']) ?? ['', ''];
}
