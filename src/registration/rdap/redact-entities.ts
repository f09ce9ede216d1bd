import { isRecord } from '../../process/json.ts';
import type { Json } from '../../process/json.ts';
import { maskAddresses } from '../whois/parsers/redact-contacts.ts';

/** Public roles: companies that sell names, and contacts for reports of abuse. */
const PUBLIC_ROLES: ReadonlySet<unknown> = new Set(['registrar', 'reseller', 'sponsor', 'abuse']);
const CARDS: ReadonlySet<string> = new Set(['vcardArray', 'jscard', 'jsContactCard', 'jscontact_card']);

function isPublic({ roles }: Json): boolean {
  const list = Array.isArray(roles) ? roles : [roles];
  return list.length > 0 && list.every((role) => PUBLIC_ROLES.has(role));
}

function redactEntity(entity: unknown): unknown {
  if (isRecord(entity) && isPublic(entity)) return { ...redactMembers(entity), ...cardsOf(entity) };
  const { objectClassName, roles } = isRecord(entity) ? entity : {};
  return { objectClassName, roles, remarks: [{ title: 'Contact removed' }] };
}

const cardsOf = (entity: Json): Json =>
  Object.fromEntries(Object.entries(entity).filter(([name]) => CARDS.has(name)));

const redactValue = (value: unknown): unknown => {
  if (typeof value === 'string') return maskAddresses(value);
  if (Array.isArray(value)) return value.map(redactValue);
  return isRecord(value) ? redactMembers(value) : value;
};

/**
 * The members of RFC 9083 (domains, name servers, secure DNS, links, events, notices) and RFC 9537 whose values concern
 * no person. All others are removed: some servers add contacts of their own form.
 */
const PUBLIC_MEMBERS: ReadonlySet<string> = new Set(
  `objectClassName handle ldhName unicodeName variants relation variantNames idnTable nameservers ipAddresses v4 v6
  secureDNS zoneSigned delegationSigned maxSigLife dsData keyData keyTag algorithm digest digestType flags protocol
  publicKey roles status publicIds type identifier remarks notices title description links value rel href hreflang
  media port43 events eventAction eventDate network startAddress endAddress ipVersion errorCode rdapConformance lang
  redacted prePath postPath replacementPath pathLang method reason`.split(/\s+/),
);

/** Domains, name servers and entities can have entities, at any depth. Cards remain in public entities alone. */
function redactMembers(object: Json): Json {
  const members = Object.entries(object).flatMap(([name, member]) => {
    if (PUBLIC_MEMBERS.has(name)) return [[name, redactValue(member)]];
    if (name !== 'entities') return [];
    return [[name, (Array.isArray(member) ? member : [member]).map(redactEntity)]];
  });
  return Object.fromEntries(members) as Json;
}

/**
 * Removes contacts from an RDAP object: all entities except registrars and resellers, and the addresses in other texts.
 * Throws for invalid JSON.
 */
export function redactEntities(text: string): string {
  const json: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
  const isEntity = isRecord(json) && json['objectClassName'] === 'entity';
  return JSON.stringify(isEntity ? redactEntity(json) : redactValue(json), undefined, 2);
}
