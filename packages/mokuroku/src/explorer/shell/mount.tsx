import { render } from 'preact';
import type { FunctionComponent } from 'preact';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { createAnswers } from './answers.ts';
import type { Answered, ApiQuestion } from './answers.ts';
import { createCallLog } from './calls.ts';
import { createFormat } from './format.ts';
import { closeByEscape } from './keyboard.ts';
import { createPageNavigator } from './navigator.ts';
import { createShown } from './listeners.ts';
import { PageContext } from './page-context.ts';
import type { OwnForm } from './page-context.ts';
import type { Language } from './preferences.ts';
import { pageFact } from './page-facts.ts';
import { createShelf } from './shelf.ts';
import type { Shelf } from './shelf.ts';
import type { Start } from './start.ts';

const HEADING_FONT = "600 1em 'Mokuroku Serif'";

/**
 * Renders a page that queries its service, with its language, theme and addresses. `firstQuestion`: of a view by its
 * URL (`location.search`); null if it has none.
 */
export async function mountPage(
  Page: FunctionComponent,
  firstQuestion: (search: string) => ApiQuestion<Answered> | null,
  start: Start,
): Promise<void> {
  const { language, loadWords, preferences } = start;
  const navigator = createPageNavigator(window);
  const now = () => performance.now();
  const log = createCallLog(now, location.origin);
  const answers = createAnswers({ log, now });

  // Sent while the page is rendered: on a slow phone both take equally long.
  const ahead = firstQuestion(location.search);
  if (ahead !== null) answers.preload(ahead);
  const first = { language, words: await start.words };
  const shelf = createShelf(preferences, window);
  keepOffline(shelf);
  const ownForms = createShown<OwnForm>();
  const shared = { navigator, answers, log, ownForms, preferences, shelf };

  let lastChosen = language;

  function Root() {
    const [spoken, setSpoken] = useState(first);
    const format = useMemo(() => createFormat(spoken.language), [spoken.language]);
    useLayoutEffect(() => {
      document.documentElement.lang = spoken.language;
      // Loads the font before a heading needs it.
      if (spoken.language === 'en') void document.fonts.load(HEADING_FONT);
    }, [spoken]);
    const chooseLanguage = (chosen: Language) => {
      preferences.write('language', chosen);
      lastChosen = chosen;
      loadWords(chosen).then(
        (loaded) => lastChosen === chosen && setSpoken({ language: chosen, words: loaded }),
        // The choice is stored and applies after reloading; without a network the browser shows the error.
        () => lastChosen === chosen && location.reload(),
      );
    };
    const parts = { ...shared, ...spoken, format, chooseLanguage };
    return (
      <PageContext.Provider value={parts}>
        <Page />
      </PageContext.Provider>
    );
  }

  const container = document.getElementById('page');
  if (!container) throw new Error('no #page in the document');
  container.replaceChildren();
  render(<Root />, container);
  keepFocus(container);
  container.addEventListener('keydown', closeByEscape);
}

/** Where an action removes the element that has the focus, the heading gets it instead of the document. */
function keepFocus(container: HTMLElement): void {
  let focused: Element | null = null;
  container.addEventListener('focusin', ({ target }) => {
    focused = target as Element;
  });
  // A reader who leaves an element that stays has no focus to keep.
  container.addEventListener('focusout', ({ target }) => {
    queueMicrotask(() => {
      if (focused === target && focused?.isConnected) focused = null;
    });
  });
  new MutationObserver(() => {
    if (focused === null || focused.isConnected) return;
    focused = null;
    if (document.activeElement === document.body)
      container.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  }).observe(container, { childList: true, subtree: true });
}

/**
 * Installs the service worker for a reader who follows something, so that the page opens offline; other readers load
 * nothing for it. With an empty shelf, the service worker and its files are removed.
 */
function keepOffline(shelf: Pick<Shelf, 'followed' | 'onChange'>): void {
  const path = pageFact('worker');
  const workers = (navigator as Partial<Navigator>).serviceWorker;
  // Available over https and on localhost only. A browser may forbid it; the page then needs a network as before.
  if (path === undefined || !workers) return;
  const updateWorker = () => {
    const isWanted = shelf.followed.length > 0;
    // The same worker again changes nothing.
    (isWanted ? workers.register(path, { scope: '/' }) : remove(workers)).catch(() => undefined);
  };
  const begin = () => {
    updateWorker();
    shelf.onChange(updateWorker);
  };
  // Starts after the page has loaded.
  if (document.readyState === 'complete') begin();
  else addEventListener('load', begin, { once: true });
}

async function remove(workers: ServiceWorkerContainer): Promise<void> {
  const registration = await workers.getRegistration('/');
  if (!registration) return;
  await registration.unregister();
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith('mokuroku-page-')).map((name) => caches.delete(name)),
  );
}
