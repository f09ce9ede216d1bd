import { problemsIn } from '../../error-texts.ts';
import type { ShellWords } from './words-ja.ts';

/**
 * Names a table of texts. A language's tables are loaded together (`words-ja.ts` and `words-en.ts` of each page), so that no
 * reader loads the other language; `useWords` finds them by these names.
 */
export type Words<Table> = string & { readonly table?: Table };

export const wordsOf = <Table>(name: string): Words<Table> => name;

/** The tables of one language by name. */
export type LoadedWords = Readonly<Record<string, unknown>>;

export const SHELL_WORDS = wordsOf<ShellWords>('shell');

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
