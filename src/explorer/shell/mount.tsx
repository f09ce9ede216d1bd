import { render } from 'preact';
import type { FunctionComponent } from 'preact';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { createAnswers } from './answers.ts';
import type { Answered, CreateService, ApiQuestion, ApiClient } from './answers.ts';
import { createCallLog } from './calls.ts';
import { createFormat } from './format.ts';
import type { Choices } from './frame.tsx';
import { createPageNavigator } from './navigator.ts';
import type { PageNavigator } from './navigator.ts';
import { keepOffline } from './offline.ts';
import { PageContext } from './page-context.ts';
import type { PageParts } from './page-context.ts';
import { applyTheme, readTheme } from './preferences.ts';
import { createShelf } from './shelf.ts';
import type { Start } from './start.ts';

type ExplorerPage = FunctionComponent<{ choices: Choices }>;

interface PageOptions {
  page: ExplorerPage;
  createService: CreateService;
  /** The first question of a view by its address (`location.search`), null when it has none by itself. */
  firstQuestion: (search: string) => ApiQuestion<Answered> | null;
  navigator?: PageNavigator;
}

/** Puts a page that asks its service into the document, with its language, theme and addresses. */
export function mountPage(options: PageOptions, start: Start): Promise<void> {
  const { page, createService, firstQuestion, navigator = createPageNavigator(window) } = options;
  const now = () => performance.now();
  const log = createCallLog(now);
  const answers = createAnswers({ createService, log, now });

  // On its way while the page is being drawn: a slow phone takes as long for either.
  const first = firstQuestion(location.search);
  if (first !== null) answers.askAhead(first);
  return draw(page, { navigator, answers, log, createService }, start);
}

/** Puts a page that is a document about one answer into its place: its links are the browser's own. */
export function mountDocument(
  page: ExplorerPage,
  question: ApiQuestion<Answered>,
  start: Start,
): Promise<void> {
  const navigator: PageNavigator = {
    search: () => location.search,
    go: (href) => location.assign(href),
    onChange: () => () => undefined,
    settle: () => undefined,
  };
  const createService = () => ({}) as ApiClient;
  return mountPage({ page, createService, firstQuestion: () => question, navigator }, start);
}

const HEADING_FONT = "600 1em 'Source Serif 4'";

async function draw(
  Page: ExplorerPage,
  parts: Pick<PageParts, 'navigator' | 'answers' | 'log' | 'createService'>,
  { language, words, loadWords, preferences }: Start,
): Promise<void> {
  const first = { language, words: await words };
  const shelf = createShelf(() => localStorage, window);
  keepOffline(shelf);

  function Root() {
    const [spoken, setSpoken] = useState(first);
    const format = useMemo(() => createFormat(spoken.language), [spoken.language]);
    const [theme, setTheme] = useState(() => readTheme(preferences.read('theme')));
    useLayoutEffect(() => {
      document.documentElement.lang = spoken.language;
      // Asked for before there is a heading to be set in it.
      if (spoken.language === 'en') void document.fonts.load(HEADING_FONT);
    }, [spoken]);
    useLayoutEffect(() => applyTheme(document.documentElement, theme), [theme]);
    const choices: Choices = {
      theme,
      chooseLanguage: (chosen) => {
        preferences.write('language', chosen);
        loadWords(chosen).then(
          (loaded) => setSpoken({ language: chosen, words: loaded }),
          // The choice is kept: it holds from the next loading on, and where there is none the browser says why.
          () => location.reload(),
        );
      },
      chooseTheme: (chosen) => {
        preferences.write('theme', chosen);
        setTheme(chosen);
      },
    };
    return (
      <PageContext.Provider value={{ ...parts, ...spoken, format, preferences, shelf }}>
        <Page choices={choices} />
      </PageContext.Provider>
    );
  }

  const place = document.getElementById('page');
  if (!place) throw new Error('no #page in the document');
  place.replaceChildren();
  render(<Root />, place);
}
