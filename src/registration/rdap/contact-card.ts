import { printable } from '../whois/parsers/printable.ts';
import { isRecord } from '../../process/json.ts';

/** The used part of a card: jCard (RFC 7095) or JSContact (RFC 9553). */
interface ContactCard {
  name: string | null;
  organization: string | null;
  country: string | null;
  email: string | null;
  phone: string | null;
  url: string | null;
}

interface WithCard {
  vcardArray: readonly unknown[];
  jscard?: unknown;
  jsContactCard?: unknown;
  jscontact_card?: unknown;
}

/** The card of an entity; JSContact if it has both. Members that are not stated are null. */
export function cardOf(entity: WithCard | undefined): ContactCard {
  const card = entity?.jscard ?? entity?.jsContactCard ?? entity?.jscontact_card;
  const newer = readJsContact(isRecord(card) ? card : {});
  const stated = Object.entries(newer).filter(([, value]) => value !== null);
  return { ...readJcard(entity?.vcardArray ?? []), ...Object.fromEntries(stated) };
}

/** RFC 7095: ["vcard", [[name, parameters, type, value], ...]]. */
function readJcard(vcard: readonly unknown[]): ContactCard {
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
function readJsContact(card: Record<string, unknown>): ContactCard {
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
