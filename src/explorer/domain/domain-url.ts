import type { LookUp, ResponseFacts } from '../../client/index.ts';
import type { Question } from '../shell/answers.ts';

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

/** A look-up; the client finds the path for it. */
export function lookUpQuestion({
  domain,
  registrar,
}: DomainQuestion): Question<{ data: LookUp; response: ResponseFacts }> {
  const follow = registrar ? 'registrar' : undefined;
  return {
    key: JSON.stringify([domain, registrar]),
    load: (service, signal) => service.lookUp(domain, { signal, follow }),
  };
}
