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

export function habitsOf(server: string): ServerHabits {
  return HABITS.get(server) ?? NO_HABITS;
}

/** The query line for a name (A-labels) at a server. */
export function queryFor(server: string, name: string): string {
  return habitsOf(server).queryText?.(name) ?? name;
}

export const WHOIS_PORT = 43;

/** Ports that a referral may name: WHOIS (RFC 3912) and RWhois (RFC 2167). */
export const REFERRAL_PORTS: ReadonlySet<number> = new Set([WHOIS_PORT, 4321]);
