import { render } from 'preact';
import type { FunctionComponent } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { BodyForm } from './answer.ts';
import { AskerContext, createAsker } from './asker.ts';
import type { Choices } from './frame.tsx';
import { chooseLanguage } from './language.ts';
import { LanguageContext } from './language-context.ts';
import { NavigatorContext, createPageNavigator } from './navigator.ts';
import { createPreferences } from './preferences.ts';
import { applyTheme, readTheme } from './theme.ts';

export type PageComponent = FunctionComponent<{ choices: Choices }>;

export interface PageOptions {
  page: PageComponent;
  form: BodyForm;
  /** The first call of a view by its address (`location.search`), null when it makes none by itself. */
  firstCall: (search: string) => string | null;
}

/** Puts a page into the document, with its surroundings: language, theme, addresses, the service. */
export function mountPage({ page: Page, form, firstCall }: PageOptions): void {
  const preferences = createPreferences(() => localStorage);
  const navigator = createPageNavigator(window);
  const asker = createAsker(fetch.bind(window), form, () => performance.now());

  // On its way while the page is being drawn: a slow phone takes as long for either.
  const first = firstCall(location.search);
  if (first !== null) asker.askAhead(first);

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
      <LanguageContext.Provider value={language}>
        <NavigatorContext.Provider value={navigator}>
          <AskerContext.Provider value={asker}>
            <Page choices={choices} />
          </AskerContext.Provider>
        </NavigatorContext.Provider>
      </LanguageContext.Provider>
    );
  }

  const place = document.getElementById('page');
  if (!place) throw new Error('no #page in the document');
  place.replaceChildren();
  render(<Root />, place);
}
