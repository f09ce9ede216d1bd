import { render } from 'preact';
import type { FunctionComponent } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { createAnswers } from './answers.ts';
import type { Answered, Question, Service } from './answers.ts';
import type { Choices } from './frame.tsx';
import { chooseLanguage } from './language.ts';
import type { Language } from './language.ts';
import { createPageNavigator } from './navigator.ts';
import { PageContext } from './page-context.ts';
import { applyTheme, createPreferences, readTheme } from './preferences.ts';

export interface PageOptions {
  page: FunctionComponent<{ choices: Choices }>;
  service: Service;
  /** The first question of a view by its address (`location.search`), null when it has none by itself. */
  firstQuestion: (search: string) => Question<Answered> | null;
  sampleText: Readonly<Record<Language, string>>;
}

/** Puts a page into the document, with its surroundings: language, theme, addresses, the service. */
export function mountPage({ page: Page, service, firstQuestion, sampleText }: PageOptions): void {
  const preferences = createPreferences(() => localStorage);
  const navigator = createPageNavigator(window);
  const answers = createAnswers(service, () => performance.now());

  // On its way while the page is being drawn: a slow phone takes as long for either.
  const first = firstQuestion(location.search);
  if (first !== null) answers.askAhead(first);

  function Root() {
    const [language, setLanguage] = useState(() =>
      chooseLanguage(preferences.read('language'), window.navigator.languages),
    );
    const [theme, setTheme] = useState(() => readTheme(preferences.read('theme')));
    useLayoutEffect(() => {
      document.documentElement.lang = language;
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
      <PageContext.Provider value={{ language, navigator, answers, preferences, sampleText }}>
        <Page choices={choices} />
      </PageContext.Provider>
    );
  }

  const place = document.getElementById('page');
  if (!place) throw new Error('no #page in the document');
  place.replaceChildren();
  render(<Root />, place);
}
