import type { HostPort } from '../net/host-map.ts';
import { copyOf } from './parsers/names.ts';
import facts from './data/server-facts.json' with { type: 'json' };

/** Peculiarities of one server. */
interface ServerFacts {
  /** The query line for a name in A-labels; default: `{name}`. */
  query?: string;
  /** Minimum milliseconds between two queries, if the registry states a limit. */
  spacingMs?: number;
  /** Of its 8-bit answers, if it is not windows-1252, by Encoding Standard label. */
  charset?: string;
}

const SERVERS = new Map(Object.entries<ServerFacts>(facts.servers));

/**
 * Milliseconds that a registry demands between two queries to its server; undefined if it demands none.
 *
 * @example
 * spacingOf('whois.hkirc.hk'); // 10000
 */
export const spacingOf = (server: string): number | undefined => SERVERS.get(server)?.spacingMs;

/** The query line for a name (A-labels) at a server. */
export function queryFor(server: string, name: string): string {
  return SERVERS.get(server)?.query?.replace('{name}', name) ?? name;
}

/** The charset of a server's 8-bit answers, if it is known and not windows-1252. */
export const charsetOf = (server: string): string | undefined => SERVERS.get(server)?.charset;

/** All of these charsets. */
export const CHARSETS: ReadonlySet<string> = new Set(
  [...SERVERS.values()].flatMap(({ charset }) => charset ?? []),
);

export const WHOIS_PORT = 43;

/** Ports that a referral may name: WHOIS (RFC 3912) and RWhois (RFC 2167). */
const REFERRAL_PORTS: ReadonlySet<number> = new Set([WHOIS_PORT, 4321]);

/** The next server according to an answer. */
interface Referral {
  /** The server, if valid. */
  endpoint: HostPort | undefined;
  /** As stated, for the log. */
  stated: string;
}

/** Labels of referrals, best first. `whois` is a line of IANA's objects. */
const REFERRAL_LABELS = ['refer', 'referralserver', '%referral', 'whois'];
const REFERRAL_LINE =
  /^[ \t]*(?:(refer|referral[ _-]?server|whois)[ \t]*:|(%[ \t]*referral)[ \t:])[ \t]*([^\s].{0,500})$/gim;

/**
 * Finds `refer:`, `ReferralServer:`, `%referral` or `whois:` in an answer. An empty value is no referral, and never
 * continues on the next line. undefined without a referral.
 */
export function readReferral(text: string): Referral | undefined {
  let best: Referral | undefined;
  let bestRank = Infinity;
  REFERRAL_LINE.lastIndex = 0;
  for (let line = REFERRAL_LINE.exec(text); line !== null; line = REFERRAL_LINE.exec(text)) {
    const [, label, mark, value = ''] = line;
    const index = REFERRAL_LABELS.indexOf((label ?? mark ?? '').toLowerCase().replace(/[ \t_-]/g, ''));
    const stated = value.trim();
    const endpoint = readServerAddress(mark === undefined ? stated : stated.slice(stated.search(/\S*$/)));
    const rank = endpoint === undefined ? index + REFERRAL_LABELS.length : index;
    if (rank >= bestRank) continue;
    best = { endpoint, stated };
    bestRank = rank;
    if (rank === 0) break;
  }
  return best;
}

const HOST_NAME =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:(?!localhost$)[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;

/** A name of a public server: two labels or more of letters, digits and hyphens, and no IP address in any spelling. */
export function isPublicHostName(host: string): boolean {
  return host.length <= 253 && HOST_NAME.test(host);
}

const SERVER_FORM =
  /^(?:(?:whois|rwhois|https?):\/\/)?(?<host>[a-z0-9.-]{1,253})(?::(?<port>\d{1,5}))?(?<rest>[/?#]\S*)?$/i;

/**
 * Reads `host`, `host:port`, `host/`, `whois://host`, `rwhois://host:4321/auth-area=.`, `http://host`. undefined
 * for prose, web pages, IP addresses, localhost and ports that no WHOIS server has.
 */
export function readServerAddress(stated: string): HostPort | undefined {
  // The usual form.
  if (isPublicHostName(stated)) return { host: copyOf(stated), port: WHOIS_PORT };
  const parts = SERVER_FORM.exec(stated.trim())?.groups;
  if (parts === undefined) return undefined;
  const host = (parts['host'] ?? '').toLowerCase().replace(/\.$/, '');
  if (!isPublicHostName(host)) return undefined;
  const isWebAddress = /^https?:/i.test(stated.trim());
  const path = parts['rest'] ?? '';
  // A path makes it a page, unless the scheme is WHOIS's own (`rwhois://host:4321/auth-area=.`).
  if (path.length > 1 && !/^r?whois:/i.test(stated.trim())) return undefined;
  if (isWebAddress && host.startsWith('www.')) return undefined;
  const defaultPort = /^\s*rwhois:/i.test(stated) ? 4321 : WHOIS_PORT;
  const port = isWebAddress ? WHOIS_PORT : Number(parts['port'] ?? defaultPort);
  return REFERRAL_PORTS.has(port) ? { host: copyOf(host), port } : undefined;
}
