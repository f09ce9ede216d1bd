import type { Json } from '../record/json.ts';
import { UNREADABLE } from '../record/registration-record.ts';
import type { Stated } from '../record/registration-record.ts';
import { distinct, firstIn, isRead, listIn, objectReader, readText } from './members.ts';
import type { List } from './members.ts';

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

const nestedIn = (json: Json) => listIn(json, 'entities', readEntity).slice(0, MAX_ENTITIES + 1);

/** The entities of an object, then the nested ones, level by level. */
export function entitiesIn(object: Json): List<Entity> {
  const queue = [...nestedIn(object)];
  for (const [index, entity] of queue.entries()) {
    if (index === MAX_ENTITIES) break;
    if (entity !== UNREADABLE) queue.push(...nestedIn(entity.json));
  }
  return distinct(queue, MAX_ENTITIES);
}

/** The first entity in a role; unreadable if one that cannot be read may have it. */
export const withRole = (entities: List<Entity>, role: string): Stated<Entity> =>
  firstIn(entities, (entity) => {
    if (entity.roles.some((word) => isRead(word) && word.toLowerCase() === role)) return entity;
    return entity.roles.includes(UNREADABLE) ? UNREADABLE : null;
  });
