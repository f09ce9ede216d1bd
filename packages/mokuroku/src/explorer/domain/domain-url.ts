import { MokurokuError, createRegistrationClient } from 'mokuroku-client/source';
import type { LookUp, ResponseFacts } from 'mokuroku-client/source';
import type { Answered, ApiQuestion } from '../shell/answers.ts';
import { pastedList } from '../shell/pasted-list.ts';

/** The views: empty, one name, several names. */
export const VIEW_NAMES = ['home', 'one', 'many'] as const;

export interface DomainView {
  name: (typeof VIEW_NAMES)[number];
  /** A link may have more than can be looked up. */
  names: readonly string[];
  /** The word whose names in common zones these are. */
  word?: string;
  /** For one name: query the registrar too. */
  registrar: boolean;
  /** For several names: sort by expiry. */
  soonest: boolean;
}

/** The service's limit per request. */
export const MAX_NAMES = 100;

/** The name in a pasted text (`https://www.Example.jp/path`, full-width dots), so that a name has one spelling. */
export function tidyDomain(text: string): string {
  return text
    .trim()
    .normalize('NFKC')
    .replaceAll('\u3002', '.')
    .replace(/^([a-z][a-z0-9+.-]*:)?\/\//i, '')
    .replace(/[/?#].*$/s, '')
    .replace(/^.*@/s, '')
    .replace(/:\d+$/, '')
    .replace(/^\.+|\.+$/g, '')
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Common zones, in which a word alone is looked up. */
const COMMON_ZONES = ['com', 'net', 'org', 'jp', 'co.jp', 'de', 'co.uk', 'app'];

export const pastedNames = (text: string): string[] => pastedList(text, tidyDomain);

// One-segment paths of the service are domain names, so the page's state is behind `/?`.

/** Reads `location.search`. */
export function readView(search: string): DomainView {
  const query = new URLSearchParams(search);
  const many = pastedNames(query.get('names') ?? '');
  const one = tidyDomain(query.get('domain') ?? '');
  const ofWord = one === '' || one.includes('.') ? [] : COMMON_ZONES.map((zone) => `${one}.${zone}`);
  const names = many.length > 0 ? many : ofWord;
  return {
    name: names.length > 0 ? 'many' : one === '' ? 'home' : 'one',
    names: names.length > 0 || one === '' ? names : [one],
    ...(many.length === 0 && ofWord.length > 0 && { word: one }),
    registrar: query.get('follow') === 'registrar',
    soonest: query.get('order') === 'soonest',
  };
}

/** The URL of a view; missing values have the defaults of a plain look-up. */
export function hrefOf(view: Pick<DomainView, 'names'> & Partial<DomainView>): string {
  const { names, name, word, registrar, soonest } = view;
  const isMany = name === undefined ? names.length > 1 : name === 'many';
  const query = new URLSearchParams();
  if (names.length > 0) query.set(isMany && !word ? 'names' : 'domain', word ?? names.join(','));
  if (registrar && !isMany) query.set('follow', 'registrar');
  if (soonest && isMany) query.set('order', 'soonest');
  const text = query.toString();
  return text === '' ? '/' : `/?${text}`;
}

/** One calendar of the expiries of all names. By this scheme programs subscribe to it, instead of importing it once. */
export const calendarOf = (host: string, names: readonly string[], lang: string): string =>
  `webcal://${host}/-/expiry.ics?${new URLSearchParams({ names: names.join(), lang }).toString()}`;

/** A registration, or that there is none: that is remembered too, since each look-up counts. */
export interface LookUpAnswer extends Answered {
  data?: LookUp | undefined;
  error?: MokurokuError | undefined;
}

/** Whether the outcome of a look-up says something of the name. */
export const isAnswer = (
  outcome: Omit<LookUpAnswer, 'response'> & { response: ResponseFacts | undefined },
): outcome is LookUpAnswer =>
  outcome.response !== undefined && (!outcome.error || outcome.error.code === 'not_registered');

/** A look-up; the client determines its path. */
export function domainQuestion(domain: string, registrar = false): ApiQuestion<LookUpAnswer> {
  const follow = registrar ? 'registrar' : undefined;
  return {
    key: JSON.stringify([domain, registrar]),
    load: async (service, signal) => {
      try {
        return await createRegistrationClient(service).lookUp(domain, { signal, follow });
      } catch (error) {
        const outcome = error instanceof MokurokuError && { error, response: error.response };
        if (outcome && isAnswer(outcome)) return outcome;
        throw error;
      }
    },
  };
}
