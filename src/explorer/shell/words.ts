import type { ShellWords } from './words-ja.ts';

/**
 * Names a table of words. The tables of a language come with it (`ja.ts` and `en.ts` of each page), so that nobody
 * loads what they do not read; `useWords` finds them by these names.
 */
export type Words<Table> = string & { readonly table?: Table };

export const wordsOf = <Table>(name: string): Words<Table> => name;

/** The tables of one language, by their names. */
export type LoadedWords = Readonly<Record<string, unknown>>;

export const SHELL_WORDS = wordsOf<ShellWords>('shell');

/** Of a table by codes that come from outside, an address or a service: a code without a word stands for itself. */
export const wordFor = (table: Readonly<Record<string, string>>, code: string): string =>
  (Object.hasOwn(table, code) ? table[code] : undefined) ?? code;

/** What went wrong and what one can do, by the code of an error. */
export const problemOf = ({ problems }: ShellWords, code: string): readonly [title: string, text: string] =>
  (Object.hasOwn(problems, code) ? problems[code] : problems['other']) ?? ['', ''];
