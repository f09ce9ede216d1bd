import { createContext } from 'preact';
import { useContext, useLayoutEffect } from 'preact/hooks';
import type { Answers } from './answers.ts';
import type { CallLog } from './calls.ts';
import type { Format } from './format.ts';
import { useChanges, useRedraw } from './listeners.ts';
import type { Shown } from './listeners.ts';
import type { Language, Preferences } from './preferences.ts';
import type { PageNavigator } from './navigator.ts';
import type { Shelf } from './shelf.ts';
import type { ShellWords } from './words-ja.ts';
import type { LoadedWords } from './words.ts';

/** A form of what is shown that a view makes itself. */
export interface OwnForm {
  label: string;
  /** An address, or what saves a file. */
  action: string | (() => void);
}

/** Shared objects of the parts of a page. */
interface PageParts {
  language: Language;
  /** Formats numbers and dates in that language. */
  format: Format;
  navigator: PageNavigator;
  answers: Answers;
  /** The requests behind the content. */
  log: CallLog;
  ownForms: Shown<OwnForm>;
  preferences: Preferences;
  shelf: Shelf;
  /** The texts of the current language. */
  words: LoadedWords;
  chooseLanguage: (language: Language) => void;
}

export const PageContext = createContext<PageParts | null>(null);

export function usePage(): PageParts {
  const page = useContext(PageContext);
  if (!page) throw new Error('no page around this component');
  return page;
}

/** A hook for the shared objects, with a table of texts in the reader's language; each part of the pages has its own. */
export const wordsHook = <Table>(name: string) =>
  function useWords(): Omit<PageParts, 'words'> & { words: Table } {
    const page = usePage();
    return { ...page, words: page.words[name] as Table };
  };

export const useShell = wordsHook<ShellWords>('shell');

/** A preference that is stored with each change; null: none. */
export function usePreference(name: string) {
  const { preferences } = usePage();
  const redraw = useRedraw();
  const choose = (chosen: string | null) => {
    preferences.write(name, chosen);
    redraw();
  };
  return [preferences.read(name), choose] as const;
}

/** The current URL, and the number of arrivals at a new place (to move the focus there). */
export function usePlace(): { search: string; arrivals: number } {
  const navigator = useChanges(usePage().navigator);
  return { search: navigator.searchString(), arrivals: navigator.arrivals() };
}

/** Sets the document's title: the content's title, then the page's. */
export function useTitle(shown: string): void {
  const { pageName } = useShell().words;
  useLayoutEffect(() => {
    document.title = `${shown} – ${pageName}`;
    // The feed of the view has its title too.
    document.querySelector('link[rel=alternate]')?.setAttribute('title', document.title);
  }, [shown, pageName]);
}

/** Reports to the navigator when a view is fully rendered, so that it can restore the scroll position. */
export function useSettled(isDrawn: boolean): void {
  const { navigator } = usePage();
  useLayoutEffect(() => {
    if (isDrawn) navigator.restoreScroll();
  });
}
