import { isSameName } from './same-name.ts';

/** Placeholder values for missing name servers (whois.cctld.uz, 2005-2021). */
const NO_HOST = new Set(['not.defined', 'no.nameserver', 'not.available', 'n.a', 'none.none']);

const MAX_NO_HOST_LENGTH = 13;
const MAX_HOSTS = 64;

const MAX_HOST_LENGTH = 254;
/** Letters, digits, hyphens, underscores, and non-ASCII characters except blanks and the full-width colon. */
const LABEL = '[^\\0-,./:-@[-^`{-\\u00a0\\u3000\\uff1a]+';
/** At least two labels, the last not a number, followed by the end, a blank, a comma, a semicolon or a bracket. */
const HOST = new RegExp(`^(?!-)(?:${LABEL}\\.)+(?![-\\d_])${LABEL}\\.?(?=[\\s,([;]|$)`);
const SEPARATORS = /^[\s,;]+/;

/** The host name at the start of a value, as written; null without one. */
export function hostAt(value: string): string | null {
  const host = HOST.exec(value)?.[0];
  return host === undefined || host.length > MAX_HOST_LENGTH ? null : host;
}

const ONE_LABEL = /^[a-z0-9-]{2,63}$/i;

/** Whether a value is a single label: a top-level domain in IANA's answers, or a name without its zone. */
export function isOneLabel(value: string): boolean {
  return ONE_LABEL.test(value);
}

/** The published form of a host name: lower case, no trailing dot; null for a placeholder value. */
export function hostName(raw: string): string | null {
  const host = (raw.endsWith('.') ? raw.slice(0, -1) : raw).toLowerCase();
  return host.length <= MAX_NO_HOST_LENGTH && NO_HOST.has(host) ? null : host;
}

const ADDRESS = /^[\da-f.:%/[\]()]+$|^-$/i;
/** A line of a zone file: `sample.example. 86400 IN NS ns1.host.example.` */
const ZONE_LINE = /^\S{1,254}\s+(?:\d{1,10}\s+)?(?:IN\s+)?NS\s+(?=\S)/i;

/** A cheap check that excludes most lines. */
const MAY_BE_HOSTS = /^\S*\.|\sNS\s/i;

/** Whether a line consists of host names and their addresses. */
export function isHostLine(line: string): boolean {
  if (!MAY_BE_HOSTS.test(line)) return false;
  const [first = '', ...others] = line.replace(ZONE_LINE, '').split(/[\s,;]+/, 24);
  return (
    hostAt(first) !== null &&
    others.every((word) => word === '' || ADDRESS.test(word) || hostAt(word) !== null)
  );
}

/**
 * Adds the host names at the start of a value to `hosts`, without addresses, remarks and duplicates:
 * `ns1.example.jp`, `NS1.EXAMPLE.JP (192.0.2.1)`, `ns1.example.jp, ns2.example.jp`.
 */
export function addHosts(hosts: string[], value: string): void {
  let rest = value.replace(ZONE_LINE, '');
  for (let raw = hostAt(rest); raw !== null && hosts.length < MAX_HOSTS; raw = hostAt(rest)) {
    const host = hostName(raw);
    if (host !== null && !hosts.some((other) => isSameName(other, host))) hosts.push(host);
    if (raw === rest) return;
    rest = rest.slice(raw.length).replace(SEPARATORS, '');
  }
}
