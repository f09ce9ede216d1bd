import { hostAt } from './host-names.ts';

/** A possible host name, unless a preceding character makes it an address or a path. */
const NAME_LIKE =
  /(?:^|[^\w./@-])([^\s\0-,/:-@[-^`{-\xa0\u3000\uff1a]+\.[^\s\0-,/:-@[-^`{-\xa0\u3000\uff1a]+)(?![/@])/g;
const SERVER = /^(?:www|whois|rdap)\./;

/** The first host name except servers in a sentence such as `No match for "example.test".`, in lower case; or null. */
export function nameInSentence(sentence: string): string | null {
  for (const [, name = ''] of sentence.toLowerCase().matchAll(NAME_LIKE)) {
    const host = name.replace(/\.+$/, '');
    if (hostAt(host) === host && !SERVER.test(host)) return host;
  }
  return null;
}
