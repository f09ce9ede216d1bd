import { ServerFault } from '../net/server-fault.ts';
import { isPublicHostName } from '../whois/referral.ts';
import type { HttpGet } from './http-get.ts';

export interface RdapAnswer {
  /** The host whose text is in `text`. */
  host: string;
  status: number;
  text: string;
  /** The server says that there is no text, where there is none: a reset right behind the head looks the same. */
  isDelimited: boolean;
  retryAfterSeconds: number | undefined;
  /** Whether the host is the one that was asked first: only its "not found" means anything. */
  isAuthoritative: boolean;
}

/**
 * Asks one RDAP URL, following redirects. Rejects with a ServerFault, also for a 503 that says when to come back: its
 * `retryAfterSeconds` is what the gate pauses for.
 */
export type AskRdap = (url: string, signal: AbortSignal) => Promise<RdapAnswer>;

/** Ten times the largest answer seen. */
export const MAX_RDAP_BYTES = 262_144;
export const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export function createRdapClient(httpGet: HttpGet): AskRdap {
  return async function askRdap(asked, signal) {
    const first = new URL(asked);
    const visited = new Set<string>();
    let url = first;
    for (;;) {
      visited.add(url.href);
      const { location, body, ...answer } = await httpGet(url, MAX_RDAP_BYTES, signal);
      const { status, retryAfterSeconds } = answer;
      if (status === 503 && retryAfterSeconds !== undefined) {
        const detail = `503, retry in ${retryAfterSeconds} s`;
        throw new ServerFault('unreachable', { detail, retryAfterSeconds });
      }
      if (!REDIRECTS.has(status)) {
        const isAuthoritative = url.hostname === first.hostname;
        // TextDecoder leaves a byte order mark out, which JSON.parse would stumble over.
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

/**
 * A redirect may go to https on its usual port, or stay with scheme and port that the bootstrap named (.kg and .mg
 * are reached over http only). The address behind it is judged when it is connected to, as any other.
 */
function redirectTarget(location: string | undefined, from: URL, first: URL): URL {
  const url =
    location === undefined || !URL.canParse(location, from.href) ? undefined : new URL(location, from);
  if (url === undefined) throw new ServerFault('bad_answer', { detail: 'a redirect without a target' });
  url.hash = '';
  const isSecure = url.protocol === 'https:' && url.port === '';
  const isAsNamed = url.protocol === first.protocol && url.port === first.port;
  const isKnownHost = url.hostname === first.hostname || isPublicHostName(url.hostname);
  const hasUser = url.username !== '' || url.password !== '';
  if ((isSecure || isAsNamed) && isKnownHost && !hasUser) return url;
  throw new ServerFault('bad_answer', { detail: `a redirect to ${url.origin} is not followed` });
}
