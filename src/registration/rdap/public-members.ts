import { isRecord } from '../../process/json.ts';
import { cardOf } from './contact-card.ts';
import { Domain, Entity } from './domain-object.ts';

/** Companies that sell the name. Of them name, number, web page and contacts for reports of abuse are published. */
const SELLERS: ReadonlySet<string> = new Set(['registrar', 'sponsor', 'reseller']);

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

/** The published values of an entity; of an entity in any other role there are none. */
function publicEntity(unread: unknown): object[] {
  const entity = Entity.safeParse(unread).data;
  if (entity === undefined) return [];
  const { roles, publicIds } = entity;
  const { name, organization, country, url, email, phone } = cardOf(entity);
  const nested = entity.entities.flatMap(publicEntity);
  if (roles.length > 0 && roles.every((role) => SELLERS.has(role))) {
    const vcardArray = vcardOf({ fn: name, org: organization, url });
    return [{ roles, publicIds, vcardArray, entities: nested }];
  }
  const isAbuse = roles.length === 1 && roles[0] === 'abuse';
  if (isAbuse) return [{ roles, vcardArray: vcardOf({ email, tel: phone }) }];
  const isHolder = roles.includes('registrant') && (organization ?? country) !== null;
  return isHolder
    ? [{ roles: ['registrant'], vcardArray: vcardOf({ org: organization, adr: country }) }, ...nested]
    : nested;
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
  const reduced = {
    objectClassName,
    ldhName,
    unicodeName,
    errorCode,
    description: texts.filter(isDecisive),
    status,
    // A date names nobody; the kind of an event is a word of RFC 9083.
    events: events.filter(
      ({ eventAction, eventDate }) =>
        /^[a-z ]{4,40}$/i.test(eventAction) && /^[\dTZ:.+\s-]+$/i.test(eventDate),
    ),
    nameservers,
    secureDNS,
    entities: entities.flatMap(publicEntity),
  };
  const leftOut = Math.max(0, countValues(json) - countValues(JSON.parse(JSON.stringify(reduced))));
  const remarks = [{ title: `${leftOut} values were left out (RAW_CONTACTS=redact).` }];
  return JSON.stringify({ ...reduced, ...(leftOut > 0 && { remarks }) }, undefined, 2);
}
