import { createListeners } from './listeners.ts';

/**
 * `follow`: a new place, scrolled to its beginning. `refine`: the same place changed by a control, which keeps the
 * focus. `type`: changed while the reader types. Quick refinements in a row make one history entry, and so does
 * continuous typing.
 */
export type HowToGo = 'follow' | 'refine' | 'type';

/** The position of a reader who left a place: the scroll position, and the followed link's place on the screen. */
interface Scrolled {
  top: number;
  link?: { href: string; top: number } | undefined;
}

/** Rows have an estimated height until they are visible, so the link itself is scrolled back to its place. */
function scrollBack(window: Window, { top, link }: Scrolled): void {
  window.scrollTo(0, top);
  if (!link) return;
  const restoreScroll = () => {
    // Of several links to one place (an author's novels, a name looked up before) it is the nearest one.
    const [distance] = [...window.document.querySelectorAll('main a')]
      .filter((each) => each.getAttribute('href') === link.href)
      .map((each) => each.getBoundingClientRect().top - link.top)
      .sort((a, b) => Math.abs(a) - Math.abs(b));
    if (distance !== undefined) window.scrollBy(0, distance);
  };
  restoreScroll();
  window.requestAnimationFrame(() => {
    restoreScroll();
    window.requestAnimationFrame(restoreScroll);
  });
}

const ONE_GESTURE_MS = 1_000;

const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

/** Whether a link leads to another place of this page. */
const isOwnLink = (link: HTMLAnchorElement, origin: string): boolean =>
  link.target === '' && link.origin === origin && link.pathname === '/' && link.hash === '';

/** Keeps clicks on the page's own links within the page. A link with `data-how="refine"` changes the same place. */
function followLinks(
  { document, location }: Window,
  go: (href: string, how: HowToGo, link: Scrolled['link']) => void,
): void {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (event.defaultPrevented || !isPlainClick(event) || !link || !isOwnLink(link, location.origin)) return;
    event.preventDefault();
    go(`/${link.search}`, link.dataset['how'] === 'refine' ? 'refine' : 'follow', {
      href: link.getAttribute('href') ?? '',
      top: link.getBoundingClientRect().top,
    });
  });
}

export type PageNavigator = ReturnType<typeof createPageNavigator>;

/** Moves the page among its own URLs, all of the form `/?...`. */
export function createPageNavigator(window: Window) {
  const { history, location } = window;
  const { notify, onChange } = createListeners();
  let arrivals = 0;
  let last: { how: HowToGo; at: number } = { how: 'follow', at: 0 };
  let scrollTo = history.state as Scrolled | null;
  // Until the saved position is restored, it stays.
  const savePosition = (link?: Scrolled['link']) => {
    if (scrollTo === null) history.replaceState({ top: window.scrollY, link } satisfies Scrolled, '');
  };
  // The browser's own buttons lead away without a click on the page.
  window.addEventListener('scrollend', () => savePosition());

  const go = (href: string, how: HowToGo, link?: Scrolled['link']) => {
    const before = last;
    last = { how, at: window.performance.now() };
    if (how === 'follow') arrivals += 1;
    if (href === location.pathname + location.search) {
      notify();
      return;
    }
    const isQuick = last.at - before.at < ONE_GESTURE_MS;
    if (before.how === how && (how === 'type' || (how === 'refine' && isQuick))) {
      history.replaceState(null, '', href);
    } else {
      savePosition(link);
      history.pushState(null, '', href);
    }
    scrollTo = null;
    if (how === 'follow') window.scrollTo(0, 0);
    notify();
  };

  window.addEventListener('popstate', (event: PopStateEvent) => {
    // Without a state a place of the reference is new.
    scrollTo = (event.state as Scrolled | null) ?? (location.hash === '' ? { top: 0 } : null);
    last = { how: 'follow', at: 0 };
    notify();
  });
  history.scrollRestoration = 'manual';
  // The reference is one document: its links are the browser's own.
  if (location.pathname === '/') followLinks(window, go);

  return {
    /** The current `location.search`. */
    searchString: () => location.search,
    go,
    /** How often a link or a search was followed. */
    arrivals: () => arrivals,
    onChange,
    /** Must be called when a place is fully rendered: going back then restores the scroll position. */
    restoreScroll: (): void => {
      if (scrollTo !== null) scrollBack(window, scrollTo);
      scrollTo = null;
    },
  };
}
