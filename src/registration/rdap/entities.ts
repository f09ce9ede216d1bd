import type { Json } from '../../process/json.ts';
import { UNREADABLE } from '../record/registration-record.ts';
import type { Stated } from '../record/registration-record.ts';
import { firstRead, isRead, member, readList, readObject, readText } from './members.ts';
import type { List } from './members.ts';

/** An entity of a domain (RFC 9083, section 5.1), read as far as its roles. */
export interface Entity {
  json: Json;
  roles: List<string>;
}

/** In total, however they are nested. */
const MAX_ENTITIES = 100;

const MEMBERS =
  'objectClassName roles handle vcardArray jscard jsContactCard jscontact_card publicIds entities'.split(' ');

const nestedIn = (json: Json) =>
  readList(member(json, 'entities'), (item) => readObject(item, ...MEMBERS)).slice(0, MAX_ENTITIES + 1);

/** The entities of an object, then the nested ones, level by level. */
export function readEntities(object: Json): List<Entity> {
  const queue = [...nestedIn(object)];
  const read: (Entity | typeof UNREADABLE)[] = [];
  for (const json of queue) {
    if (read.length === MAX_ENTITIES) return [...read, UNREADABLE];
    read.push(json === UNREADABLE ? json : { json, roles: readList(member(json, 'roles'), readText) });
    if (json !== UNREADABLE) queue.push(...nestedIn(json));
  }
  return read;
}

/** The first entity in a role; unreadable if one that cannot be read may have it. */
export const withRole = (entities: List<Entity>, role: string): Stated<Entity> =>
  firstRead(
    entities.map((entity) => {
      if (entity === UNREADABLE) return entity;
      if (entity.roles.some((word) => isRead(word) && word.toLowerCase() === role)) return entity;
      return entity.roles.includes(UNREADABLE) ? UNREADABLE : null;
    }),
  );
