import { isRecord } from '../../process/json.ts';
import { hostAt } from '../whois/parsers/host-names.ts';
import { isDate } from '../whois/parsers/public-lines.ts';
import { isValidDetail } from '../whois/parsers/record-details.ts';
import { isSameName } from '../whois/parsers/same-name.ts';
import type { DetailName } from '../whois/parsers/vocabulary.ts';
import { cardOf } from './contact-card.ts';
import { Domain, Entity } from './domain-object.ts';

/** Companies that sell the name. Of them name, number, web page and contacts for reports of abuse are published. */
const SELLERS: ReadonlySet<string> = new Set(['registrar', 'sponsor', 'reseller']);

/** The kinds of events whose dates are published (RFC 9083, section 10.2.3). */
const EVENTS: ReadonlySet<string> = new Set(['registration', 'expiration', 'last changed', 'deletion']);

type Property = [name: string, parameters: object, type: string, value: unknown];

function vcardOf(values: Readonly<Record<string, string | null>>): unknown[] {
  const rows = Object.entries(values).flatMap(([name, value]): Property[] => {
    if (value === null) return [];
    return [
      name === 'adr'
        ? [name, { cc: value }, 'text', ['', '', '', '', '', '', '']]
        : [name, {}, 'text', value],
    ];
  });
  return ['vcard', [['version', {}, 'text', '4.0'], ...rows]];
}

/** A value in its published form; null for any other. */
const valid = (name: DetailName, value: string | null): string | null =>
  value !== null && isValidDetail(name, value) ? value : null;

/** The published values of an entity; of an entity in any other role there are none. */
function publicEntity(unread: unknown): object[] {
  const entity = Entity.safeParse(unread).data;
  if (entity === undefined) return [];
  const { roles, publicIds } = entity;
  const { name, organization, country, url, email, phone } = cardOf(entity);
  const nested = entity.entities.flatMap(publicEntity);
  if (roles.length > 0 && roles.every((role) => SELLERS.has(role))) {
    const numbers = publicIds.flatMap(({ type, identifier }) =>
      /iana/i.test(type ?? '') && isValidDetail('ianaId', identifier)
        ? [{ type: 'IANA Registrar ID', identifier }]
        : [],
    );
    const vcardArray = vcardOf({ fn: valid('reseller', name ?? organization), url: valid('url', url) });
    return [{ roles, publicIds: numbers, vcardArray, entities: nested }];
  }
  if (roles.length === 1 && roles[0] === 'abuse') {
    const contact = { email: valid('abuseEmail', email), tel: valid('abusePhone', phone) };
    return [{ roles, vcardArray: vcardOf(contact) }];
  }
  const holder = { org: valid('organization', organization), adr: valid('country', country) };
  const isHolder = roles.includes('registrant') && (holder.org ?? holder.adr) !== null;
  return isHolder ? [{ roles: ['registrant'], vcardArray: vcardOf(holder) }, ...nested] : nested;
}

function countValues(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countValues(item), 0);
  return isRecord(value) ? countValues(Object.values(value)) : 1;
}

/**
 * Reduces an RDAP object to the members that stated something published, and the text that decided. Members that the
 * parser does not read cannot remain. A remark counts the values that were left out. Throws for invalid JSON.
 */
export function publicMembers(text: string, decided: string | undefined): string {
  const json: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
  const {
    objectClassName,
    ldhName,
    unicodeName,
    errorCode,
    status,
    events,
    nameservers,
    entities,
    secureDNS,
  } = Domain.parse(isRecord(json) ? json : {});
  const texts = isRecord(json) ? [json['title'], json['description']].flat() : [];
  const isDecisive = (each: unknown): each is string =>
    typeof each === 'string' && decided?.startsWith(each.trim()) === true;
  const isName = (text: string | undefined): text is string => text !== undefined && hostAt(text) === text;
  const isSame = isName(ldhName) && isName(unicodeName) && isSameName(ldhName, unicodeName);
  const reduced = {
    objectClassName: /^(?:domain|entity|nameserver|error)$/i.test(objectClassName ?? '')
      ? objectClassName
      : undefined,
    ldhName: isName(ldhName) ? ldhName : undefined,
    unicodeName: isSame ? unicodeName : undefined,
    errorCode,
    description: texts.filter(isDecisive),
    status,
    events: events.filter(
      ({ eventAction, eventDate }) => EVENTS.has(eventAction.toLowerCase()) && isDate(eventDate),
    ),
    nameservers: nameservers.flatMap(({ ldhName: host }) => (isName(host) ? [{ ldhName: host }] : [])),
    secureDNS,
    entities: entities.flatMap(publicEntity),
  };
  const leftOut = Math.max(0, countValues(json) - countValues(JSON.parse(JSON.stringify(reduced))));
  const remarks = [{ title: `${leftOut} values were left out (RAW_CONTACTS=redact).` }];
  return JSON.stringify({ ...reduced, ...(leftOut > 0 && { remarks }) }, undefined, 2);
}
