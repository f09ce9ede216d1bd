import { render } from 'preact';
import type { FunctionComponent } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { createAnswers } from './answers.ts';
import type { Answered, Question, Service } from './answers.ts';
import type { Choices } from './frame.tsx';
import { chooseLanguage } from './language.ts';
import type { Language } from './language.ts';
import { createPageNavigator } from './navigator.ts';
import type { PageNavigator } from './navigator.ts';
import { PageContext } from './page-context.ts';
import type { PageParts } from './page-context.ts';
import { applyTheme, createPreferences, readTheme } from './preferences.ts';

export interface PageOptions {
  page: FunctionComponent<{ choices: Choices }>;
  service: Service;
  /** The first question of a view by its address (`location.search`), null when it has none by itself. */
  firstQuestion: (search: string) => Question<Answered> | null;
  sampleText: Readonly<Record<Language, string>>;
}

/** Puts a page that asks its service into the document, with its surroundings: language, theme, addresses. */
export function mountPage({ page, service, firstQuestion, sampleText }: PageOptions): void {
  const navigator = createPageNavigator(window);
  const answers = createAnswers(service, () => performance.now());

  // On its way while the page is being drawn: a slow phone takes as long for either.
  const first = firstQuestion(location.search);
  if (first !== null) answers.askAhead(first);
  mount(page, { navigator, answers, service, sampleText });
}

/** Puts a page that is a document into its place: its links are the browser's own, and no service is asked. */
export function mountDocument(page: PageOptions['page']): void {
  const navigator: PageNavigator = {
    search: () => location.search,
    go: (href) => {
      location.assign(href);
    },
    onChange: () => () => undefined,
    settle: () => undefined,
  };
  const service = {} as Service;
  const answers = createAnswers(service, () => performance.now());
  mount(page, { navigator, answers, service, sampleText: { ja: '', en: '' } });
}

const HEADING_FONT = "600 1em 'Source Serif 4'";

type Parts = Omit<PageParts, 'language' | 'preferences'>;

function mount(Page: PageOptions['page'], parts: Parts): void {
  const preferences = createPreferences(() => localStorage);

  function Root() {
    const [language, setLanguage] = useState(() =>
      chooseLanguage(preferences.read('language'), window.navigator.languages),
    );
    const [theme, setTheme] = useState(() => readTheme(preferences.read('theme')));
    useLayoutEffect(() => {
      document.documentElement.lang = language;
      // Asked for before there is a heading to be set in it.
      if (language === 'en') void document.fonts.load(HEADING_FONT);
    }, [language]);
    useLayoutEffect(() => {
      applyTheme(document.documentElement, theme);
    }, [theme]);
    const choices: Choices = {
      theme,
      chooseLanguage: (chosen) => {
        preferences.write('language', chosen);
        setLanguage(chosen);
      },
      chooseTheme: (chosen) => {
        preferences.write('theme', chosen);
        setTheme(chosen);
      },
    };
    return (
      <PageContext.Provider value={{ ...parts, language, preferences }}>
        <Page choices={choices} />
      </PageContext.Provider>
    );
  }

  const place = document.getElementById('page');
  if (!place) throw new Error('no #page in the document');
  place.replaceChildren();
  render(<Root />, place);
}
