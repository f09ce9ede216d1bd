/** Values that some registries send where a zone has no name servers (whois.cctld.uz, 2005-2021). */
const NO_HOST = new Set(['not.defined', 'no.nameserver', 'not.available', 'n.a', 'none.none']);

const LONGEST_NO_HOST = 13;
const MOST_HOSTS = 64;

const LONGEST_HOST = 254;
/** Letters, digits, hyphens, underscores, and beyond ASCII all but blanks and the full-width colon. */
const LABEL = '[^\\0-,./:-@[-^`{-\\u00a0\\u3000\\uff1a]+';
/** At least two labels, the last one not a number; behind them the end, a blank, a comma, a semicolon or an opening bracket. */
const HOST = new RegExp(`^(?!-)(?:${LABEL}\\.)+(?![-\\d_])${LABEL}\\.?(?=[\\s,([;]|$)`);
const SEPARATORS = /^[\s,;]+/;

/** The host name that a value starts with, as it is written; null where none stands there. */
export function hostAt(value: string): string | null {
  const host = HOST.exec(value)?.[0];
  return host === undefined || host.length > LONGEST_HOST ? null : host;
}

const ONE_LABEL = /^[a-z0-9-]{2,63}$/i;

/** Whether a value is a single label: a top-level domain in the root's answers, a name without its zone. */
export function isOneLabel(value: string): boolean {
  return ONE_LABEL.test(value);
}

/** A host name in the form that is published: lower case, no trailing dot; null where it names none. */
export function hostName(raw: string): string | null {
  const host = (raw.endsWith('.') ? raw.slice(0, -1) : raw).toLowerCase();
  return host.length <= LONGEST_NO_HOST && NO_HOST.has(host) ? null : host;
}

const ADDRESS = /^[[(]*[\da-f.:%/[\]()]+$|^-$/i;
/** A line of a zone file: `sample.example. 86400 IN NS ns1.host.example.` */
const ZONE_LINE = /^\S{1,254}\s+(?:\d{1,10}\s+)?(?:IN\s+)?NS\s+(?=\S)/i;

/** Most lines are told apart by their first word. */
const MAY_BE_HOSTS = /^\S*\.|\sNS\s/i;

/** Whether a line holds host names and their addresses, nothing else. */
export function isHostLine(line: string): boolean {
  if (!MAY_BE_HOSTS.test(line)) return false;
  const [first = '', ...others] = line.replace(ZONE_LINE, '').split(/[\s,;]+/, 24);
  return (
    hostAt(first) !== null &&
    others.every((word) => word === '' || ADDRESS.test(word) || hostAt(word) !== null)
  );
}

/**
 * Adds the host names at the start of a value to `hosts`: `ns1.example.jp`, `NS1.EXAMPLE.JP (192.0.2.1)`,
 * `ns1.example.jp, ns2.example.jp`. Addresses, remarks and doubles are left out.
 */
export function addHosts(hosts: string[], value: string): void {
  let rest = value.replace(ZONE_LINE, '');
  for (let raw = hostAt(rest); raw !== null && hosts.length < MOST_HOSTS; raw = hostAt(rest)) {
    const host = hostName(raw);
    if (host !== null && !hosts.includes(host)) hosts.push(host);
    if (raw === rest) return;
    rest = rest.slice(raw.length).replace(SEPARATORS, '');
  }
}
