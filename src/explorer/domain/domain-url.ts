import type { LookUp, ResponseFacts } from '../../client/index.ts';
import type { ApiQuestion } from '../shell/answers.ts';

/** The views: nothing asked for yet, one name, several side by side. */
export const VIEW_NAMES = ['home', 'one', 'many'] as const;

export interface DomainView {
  name: (typeof VIEW_NAMES)[number];
  names: readonly string[];
  /** Of one name: ask the registrar too. */
  registrar: boolean;
  /** Of several: in the order in which they end. */
  soonest: boolean;
}

/** As many as the service takes in one request. */
export const MOST_NAMES = 100;

/** A name as people paste it (`https://www.example.jp/path`, full-width dots) as a name alone. */
export function tidyDomain(text: string): string {
  return text
    .trim()
    .normalize('NFKC')
    .replaceAll('\u3002', '.')
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/[/?#].*$/s, '')
    .replace(/:\d+$/, '')
    .replace(/^\.+|\.+$/g, '');
}

/** The names in a text that people paste: one a line, or with commas or blanks between them; each once. */
export function namesIn(text: string): string[] {
  const names = text.split(/[\s,;、，]+/).map(tidyDomain);
  return [...new Set(names)].filter((name) => name !== '').slice(0, MOST_NAMES);
}

// The service's own one-segment paths are domain names, so the page keeps its state behind `/?`.

/** Reads `location.search`. */
export function readView(search: string): DomainView {
  const query = new URLSearchParams(search);
  const many = namesIn(query.get('names') ?? '');
  const one = tidyDomain(query.get('domain') ?? '');
  return {
    name: many.length > 0 ? 'many' : one === '' ? 'home' : 'one',
    names: many.length > 0 || one === '' ? many : [one],
    registrar: query.get('follow') === 'registrar',
    soonest: query.get('order') === 'soonest',
  };
}

/** The address of a view; what is left out is as in the plain look-up of so many names. */
export function hrefOf(view: Pick<DomainView, 'names'> & Partial<DomainView>): string {
  const { names, name, registrar, soonest } = view;
  const isMany = name === undefined ? names.length > 1 : name === 'many';
  const query = new URLSearchParams();
  if (names.length > 0) query.set(isMany ? 'names' : 'domain', names.join(','));
  if (registrar && !isMany) query.set('follow', 'registrar');
  if (soonest && isMany) query.set('order', 'soonest');
  const text = query.toString();
  return text === '' ? '/' : `/?${text}`;
}

/** A look-up; the client finds the path for it. */
export function domainQuestion(
  domain: string,
  registrar = false,
): ApiQuestion<{ data: LookUp; response: ResponseFacts }> {
  const follow = registrar ? 'registrar' : undefined;
  return {
    key: JSON.stringify([domain, registrar]),
    load: (service, signal) => service.lookUp(domain, { signal, follow }),
  };
}
