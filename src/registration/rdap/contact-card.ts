import { isRecord } from '../../process/json.ts';
import { mapRows } from '../record/fields.ts';
import type { DetailName } from '../record/fields.ts';
import { UNREADABLE } from '../record/registration-record.ts';
import type { Stated } from '../record/registration-record.ts';
import { withoutWebsite } from '../whois/parsers/placeholder.ts';
import { readDetail } from '../whois/parsers/record-details.ts';
import type { Entity } from './entities.ts';
import { firstRead, isRead, member, readLinks, readList, readObject, readText } from './members.ts';

const NO_CARD = { name: null, organization: null, country: null, email: null, phone: null, url: null };
type Card = Record<keyof typeof NO_CARD, Stated<string>>;
/** The used part of an entity and its card: jCard (RFC 7095) or JSContact (RFC 9553). */
export interface ContactCard extends Card {
  /** Number in IANA's list of registrars. */
  ianaId: Stated<string>;
}

/** `abuse` is a contact of the registrar. */
export type Role = 'registrar' | 'abuse' | 'registrant' | 'reseller';

/** Where an RDAP object states a detail: the role of the entity, and the member of its card. */
export const DETAIL_PATHS: Readonly<Record<DetailName, readonly [Role, keyof ContactCard]>> = {
  ianaId: ['registrar', 'ianaId'],
  url: ['registrar', 'url'],
  abuseEmail: ['abuse', 'email'],
  abusePhone: ['abuse', 'phone'],
  organization: ['registrant', 'organization'],
  country: ['registrant', 'country'],
  reseller: ['reseller', 'name'],
};

const allOf = (value: null | typeof UNREADABLE): Card => mapRows(NO_CARD, () => value);

/** The card of an entity; JSContact if it has both. A name or address that is not plausible gives way to the next. */
export function cardOf(entity: Stated<Entity>): ContactCard {
  if (!isRead(entity)) return { ...allOf(entity), ianaId: entity };
  const { json } = entity;
  const newer = ['jscard', 'jsContactCard', 'jscontact_card'].map((name) => member(json, name));
  const cards = [readJsContact(firstRead(newer)), readJcard(member(json, 'vcardArray'))];
  const stated = mapRows(NO_CARD, (name) => firstRead(cards.map((card) => card[name])));
  const handle = readText(member(json, 'handle'));
  // Others are numbers or identifiers of the registry's database: `1498673-CoCCA`.
  const named = isRead(handle) && /^\D/.test(handle) ? handle : null;
  const name = readDetailOf('reseller', stated.name, stated.organization) ?? readDetailOf('reseller', named);
  const about = readLinks(json).map((link) =>
    link === UNREADABLE ? link : link.rel === 'about' ? link.href : null,
  );
  return {
    ...stated,
    name: isRead(name) ? withoutWebsite(name) : name,
    url: readDetailOf('url', stated.url, readText(member(json, 'url')), ...about),
    ianaId: firstRead(readList(member(json, 'publicIds'), readIanaId)),
  };
}

/** The first value that a WHOIS text could state as well. */
export const readDetailOf = (name: DetailName, ...stated: readonly Stated<string>[]): Stated<string> =>
  firstRead(stated.map((value) => (isRead(value) ? readDetail(name, value) : value)));

function readIanaId(value: unknown): Stated<string> {
  const publicId = readObject(value, 'type', 'identifier');
  const type = publicId === UNREADABLE ? publicId : readText(member(publicId, 'type'));
  if (publicId === UNREADABLE || type === UNREADABLE) return UNREADABLE;
  const identifier = member(publicId, 'identifier');
  if (!/iana/i.test(type ?? '')) return null;
  return readText(typeof identifier === 'number' ? String(identifier) : identifier);
}

type ReadProperty = (value: unknown, parameters: unknown) => Stated<string>;

/** RFC 7095: ["vcard", [[name, parameters, type, value], ...]]. */
function readJcard(vcard: unknown): Card {
  const rows = rowsOf(vcard);
  if (!isRead(rows)) return allOf(rows);
  const valueOf = (property: string, read: ReadProperty = firstText): Stated<string> =>
    firstRead(
      rows.map((row) => {
        if (!Array.isArray(row)) return UNREADABLE;
        const [name, parameters, , value] = row as readonly unknown[];
        if (String(name).toLowerCase() !== property || isFax(parameters)) return null;
        return row.length < 4 ? UNREADABLE : read(value, parameters);
      }),
    );
  return {
    name: valueOf('fn'),
    organization: valueOf('org'),
    country: valueOf('adr', readCountry),
    email: valueOf('email'),
    phone: telephone(valueOf('tel')),
    url: valueOf('url'),
  };
}

/** The Danish registry writes the properties as an object (2018). */
function rowsOf(vcard: unknown): Stated<readonly unknown[]> {
  const rows: unknown = Array.isArray(vcard) ? (vcard[1] ?? null) : vcard;
  if (isRecord(rows)) return Object.entries(rows).map(([name, value]) => [name, {}, 'unknown', value]);
  return Array.isArray(rows) ? rows : rows === null ? null : UNREADABLE;
}

const firstText = (value: unknown): Stated<string> => readText(Array.isArray(value) ? value[0] : value);

/** RFC 8605 has a parameter for the country's code; the seventh part of the address is its name. */
function readCountry(address: unknown, parameters: unknown): Stated<string> {
  const parts: readonly unknown[] = Array.isArray(address) ? address : [address];
  const [first] = parts;
  const name = isRecord(first) ? first['country-name'] : parts[6];
  const isText = parts.length === 1 && typeof first === 'string' && first.trim() !== '';
  return firstRead([
    isRecord(parameters) ? firstText(parameters['cc']) : null,
    isText ? UNREADABLE : firstText(name),
  ]);
}

/** RFC 9553: members by name, lists as objects by any key. */
function readJsContact(card: unknown): Card {
  if (!isRecord(card)) return allOf(card === null ? null : UNREADABLE);
  const textIn = (object: unknown, name: string): Stated<string> =>
    isRecord(object) ? readText(member(object, name)) : object === null ? null : UNREADABLE;
  const first = (list: string, name: string): Stated<string> => {
    const entries = member(card, list);
    return textIn(isRecord(entries) ? Object.values(entries)[0] : entries, name);
  };
  return {
    name: textIn(member(card, 'name'), 'full'),
    organization: first('organizations', 'name'),
    country: firstRead([first('addresses', 'countryCode'), first('addresses', 'country')]),
    email: first('emails', 'address'),
    phone: telephone(first('phones', 'number')),
    url: first('links', 'uri'),
  };
}

/** The type of a number is a word or a list. A fax comes beside the telephone, in any order. */
function isFax(parameters: unknown): boolean {
  const type = isRecord(parameters) ? parameters['type'] : undefined;
  return (Array.isArray(type) ? type : [type]).includes('fax');
}

/** `tel:+1.5555550100;ext=2` is a number. */
const telephone = (stated: Stated<string>): Stated<string> =>
  isRead(stated) ? readText(stated.replace(/^tel:/i, '').replace(/;.*$/, '')) : stated;
