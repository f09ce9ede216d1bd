import { hostAt } from './host-names.ts';

/** What may be a host name, with the mark before it that would make it an address. */
const NAME_LIKE =
  /(?:^|[^\w./@-])([^\s\x00-,/:-@[-^`{-\xa0\u3000\uff1a]+\.[^\s\x00-,/:-@[-^`{-\xa0\u3000\uff1a]+)(?![/@])/g;
const SERVER = /^(?:www|whois)\./;

/** The name in a sentence such as `No match for "example.test".`; null where there is none. */
export function nameInStatement(words: string): string | null {
  const [line = ''] = words.split('\n', 1);
  for (const [, stated = ''] of line.matchAll(NAME_LIKE)) {
    const name = stated.replace(/\.+$/, '');
    if (!SERVER.test(name) && hostAt(name) === name) return name;
  }
  return null;
}

/** Seconds that a throttling answer asks to wait; null where it names none. */
export function waitInStatement(words: string): number | null {
  const match = /(\d{1,6})(\.\d{1,6})?[\s-]*(second|sec|minute|min|hour)/.exec(words);
  if (match === null) return null;
  const unit = match[3]?.startsWith('h') === true ? 3600 : match[3]?.startsWith('m') === true ? 60 : 1;
  return Math.ceil((Number(match[1]) + Number(match[2] ?? 0)) * unit);
}
