import { isRecord } from '../../process/json.ts';
import type { DetailName } from '../record/fields.ts';
import { withoutWebsite } from '../whois/parsers/placeholder.ts';
import { printable } from '../whois/parsers/plain-text.ts';
import { isValidDetail } from '../whois/parsers/record-details.ts';
import type { Entity } from './domain-object.ts';

/** The used part of an entity and its card: jCard (RFC 7095) or JSContact (RFC 9553). Members not stated are null. */
export interface ContactCard {
  name: string | null;
  organization: string | null;
  country: string | null;
  email: string | null;
  phone: string | null;
  url: string | null;
  /** Number in IANA's list of registrars. */
  ianaId: string | null;
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

/** The card of an entity; JSContact if it has both. A name or address that is not plausible gives way to the next. */
export function cardOf(entity: Entity | undefined): ContactCard {
  const card = entity?.jscard ?? entity?.jsContactCard ?? entity?.jscontact_card;
  const newer = readJsContact(isRecord(card) ? card : {});
  const older = readJcard(entity?.vcardArray ?? []);
  const stated = {
    ...older,
    ...Object.fromEntries(Object.entries(newer).filter(([, value]) => value !== null)),
  };
  const about = entity?.links.find(({ rel }) => rel === 'about')?.href;
  const name = validDetail('reseller', stated.name, stated.organization, entity?.handle);
  return {
    ...stated,
    name: name === null ? null : withoutWebsite(name),
    url: validDetail('url', stated.url, entity?.url, about),
    ianaId: entity?.publicIds.find(({ type }) => /iana/i.test(type ?? ''))?.identifier ?? null,
  };
}

/** The first value that a WHOIS text could state as well; null if there is none. */
export function validDetail(
  name: DetailName,
  ...stated: readonly (string | null | undefined)[]
): string | null {
  return stated.find((value) => value != null && isValidDetail(name, value)) ?? null;
}

type StatedCard = Omit<ContactCard, 'ianaId'>;

/** RFC 7095: ["vcard", [[name, parameters, type, value], ...]]. */
function readJcard(vcard: readonly unknown[]): StatedCard {
  const rows: readonly unknown[] = Array.isArray(vcard[1]) ? vcard[1] : [];
  const row = (property: string): readonly unknown[] | undefined =>
    rows.find(
      (entry): entry is unknown[] => Array.isArray(entry) && entry[0] === property && !isFax(entry[1]),
    );
  const value = (property: string): string | null => {
    const stated = row(property)?.[3];
    return printableText(Array.isArray(stated) ? stated[0] : stated);
  };
  const address = row('adr');
  const parts: readonly unknown[] = Array.isArray(address?.[3]) ? address[3] : [];
  const parameters = isRecord(address?.[1]) ? address[1] : {};
  return {
    name: value('fn'),
    organization: value('org'),
    // RFC 8605 has a parameter for the country's code; the seventh part of the address is its name.
    country: printableText(parameters['cc']) ?? printableText(parts[6]),
    email: value('email'),
    phone: telephone(value('tel')),
    url: value('url'),
  };
}

/** RFC 9553: members by name, lists as objects by any key. */
function readJsContact(card: Record<string, unknown>): StatedCard {
  const first = (member: string): Record<string, unknown> => {
    const entries = card[member];
    const entry = isRecord(entries) ? Object.values(entries).find(isRecord) : undefined;
    return entry ?? {};
  };
  const name = card['name'];
  return {
    name: isRecord(name) ? printableText(name['full']) : null,
    organization: printableText(first('organizations')['name']),
    country: printableText(first('addresses')['countryCode']) ?? printableText(first('addresses')['country']),
    email: printableText(first('emails')['address']),
    phone: telephone(printableText(first('phones')['number'])),
    url: printableText(first('links')['uri']),
  };
}

/** The type of a number is a word or a list. A fax comes beside the telephone, in any order. */
function isFax(parameters: unknown): boolean {
  const type = isRecord(parameters) ? parameters['type'] : undefined;
  return (Array.isArray(type) ? type : [type]).includes('fax');
}

function printableText(value: unknown): string | null {
  const text = typeof value === 'string' ? printable(value).trim() : '';
  return text === '' ? null : text;
}

/** `tel:+1.5555550100;ext=2` is a number. */
function telephone(stated: string | null): string | null {
  return stated === null ? null : stated.replace(/^tel:/i, '').replace(/;.*$/, '');
}
