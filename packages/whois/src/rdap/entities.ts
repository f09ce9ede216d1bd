import { isRecord } from '@mokuroku/kit';
import type { Json } from '@mokuroku/kit';
import { mapRows } from '../record/fields.ts';
import type { DetailName } from '../record/fields.ts';
import { UNREADABLE, distinct } from '../record/registration-record.ts';
import type { List, Stated } from '../record/registration-record.ts';
import { readDetail, readSellerName } from '../whois/parsers/record-details.ts';
import {
  firstIn,
  firstRead,
  isRead,
  linksIn,
  listIn,
  member,
  objectReader,
  readItems,
  readText,
  textIn,
} from './members.ts';

/** An entity of a domain (RFC 9083, section 5.1), read as far as its roles. */
export interface Entity {
  json: Json;
  roles: List<string>;
}

/** In total, however they are nested. */
const MAX_ENTITIES = 100;

const readEntity = objectReader(
  'objectClassName roles handle vcardArray jscard jsContactCard jscontact_card publicIds entities',
  (json): Entity => ({ json, roles: listIn(json, 'roles', readText) }),
);

/** The entities of an object itself: a role of a nested one is its role for the entity around it. */
export const ownEntitiesIn = (object: Json) => distinct(listIn(object, 'entities', readEntity), MAX_ENTITIES);

/** The entities of an object, then the nested ones, level by level. */
export function entitiesIn(object: Json): List<Entity> {
  const queue = [...ownEntitiesIn(object)];
  for (const [index, entity] of queue.entries()) {
    if (index === MAX_ENTITIES) break;
    if (entity !== UNREADABLE) queue.push(...ownEntitiesIn(entity.json));
  }
  return distinct(queue, MAX_ENTITIES);
}

/** The first entity in a role; unreadable if one that cannot be read may have it. */
export const withRole = (entities: List<Entity>, role: string): Stated<Entity> =>
  firstIn(entities, (entity) => {
    if (entity.roles.some((word) => isRead(word) && word.toLowerCase() === role)) return entity;
    return entity.roles.includes(UNREADABLE) ? UNREADABLE : null;
  });

const NO_CARD = { name: null, organization: null, country: null, email: null, phone: null, url: null };
type Card = Record<keyof typeof NO_CARD, Stated<string>>;
/** The used part of an entity and its card: jCard (RFC 7095) or JSContact (RFC 9553). */
export interface ContactCard extends Card {
  /** Number in IANA's list of registrars. */
  ianaId: Stated<string>;
}

const allOf = (value: null | typeof UNREADABLE): Card => mapRows(NO_CARD, () => value);

/** The card of an entity; JSContact if it has both. A name or web address that is not plausible gives way to the next. */
export function cardOf(entity: Stated<Entity>): ContactCard {
  if (!isRead(entity)) return { ...allOf(entity), ianaId: entity };
  const { json } = entity;
  const newer = ['jscard', 'jsContactCard', 'jscontact_card'].map((name) => member(json, name));
  const cards = [readJsContact(firstRead(newer)), readJcard(member(json, 'vcardArray'))];
  const stated = mapRows(NO_CARD, (name) => firstRead(cards.map((card) => card[name])));
  const handle = textIn(json, 'handle');
  // Others are numbers or identifiers of the registry's database: `1498673-CoCCA`.
  const named = isRead(handle) && /^\D/.test(handle) ? handle : null;
  const about = firstIn(linksIn(json), ({ rel, href }) => (rel === 'about' ? href : null));
  return {
    ...stated,
    name: readName(stated.name, stated.organization) ?? readName(named),
    url: readDetails('url', stated.url, textIn(json, 'url'), about),
    ianaId: firstRead(listIn(json, 'publicIds', readIanaId)),
  };
}

/** The first value that a WHOIS text could state as well. */
const firstStated = (read: (value: string) => Stated<string>, stated: readonly Stated<string>[]) =>
  firstRead(stated.map((value) => (isRead(value) ? read(value) : value)));
export const readDetails = (name: DetailName, ...stated: readonly Stated<string>[]): Stated<string> =>
  firstStated((value) => readDetail(name, value), stated);
const readName = (...stated: readonly Stated<string>[]) => firstStated(readSellerName, stated);

const readIanaId = objectReader('type identifier', (publicId) => {
  const type = textIn(publicId, 'type');
  const identifier = member(publicId, 'identifier');
  if (type === UNREADABLE) return type;
  if (!/iana/i.test(type ?? '')) return null;
  return readText(typeof identifier === 'number' ? String(identifier) : identifier);
});

type ReadProperty = (value: unknown, parameters: unknown) => Stated<string>;

/** RFC 7095: ["vcard", [[name, parameters, type, value], ...]]. */
function readJcard(vcard: unknown): Card {
  const rows = rowsOf(vcard);
  const valueOf = (property: string, read: ReadProperty = firstText): Stated<string> =>
    firstIn(rows, ([name, parameters, ...rest]) => {
      if (typeof name !== 'string') return UNREADABLE;
      if (name.toLowerCase() !== property || isFax(parameters)) return null;
      return rest.length < 2 ? UNREADABLE : read(rest[1], parameters);
    });
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
function rowsOf(vcard: unknown): List<readonly unknown[]> {
  const rows: unknown = Array.isArray(vcard) ? vcard[1] : vcard;
  if (isRecord(rows)) return Object.entries(rows).map(([name, value]) => [name, {}, 'unknown', value]);
  return readItems(rows, (row) => (Array.isArray(row) ? row : UNREADABLE));
}

const firstText = (value: unknown): Stated<string> => readText(Array.isArray(value) ? value[0] : value);

/** RFC 8605 has a parameter for the country's code; the seventh part of the address is its name. */
function readCountry(value: unknown, parameters: unknown): Stated<string> {
  const outer: readonly unknown[] = Array.isArray(value) ? value : [value];
  const parts: readonly unknown[] = outer.length === 1 && Array.isArray(outer[0]) ? outer[0] : outer;
  const [first] = parts;
  const code = isRecord(parameters) ? firstText(parameters['cc']) : null;
  if (isRecord(first)) return firstRead([code, firstText(first['country-name'])]);
  if (parts.length > 1) return firstRead([code, firstText(parts[6])]);
  // An address in one text may end with the country.
  return firstRead([code, readDetails('country', readText(first)) && UNREADABLE]);
}

/** RFC 9553: members by name, lists as objects by any key. */
function readJsContact(card: unknown): Card {
  if (!isRecord(card)) return allOf(card === null ? null : UNREADABLE);
  const inside = (object: unknown, name: string): Stated<string> =>
    isRecord(object) ? textIn(object, name) : object === null ? null : UNREADABLE;
  const first = (list: string, name: string): Stated<string> => {
    const entries = member(card, list);
    return inside(isRecord(entries) ? Object.values(entries)[0] : entries, name);
  };
  return {
    name: inside(member(card, 'name'), 'full'),
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
