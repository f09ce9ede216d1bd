import { isRecord, parseJson } from '@mokuroku/kit';
import type { Json } from '@mokuroku/kit';
import { UNREADABLE } from '../record/registration-record.ts';
import type { List, Stated } from '../record/registration-record.ts';
import { printable } from '../whois/parsers/plain-text.ts';

type Reader<Value> = (value: unknown) => Stated<Value>;

export const isRead = <Value>(value: Stated<Value>): value is Value => value !== null && value !== UNREADABLE;

/** The first value; without one, unreadable if any is. */
export const firstRead = <Value>(stated: readonly Stated<Value>[]): Stated<Value> =>
  stated.find(isRead) ?? (stated.includes(UNREADABLE) ? UNREADABLE : null);

/** The first value that an item of a list states. */
export const firstIn = <Item, Value>(list: List<Item>, read: (item: Item) => Stated<Value>): Stated<Value> =>
  firstRead<Value>(list.map((item) => (item === UNREADABLE ? UNREADABLE : read(item))));

/** Whether a value states nothing: some servers write blank texts, lists and objects for absent members. */
function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return value == null || (typeof value === 'object' && Object.keys(value).length === 0);
}

/**
 * Parses JSON in which each further member of one name gets a number, so that `member` finds it: which one counts is not
 * known. Names of RDAP need no escapes.
 */
export function parseDistinct(text: string): unknown {
  const objects: Set<string>[] = [];
  // An unclosed string matches, too: otherwise the time would grow with the square of the length.
  const token = /"((?:[^"\\]|\\[^])*)(?:"(\s*:)?|\\?$)|[{}]/g;
  const numbered = text.replace(token, (part, name: string, colon?: string) => {
    if (part === '{') objects.push(new Set());
    if (part === '}') objects.pop();
    const names = objects.at(-1);
    if (colon === undefined || names === undefined) return part;
    const number = names.has(name) || name.includes('\\') ? `\\u0000${names.size}` : '';
    names.add(name + number);
    return `"${name}${number}":`;
  });
  return parseJson(numbered);
}

/**
 * The member of an object; null if it states nothing. RFC 9083 knows no other case of a name, and each name once: what
 * others state is not known.
 */
export function member(object: Json, name: string): unknown {
  const isNamed = (key: string) =>
    key.slice(0, name.length).toLowerCase() === name.toLowerCase() &&
    ['', '\0'].includes(key.charAt(name.length));
  const stated = Object.keys(object).filter((key) => isNamed(key) && !isEmpty(object[key]));
  if (stated.length === 0) return null;
  return stated.length === 1 && stated[0] === name ? object[name] : UNREADABLE;
}

/** A text of printable characters, without blanks around it; unreadable in another charset than UTF-8. */
export function readText(value: unknown): Stated<string> {
  if (value == null) return null;
  return typeof value === 'string' && !value.includes('\ufffd')
    ? printable(value).trim() || null
    : UNREADABLE;
}

export const textIn = (object: Json, name: string): Stated<string> => readText(member(object, name));

/** A whole number, also written as digits. */
export function numberIn(object: Json, name: string): Stated<number> {
  const value = member(object, name);
  const number = typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
  return number === null
    ? null
    : Number.isSafeInteger(number) && Number(number) >= 0
      ? Number(number)
      : UNREADABLE;
}

/** The items of a list, or the single item that some servers send in its place. */
export function readItems<Item>(value: unknown, read: Reader<Item>): List<Item> {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  const stated = items.map((item) => (isEmpty(item) ? null : item === UNREADABLE ? item : read(item)));
  return stated.filter((item) => item !== null);
}

export const listIn = <Item>(object: Json, name: string, read: Reader<Item>): List<Item> =>
  readItems(member(object, name), read);

/** Reads an object with at least one of these members. Another, such as a list written as an object, is unreadable. */
export function objectReader<Value>(names: string, read: (object: Json) => Stated<Value>): Reader<Value> {
  const known = names.toLowerCase().split(' ');
  return (value) =>
    isRecord(value) && Object.keys(value).some((key) => known.includes(key.toLowerCase()))
      ? read(value)
      : UNREADABLE;
}

type Link = Record<'rel' | 'type' | 'href', Stated<string>>;

const readLink = objectReader<Link>('rel type href value', (link) => ({
  rel: textIn(link, 'rel'),
  type: textIn(link, 'type'),
  href: textIn(link, 'href'),
}));

/** RFC 9083, section 4.2. */
export const linksIn = (object: Json): List<Link> => listIn(object, 'links', readLink);
