import { hostAt } from './host-names.ts';

/** What may be a host name, with the mark before it that would make it an address. */
const NAME_LIKE =
  /(?:^|[^\w./@-])([^\s\0-,/:-@[-^`{-\xa0\u3000\uff1a]+\.[^\s\0-,/:-@[-^`{-\xa0\u3000\uff1a]+)(?![/@])/g;
const SERVER = /^(?:www|whois|rdap)\./;

/** The name in a sentence such as `No match for "example.test".`, in lower case, servers aside; null where none is. */
export function nameInSentence(sentence: string): string | null {
  for (const [, name = ''] of sentence.toLowerCase().matchAll(NAME_LIKE)) {
    const host = name.replace(/\.+$/, '');
    if (hostAt(host) === host && !SERVER.test(host)) return host;
  }
  return null;
}
