import { domainToASCII } from 'node:url';

/** Placeholder values for missing name servers (whois.cctld.uz, 2005-2021). */
const NO_HOST = new Set(['not.defined', 'no.nameserver', 'not.available', 'n.a', 'none.none']);

/** One more is read: a list that is cut shows it. */
export const MAX_HOSTS = 64;

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

/** A single label: a top-level domain in IANA's answers, or a name without its zone. */
export const ONE_LABEL = /^[a-z0-9-]{2,63}$/i;

/** `kamome.bg (kamome.bg)`: in Unicode and in A-labels (.bg). */
const IN_BRACKETS = / \(([^\s()]+)\)$/;

/** Whether a value is a name and nothing else: `sample.example not found` is a sentence. */
export function isNameAlone(value: string): boolean {
  const name = value.replace(IN_BRACKETS, (bracket, other: string) =>
    hostAt(other) === other ? '' : bracket,
  );
  return hostAt(name) === name || ONE_LABEL.test(name);
}

/** The published form of a host name: lower case, no trailing dot; null for a placeholder value. */
export function hostName(raw: string): string | null {
  const host = (raw.endsWith('.') ? raw.slice(0, -1) : raw).toLowerCase();
  return NO_HOST.has(host) ? null : host;
}

const ADDRESS = /^[\da-f.:%/[\]()]+$|^-$/i;
/** A line of a zone file: `sample.example. 86400 IN NS ns1.host.example.` */
const ZONE_LINE = /^\S{1,254}\s+(?:\d{1,10}\s+)?(?:IN\s+)?NS\s+(?=\S)/i;

/** Whether a line consists of host names and their addresses. */
export function isHostLine(line: string): boolean {
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
  for (let raw = hostAt(rest); raw !== null && hosts.length <= MAX_HOSTS; raw = hostAt(rest)) {
    const host = hostName(raw);
    if (host !== null && !hosts.some((other) => isSameName(other, host))) hosts.push(host);
    if (raw === rest) return;
    rest = rest.slice(raw.length).replace(SEPARATORS, '');
  }
}

/** Zones of one registry with the same names: .台湾 and .台灣, .中国 and .中國 (IANA root zone, 2026). */
const VARIANTS: Readonly<Record<string, string>> = {
  '.xn--kpry57d': '.xn--kprw13d',
  '.xn--fiqz9s': '.xn--fiqs8s',
};

/** Whether two spellings are one name: Unicode or A-labels, in either variant of the zone. */
export function isSameName(stated: string, queried: string): boolean {
  return stated === queried || comparable(stated) === comparable(queried);
}

/** Whether a stated name is the queried name, or its first label alone. */
export function isQueriedName(stated: string | null, queried: string): boolean {
  if (stated === null) return false;
  if (isSameName(stated, queried)) return true;
  return !stated.includes('.') && !queried.endsWith(`.${stated}`) && queried.startsWith(`${stated}.`);
}

/** Whether a name has other spellings, an IDN: others are their own A-labels. */
export const hasTwoSpellings = (name: string): boolean => /[^\0-\x7f]|xn--/.test(name);

const comparable = (name: string): string =>
  asciiOf(name).replace(/\.xn--[a-z\d]+$/, (zone) => VARIANTS[zone] ?? zone);

/** Twice that of a domain name: a character may have two units. The time of a conversion grows with the square. */
const MAX_CONVERTED_LENGTH = 506;

/** A part of an answer that is remembered: as it is, it would keep the whole text in memory. */
export const copyOf = (part: string): string => part.split('').join('');

const MAX_CONVERTED = 1_000;

function rememberConversions(): (name: string) => string {
  const converted = new Map<string, string>();
  return (name) => {
    if (name.length > MAX_CONVERTED_LENGTH || !hasTwoSpellings(name)) return name;
    const known = converted.get(name);
    if (known !== undefined) return known;
    const copy = copyOf(name);
    const ascii = domainToASCII(copy) || copy;
    if (converted.size >= MAX_CONVERTED) converted.clear();
    converted.set(copy, ascii);
    return ascii;
  };
}

/** A name in A-labels, or unchanged if it has none. Each name of an answer is compared with the others. */
export const asciiOf = rememberConversions();

const NAME_BEFORE = /[\p{L}\p{M}\p{N}_-]$/u;
const NAME_AFTER = /^\.?[\p{L}\p{M}\p{N}_-]/u;

/** Whether a folded text contains a name as whole labels: `sea.example` does not contain `a.example`. */
export function containsName(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const after = at + name.length;
    if (!NAME_BEFORE.test(text.charAt(at - 1)) && !NAME_AFTER.test(text.slice(after, after + 2))) return true;
  }
  return false;
}

/** A possible host name, unless the character before it makes it a part of an address or a path. */
const NAME_LIKE =
  /(?:^|[^\w./@-])([^\s\0-,/:-@[-^`{-\xa0\u3000\uff1a]+\.[^\s\0-,/:-@[-^`{-\xa0\u3000\uff1a]+)/g;
/** The name of a server, not one that is looked up. */
export const SERVER_NAME = /^(?:www|whois|rdap)\./i;

/** The first host name except servers in a sentence such as `No match for "example.test".`, in lower case; or null. */
export function nameInSentence(sentence: string): string | null {
  const lower = sentence.toLowerCase();
  for (const { 0: whole, 1: name = '', index } of lower.matchAll(NAME_LIKE)) {
    // The whole name precedes it: within the pattern, a part of the name would match.
    if (/[/@]/.test(lower.charAt(index + whole.length))) continue;
    const host = name.replace(/\.+$/, '');
    if (hostAt(host) === host && !SERVER_NAME.test(host)) return host;
  }
  return null;
}
