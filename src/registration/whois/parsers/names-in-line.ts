import { hostAt } from './host-names.ts';

/** A possible host name, unless the character before it makes it a part of an address or a path. */
const NAME_LIKE =
  /(?:^|[^\w./@-])([^\s\0-,/:-@[-^`{-\xa0\u3000\uff1a]+\.[^\s\0-,/:-@[-^`{-\xa0\u3000\uff1a]+)/g;
const SERVER = /^(?:www|whois|rdap)\./;

/** The first host name except servers in a sentence such as `No match for "example.test".`, in lower case; or null. */
export function nameInSentence(sentence: string): string | null {
  const lower = sentence.toLowerCase();
  for (const { 0: whole, 1: name = '', index } of lower.matchAll(NAME_LIKE)) {
    // The whole name precedes it: within the pattern, a part of the name would match.
    if (/[/@]/.test(lower.charAt(index + whole.length))) continue;
    const host = name.replace(/\.+$/, '');
    if (hostAt(host) === host && !SERVER.test(host)) return host;
  }
  return null;
}
