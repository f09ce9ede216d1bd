import { isRecord } from '../../process/json.ts';
import type { Json } from '../../process/json.ts';
import { UNREADABLE } from '../record/registration-record.ts';
import type { Stated } from '../record/registration-record.ts';
import { printable } from '../whois/parsers/plain-text.ts';

/** Items as stated; one that cannot be read may state anything. */
export type List<Item> = readonly (Item | typeof UNREADABLE)[];

export const isRead = <Value>(value: Stated<Value>): value is Value => value !== null && value !== UNREADABLE;

/** The first value; without one, unreadable if any is. */
export function firstRead<Value>(stated: Iterable<Stated<Value>>): Stated<Value> {
  const values = [...stated];
  return values.find(isRead) ?? (values.includes(UNREADABLE) ? UNREADABLE : null);
}

/** Whether a value states nothing: some servers write blank texts, lists and objects for absent members. */
function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return value == null || (typeof value === 'object' && Object.keys(value).length === 0);
}

/**
 * The member of an object; null if it states nothing. RFC 9083 knows no other case of a name: what such a member states
 * is not known.
 */
export function member(object: Json, name: string): unknown {
  const { [name]: value } = object;
  if (!isEmpty(value)) return value;
  const isOtherCase = (key: string) => key.toLowerCase() === name.toLowerCase() && !isEmpty(object[key]);
  return Object.keys(object).some(isOtherCase) ? UNREADABLE : null;
}

/** The items of a list, or the single item that some servers send in its place. */
export function readList<Item>(value: unknown, read: (item: unknown) => Stated<Item>): List<Item> {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.flatMap((item) => {
    const stated = isEmpty(item) ? null : item === UNREADABLE ? item : read(item);
    return stated === null ? [] : [stated];
  });
}

/** An object with at least one of the members. Another, such as a list written as an object, is unreadable. */
export function readObject(value: unknown, ...names: readonly string[]): Json | typeof UNREADABLE {
  const isKnown = (key: string) => names.some((name) => name.toLowerCase() === key.toLowerCase());
  return isRecord(value) && Object.keys(value).some(isKnown) ? value : UNREADABLE;
}

/** A text of printable characters, without blanks around it. */
export function readText(value: unknown): Stated<string> {
  if (value == null) return null;
  if (typeof value !== 'string') return UNREADABLE;
  const text = printable(value).trim();
  return text === '' ? null : text;
}

/** A whole number, also written as a text of digits. */
export function readNumber(value: unknown): Stated<number> {
  if (isEmpty(value)) return null;
  const number = typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : UNREADABLE;
}

/** `true` or `false`, also written as a text. */
export function readBoolean(value: unknown): Stated<boolean> {
  if (isEmpty(value)) return null;
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  return word === true || word === 'true' ? true : word === false || word === 'false' ? false : UNREADABLE;
}

interface Link {
  rel: Stated<string>;
  type: Stated<string>;
  href: Stated<string>;
}

/** The links of an object (RFC 9083, section 4.2). */
export const readLinks = (object: Json): List<Link> =>
  readList(member(object, 'links'), (item) => {
    const link = readObject(item, 'rel', 'type', 'href', 'value');
    if (link === UNREADABLE) return link;
    const text = (name: string) => readText(member(link, name));
    return { rel: text('rel'), type: text('type'), href: text('href') };
  });
