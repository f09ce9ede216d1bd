/** Values that some registries send where a zone has no name servers (whois.cctld.uz, 2005-2021). */
const NO_HOST = new Set(['not.defined', 'no.nameserver', 'not.available', 'n.a', 'none.none']);

const LONGEST_NO_HOST = 13;
const LONGEST_HOST = 253;
const MOST_HOSTS = 64;

/** Letters, digits, hyphen, underscore, dot: what a host name may hold within ASCII. */
const ASCII_HOST = new Uint8Array(128);
for (const char of '-._0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ') {
  ASCII_HOST[char.charCodeAt(0)] = 1;
}

/** Whether a host name may hold a character; beyond ASCII all but blanks and the full-width colon. */
export function isHostChar(code: number): boolean {
  if (code < 128) return ASCII_HOST[code] === 1;
  return code > 0xa0 && code !== 0x3000 && code !== 0xff1a;
}

/** Offset behind the run of host name characters that starts at `from`. */
function endOfHost(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && isHostChar(text.charCodeAt(at))) at++;
  return at;
}

/**
 * Whether a host name stands at `from` and ends there: two labels at least, a letter in the last one, and
 * behind it the line's end, a blank or an opening bracket.
 */
export function hostEndsAt(text: string, from: number, end: number): number {
  const stop = endOfHost(text, from, end);
  const next = stop < end ? text.charCodeAt(stop) : 32;
  const closed =
    next === 32 || next === 9 || next === 44 || next === 40 || next === 91 || next === 59 || next === 13;
  if (!closed || stop - from > LONGEST_HOST + 1) return -1;
  let last = stop - 1;
  if (text.charCodeAt(last) === 46) last--;
  let dot = last;
  while (dot > from && text.charCodeAt(dot) !== 46) dot--;
  if (dot <= from || dot === last || text.charCodeAt(dot - 1) === 46 || text.charCodeAt(from) === 45)
    return -1;
  const initial = text.charCodeAt(dot + 1);
  return initial > 57 && initial !== 95 ? stop : -1;
}

/** Whether a line holds host names and their addresses, nothing else. */
export function isHostLine(text: string, from: number, end: number): boolean {
  const stop = hostEndsAt(text, from, end);
  if (stop < 0) return false;
  let at = stop;
  while (at < end && !isAddressStart(text.charCodeAt(at))) {
    if (isHostChar(text.charCodeAt(at)) && text.charCodeAt(at) !== 45) {
      const next = hostEndsAt(text, at, end);
      return next >= 0 || isIpv6Start(text, at, end);
    }
    at++;
  }
  return true;
}

/** Up to four hexadecimal digits and a colon. */
function isIpv6Start(text: string, from: number, end: number): boolean {
  for (let at = from; at < end && at < from + 5; at++) {
    const code = text.charCodeAt(at);
    if (code === 58) return true;
    if (!((code >= 48 && code <= 57) || ((code | 32) >= 97 && (code | 32) <= 102))) return false;
  }
  return false;
}

/** A digit or an opening bracket. */
function isAddressStart(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 40 || code === 91;
}

/** A host name in the form that is published: lower case, no trailing dot; null where it names none. */
export function hostName(raw: string): string | null {
  const host = (raw.charCodeAt(raw.length - 1) === 46 ? raw.slice(0, -1) : raw).toLowerCase();
  return host.length <= LONGEST_NO_HOST && NO_HOST.has(host) ? null : host;
}

/**
 * Adds the host names at the start of a value to `hosts`: `ns1.example.jp`, `NS1.EXAMPLE.JP (192.0.2.1)`,
 * `ns1.example.jp, ns2.example.jp`. Addresses, remarks and doubles are left out.
 */
export function addHosts(hosts: string[], text: string, from: number, end: number): void {
  let at = from;
  while (at < end && hosts.length < MOST_HOSTS) {
    const stop = hostEndsAt(text, at, end);
    if (stop < 0) return;
    const host = hostName(text.slice(at, stop));
    if (host !== null && !hosts.includes(host)) hosts.push(host);
    at = stop;
    while (at < end) {
      const code = text.charCodeAt(at);
      if (code !== 32 && code !== 9 && code !== 44 && code !== 59) break;
      at++;
    }
  }
}
