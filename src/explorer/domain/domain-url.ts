/** What the domain page is asked for. An empty domain: nothing yet. */
export interface DomainQuestion {
  domain: string;
  /** Ask the registrar too. */
  registrar: boolean;
}

// The service's own one-segment paths are domain names, so the page keeps its state behind `/?`.

/** Reads `location.search`. */
export function readQuestion(search: string): DomainQuestion {
  const query = new URLSearchParams(search);
  return { domain: tidyDomain(query.get('domain') ?? ''), registrar: query.get('follow') === 'registrar' };
}

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

export function hrefOfQuestion({ domain, registrar }: DomainQuestion): string {
  const query = new URLSearchParams();
  if (domain !== '') query.set('domain', domain);
  if (registrar) query.set('follow', 'registrar');
  const text = query.toString();
  return text === '' ? '/' : `/?${text}`;
}

/** Paths of the service that are no domain names but could be typed as one. */
const OWN_PATHS = new Set(['docs', 'livez', 'readyz', 'openapi.json']);

/** The call behind the page, percent-encoded. */
export function lookUpCall({ domain, registrar }: DomainQuestion): string {
  // With the root's dot it is the same name, but no path of the service's own.
  const name = OWN_PATHS.has(domain.toLowerCase()) ? `${domain}.` : domain;
  return `/${encodeURIComponent(name)}${registrar ? '?follow=registrar' : ''}`;
}
