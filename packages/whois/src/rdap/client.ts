import { ServerFault } from '../net/server-fault.ts';
import { isPublicHostName } from '../whois/servers.ts';
import type { HttpGet } from './http-get.ts';

export interface RdapAnswer {
  /** The host that sent `text`. */
  host: string;
  status: number;
  text: string;
  /** Whether an empty text is stated as empty: a reset after the head looks the same. */
  isDelimited: boolean;
  retryAfterSeconds: number | undefined;
  /** False after a redirect to another host, or to a path without the name, whose "not found" is ignored. */
  isAuthoritative: boolean;
}

/** Requests an RDAP URL and follows redirects. Rejects with a ServerFault. */
export type FetchRdap = (url: string, signal: AbortSignal) => Promise<RdapAnswer>;

/** Ten times the largest answer seen. */
export const MAX_RDAP_BYTES = 262_144;
export const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export function createRdapClient(httpGet: HttpGet): FetchRdap {
  return async function fetchRdap(address, signal) {
    const first = new URL(address);
    const visited = new Set<string>();
    let url = first;
    for (;;) {
      visited.add(url.href);
      const { location, body, ...answer } = await httpGet(url, MAX_RDAP_BYTES, signal);
      if (!REDIRECTS.has(answer.status)) {
        const isAuthoritative = url.hostname === first.hostname && nameIn(url) === nameIn(first);
        // TextDecoder removes a byte order mark, which JSON.parse rejects.
        const text = new TextDecoder().decode(body);
        return { ...answer, host: url.hostname, text, isAuthoritative };
      }
      url = redirectTarget(location, url, first);
      if (visited.has(url.href) || visited.size > MAX_REDIRECTS) {
        throw new ServerFault('bad_answer', { detail: `redirects go in a circle at ${url.href}` });
      }
    }
  };
}

/** The last part of a path: the queried name. */
const nameIn = ({ pathname }: URL): string | undefined =>
  pathname
    .toLowerCase()
    .split('/')
    .findLast((part) => part !== '');

export const hasCredentials = ({ username, password }: URL): boolean => username !== '' || password !== '';

/**
 * Whether a redirect is allowed: to https on its default port, or with the scheme and port of the bootstrap (.kg and
 * .mg have only http). The guard checks the address at the connection, like any other.
 */
function redirectTarget(location: string | undefined, from: URL, first: URL): URL {
  const url =
    location === undefined || !URL.canParse(location, from.href) ? undefined : new URL(location, from);
  if (url === undefined) throw new ServerFault('bad_answer', { detail: 'a redirect without a target' });
  const isSecure = url.protocol === 'https:' && url.port === '';
  const isAsNamed = url.protocol === first.protocol && url.port === first.port;
  const isKnownHost = url.hostname === first.hostname || isPublicHostName(url.hostname);
  if ((isSecure || isAsNamed) && isKnownHost && !hasCredentials(url)) return url;
  throw new ServerFault('bad_answer', { detail: `a redirect to ${url.origin} is not followed` });
}
