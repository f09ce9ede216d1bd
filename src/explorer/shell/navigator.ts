/**
 * `follow`: a new place; the reader is taken to its beginning. `refine`: the same place changed by a control, which
 * keeps the focus; `type`: changed as the reader types. Quick refinements in a row make one entry in the browser's
 * history, and so does what is typed in one go.
 */
export type HowToGo = 'follow' | 'refine' | 'type';

/** How the page moves among its own addresses, all of the form `/?...`. */
export interface PageNavigator {
  /** The present `location.search`. */
  search: () => string;
  go: (href: string, how: HowToGo) => void;
  /** Called after every change, with whether the reader has come to a new place. */
  onChange(listener: (arrived: boolean) => void): () => void;
  /** Call when a place is fully drawn: going back then returns to where one had scrolled to. */
  settle: () => void;
}

/** Where a reader was when he left: how far down, and where on the screen the link was that he took. */
interface Scrolled {
  top: number;
  link?: { href: string; top: number } | undefined;
}

/** Rows are as high as was guessed until they are seen, so the link itself is brought back to its place. */
function scrollBack(window: Window, { top, link }: Scrolled): void {
  window.scrollTo(0, top);
  if (!link) return;
  const place = () => {
    const found = [...window.document.querySelectorAll('main a')].find(
      (each) => each.getAttribute('href') === link.href,
    );
    if (found) window.scrollBy(0, found.getBoundingClientRect().top - link.top);
  };
  place();
  window.requestAnimationFrame(() => {
    place();
    window.requestAnimationFrame(place);
  });
}

const ONE_GESTURE_MS = 1_000;

const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

/** A link with `data-how="refine"` changes the same place. */
function ownLinkOf(
  event: MouseEvent,
  origin: string,
): { href: string; how: 'follow' | 'refine'; element: HTMLAnchorElement } | null {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || link.target !== '' || link.origin !== origin || link.pathname !== '/') return null;
  const how = link.dataset['how'] === 'refine' ? 'refine' : 'follow';
  return link.hash === '' ? { href: `/${link.search}`, how, element: link } : null;
}

/** Clicks on links of the page's own stay within it. */
function followLinks(
  document: Document,
  origin: string,
  go: (href: string, how: HowToGo, link: HTMLAnchorElement) => void,
): void {
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || !isPlainClick(event)) return;
    const link = ownLinkOf(event, origin);
    if (link === null) return;
    event.preventDefault();
    go(link.href, link.how, link.element);
  });
}

export function createPageNavigator(window: Window): PageNavigator {
  const { history, location, document } = window;
  const listeners = new Set<(arrived: boolean) => void>();
  let last: { how: HowToGo; at: number } = { how: 'follow', at: 0 };
  let scrollTo: Scrolled | null = null;
  let left: Scrolled['link'];
  history.scrollRestoration = 'manual';

  const tell = (arrived: boolean) => listeners.forEach((listener) => listener(arrived));
  const go: PageNavigator['go'] = (href, how) => {
    const before = last;
    last = { how, at: window.performance.now() };
    if (href === location.pathname + location.search) {
      tell(how === 'follow');
      return;
    }
    const isQuick = last.at - before.at < ONE_GESTURE_MS;
    if (before.how === how && (how === 'type' || (how === 'refine' && isQuick))) {
      history.replaceState(null, '', href);
    } else {
      history.replaceState({ top: window.scrollY, link: left } satisfies Scrolled, '');
      history.pushState(null, '', href);
    }
    scrollTo = null;
    if (how === 'follow') window.scrollTo(0, 0);
    tell(how === 'follow');
  };

  window.addEventListener('popstate', (event: PopStateEvent) => {
    scrollTo = (event.state as Scrolled | null) ?? { top: 0 };
    last = { how: 'follow', at: 0 };
    tell(false);
  });
  followLinks(document, location.origin, (href, how, link) => {
    left = { href: link.getAttribute('href') ?? '', top: link.getBoundingClientRect().top };
    go(href, how);
    left = undefined;
  });

  return {
    search: () => location.search,
    go,
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    settle: () => {
      if (scrollTo !== null) scrollBack(window, scrollTo);
      scrollTo = null;
    },
  };
}
