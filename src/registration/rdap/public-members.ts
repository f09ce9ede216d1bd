import { isRecord } from '../../process/json.ts';
import type { DetailName } from '../record/fields.ts';
import { hostAt, isSameName } from '../whois/parsers/names.ts';
import { isDate } from '../whois/parsers/public-lines.ts';
import { DETAIL_PATHS, cardOf, jcardOf, validDetail } from './contact-card.ts';
import type { ContactCard, Role } from './contact-card.ts';
import { Domain, EVENTS, Entity } from './domain-object.ts';

/** Companies that sell the name. Of them name, number, web page and contacts for reports of abuse are published. */
const SELLERS: ReadonlySet<string> = new Set(['registrar', 'sponsor', 'reseller']);

const PUBLIC_EVENTS: ReadonlySet<string> = new Set(Object.values(EVENTS));

/** The members of a card that state a published detail of an entity in this role. */
function publicCard(role: Role, card: ContactCard): Partial<ContactCard> {
  const paths = Object.entries(DETAIL_PATHS) as [DetailName, readonly [Role, keyof ContactCard]][];
  return Object.fromEntries(
    paths.flatMap(([name, [ofRole, member]]) => {
      const value = ofRole === role ? validDetail(name, card[member]) : null;
      return value === null ? [] : [[member, value]];
    }),
  );
}

/** The published values of an entity; of an entity in any other role there are none. */
function publicEntity(unread: unknown): object[] {
  const entity = Entity.safeParse(unread).data;
  if (entity === undefined) return [];
  const { roles } = entity;
  const card = cardOf(entity);
  const nested = entity.entities.flatMap(publicEntity);
  if (roles.length > 0 && roles.every((role) => SELLERS.has(role))) {
    const { ianaId, ...details } = publicCard('registrar', card);
    const publicIds = ianaId == null ? [] : [{ type: 'IANA Registrar ID', identifier: ianaId }];
    return [{ roles, publicIds, vcardArray: jcardOf({ ...details, name: card.name }), entities: nested }];
  }
  if (roles.length === 1 && roles[0] === 'abuse') {
    return [{ roles, vcardArray: jcardOf(publicCard('abuse', card)) }];
  }
  const registrant = roles.includes('registrant') ? publicCard('registrant', card) : {};
  const isPublic = Object.keys(registrant).length > 0;
  return isPublic ? [{ roles: ['registrant'], vcardArray: jcardOf(registrant) }, ...nested] : nested;
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
      ({ eventAction, eventDate }) => PUBLIC_EVENTS.has(eventAction.toLowerCase()) && isDate(eventDate),
    ),
    nameservers: nameservers.flatMap(({ ldhName: host }) => (isName(host) ? [{ ldhName: host }] : [])),
    secureDNS,
    entities: entities.flatMap(publicEntity),
  };
  const leftOut = Math.max(0, countValues(json) - countValues(JSON.parse(JSON.stringify(reduced))));
  const remarks = [{ title: `${leftOut} values were left out (RAW_CONTACTS=redact).` }];
  return JSON.stringify({ ...reduced, ...(leftOut > 0 && { remarks }) }, undefined, 2);
}
