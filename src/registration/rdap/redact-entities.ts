/** Public roles: companies that sell names, and contacts for reports of abuse. */
const PUBLIC_ROLES: ReadonlySet<unknown> = new Set(['registrar', 'reseller', 'sponsor', 'abuse']);
const CARDS = ['vcardArray', 'jscard', 'jsContactCard', 'jscontact_card'];

type Json = Record<string, unknown>;

export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isPublic({ roles }: Json): boolean {
  const list = Array.isArray(roles) ? roles : [roles];
  return list.length > 0 && list.every((role) => PUBLIC_ROLES.has(role));
}

function redactEntity(entity: unknown): unknown {
  if (!isRecord(entity)) return entity;
  if (isPublic(entity)) return redactMembers(entity);
  const { objectClassName, roles } = entity;
  return { objectClassName, roles, remarks: [{ title: 'Contact removed' }] };
}

/** Domains, name servers and entities can have entities, at any depth. */
function redactMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redactMembers);
  if (!isRecord(value)) return value;
  const members = Object.entries(value).map(([name, member]) => {
    if (CARDS.includes(name)) return [name, member];
    if (name === 'entities' && Array.isArray(member)) return [name, member.map(redactEntity)];
    return [name, redactMembers(member)];
  });
  return Object.fromEntries(members) as Json;
}

/** Removes contacts from an RDAP object: all entities except registrars and resellers. Throws for invalid JSON. */
export function redactEntities(text: string): string {
  const json: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
  const isEntity = isRecord(json) && json['objectClassName'] === 'entity';
  return JSON.stringify(isEntity ? redactEntity(json) : redactMembers(json), undefined, 2);
}
