import type { HostPort } from '../net/host-map.ts';

/** Peculiarities of one server. */
interface ServerHabits {
  /** The query line for a name in A-labels; default: the name. */
  queryText?: (name: string) => string;
  /** Minimum milliseconds between two queries, if the registry states a limit. */
  spacingMs?: number;
}

const withUtf8Option = (name: string) => `-C UTF-8 ${name}`;

/** Query forms as in Debian's whois 5.6.6 (2026-02-16) and the registries' own pages named beside them. */
const HABITS: ReadonlyMap<string, ServerHabits> = new Map<string, ServerHabits>([
  // Without the keyword, a name that is also a host matches many records ("To single out one record ...").
  ['whois.verisign-grs.com', { queryText: (name) => `domain ${name}` }],
  ['ccwhois.verisign-grs.com', { queryText: (name) => `domain ${name}` }],
  ['tvwhois.verisign-grs.com', { queryText: (name) => `domain ${name}` }],
  ['whois.crsnic.net', { queryText: (name) => `domain ${name}` }],
  // https://www.denic.de/en/service/whois-service: -T dn for the whole record, ace because the name is in A-labels.
  ['whois.denic.de', { queryText: (name) => `-T dn,ace ${name}` }],
  // https://punktum.dk/en/articles/whois: adds handles, and selects UTF-8 instead of ISO-8859-1.
  ['whois.punktum.dk', { queryText: (name) => `--show-handles --charset=utf-8 ${name}` }],
  ['whois.dk-hostmaster.dk', { queryText: (name) => `--show-handles --charset=utf-8 ${name}` }],
  // https://jprs.jp/about/dom-search/jprs-whois/: /e for English labels.
  ['whois.jprs.jp', { queryText: (name) => `${name}/e` }],
  ['whois.nic.name', { queryText: (name) => `domain=${name}` }],
  // https://www.norid.no/en/domeneoppslag/whois-tjenesten/
  ['whois.norid.no', { queryText: (name) => `-c utf-8 ${name}` }],
  ['whois.cat', { queryText: withUtf8Option }],
  ['whois.museum', { queryText: withUtf8Option }],
  ['whois.corenic.net', { queryText: withUtf8Option }],
  ['whois.online.rs.corenic.net', { queryText: withUtf8Option }],
  ['whois.site.rs.corenic.net', { queryText: withUtf8Option }],
  // "only 1 request per second allowed"
  ['whois.domain-registry.nl', { spacingMs: 1_000 }],
  // "Please maintain at least 10-second time before starting another enquiry."
  ['whois.hkirc.hk', { spacingMs: 10_000 }],
]);

const NO_HABITS: ServerHabits = {};

const habitsOf = (server: string): ServerHabits => HABITS.get(server) ?? NO_HABITS;

/**
 * Milliseconds that a registry demands between two queries to its server; undefined if it demands none.
 *
 * @example
 * spacingOf('whois.hkirc.hk'); // 10000
 */
export const spacingOf = (server: string): number | undefined => habitsOf(server).spacingMs;

/** The query line for a name (A-labels) at a server. */
export function queryFor(server: string, name: string): string {
  return habitsOf(server).queryText?.(name) ?? name;
}

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
  if (isPublicHostName(stated)) return { host: stated, port: WHOIS_PORT };
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
  return REFERRAL_PORTS.has(port) ? { host, port } : undefined;
}
