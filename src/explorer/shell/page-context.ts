import { createContext } from 'preact';
import { useContext, useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { Answers, CreateService } from './answers.ts';
import type { CallLog } from './calls.ts';
import type { Format } from './format.ts';
import type { Language } from './language.ts';
import type { PageNavigator } from './navigator.ts';
import type { Preferences } from './preferences.ts';
import type { Shelf } from './shelf.ts';
import { SHELL_WORDS } from './words.ts';
import type { LoadedWords, Words } from './words.ts';

/** What every part of a page may need. */
export interface PageParts {
  language: Language;
  /** Writes numbers and dates in that language. */
  format: Format;
  navigator: PageNavigator;
  answers: Answers;
  /** The requests behind what is shown. */
  log: CallLog;
  /** For what comes as a stream; single answers are asked for through `answers`. */
  createService: CreateService;
  preferences: Preferences;
  shelf: Shelf;
  /** Those of the present language. */
  words: LoadedWords;
}

export const PageContext = createContext<PageParts | null>(null);

export function usePage(): PageParts {
  const page = useContext(PageContext);
  if (!page) throw new Error('no page around this component');
  return page;
}

/** All of them, with a table of words in the reader's language; each part of the pages has such a hook of its own. */
export function useWords<Table>(name: Words<Table>): Omit<PageParts, 'words'> & { words: Table } {
  const page = usePage();
  return { ...page, words: page.words[name] as Table };
}

export const useShell = () => useWords(SHELL_WORDS);

/** The present address, and how often the reader has arrived at a new place (to move the focus there). */
export function usePlace(): { search: string; arrivals: number } {
  const { navigator } = usePage();
  const [place, setPlace] = useState({ search: navigator.search(), arrivals: 0 });
  useEffect(
    () =>
      navigator.onChange((arrived) =>
        setPlace(({ arrivals }) => ({ search: navigator.search(), arrivals: arrivals + (arrived ? 1 : 0) })),
      ),
    [navigator],
  );
  return place;
}

/** Names the document: what is shown, as soon as that has a name, then whose page it is. */
export function useTitle(shown: string | undefined): void {
  const { pageName } = useShell().words;
  useLayoutEffect(() => {
    if (shown !== undefined) document.title = `${shown} – ${pageName}`;
  }, [shown, pageName]);
}

/** The title of a place; it stands before the view, which may know a better one. */
export function Title({ text }: { text: string }) {
  useTitle(text);
  return null;
}

/** Tells the navigator when a view is drawn in full, so that it can scroll to where the reader was. */
export function useSettled(isDrawn: boolean): void {
  const { navigator } = usePage();
  useLayoutEffect(() => {
    if (isDrawn) navigator.settle();
  });
}
