import { domainToASCII } from 'node:url';
import { z } from 'zod';
import type {
  ParsedRegistration,
  RegistrationReading,
  RegistrationState,
} from '../look-up/registration-record.ts';
import { eppStatusOf } from './status-words.ts';

export interface RdapReading extends RegistrationReading {
  /** The registrar's own RDAP record of the name, as linked from the registry's; unchecked. */
  registrarUrl: string | null;
}

export interface RdapText {
  status: number;
  text: string;
  /** False when a redirect led to another host than the registry's. */
  isAuthoritative: boolean;
  retryAfter: string | undefined;
}

/** RFC 9083, section 5.3: the members that are read, each optional and dropped when it has another type. */
const text = z.string().optional().catch(undefined);
const list = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item.nullable().catch(null))
    .catch([])
    .transform((items) => items.filter((entry) => entry !== null));

const Named = z.object({ ldhName: text, unicodeName: text });
const Entity = z.object({
  roles: list(z.string()),
  handle: text,
  vcardArray: z.array(z.unknown()).catch([]),
  publicIds: list(z.object({ identifier: text })),
  entities: z.array(z.unknown()).catch([]),
});
const Domain = Named.extend({
  objectClassName: text,
  errorCode: z.number().optional().catch(undefined),
  status: list(z.string()),
  events: list(z.object({ eventAction: z.string(), eventDate: z.string() })),
  nameservers: list(Named),
  entities: z.array(z.unknown()).catch([]),
  links: list(z.object({ rel: text, href: z.string(), type: text })),
});
type Domain = z.infer<typeof Domain>;

/**
 * Reads one RDAP answer to the same form as a WHOIS text. `name` is what was asked for, in A-labels: an answer
 * about another name says nothing. `now` (ms since 1970) turns a Retry-After date into seconds. Never throws.
 */
export function parseRdap(answer: RdapText, name: string, now: number): RdapReading {
  const domain = readDomain(answer.text);
  const state = stateOf(answer, domain, name);
  const isRecord = state === 'registered' || state === 'reserved';
  return {
    state,
    parsed: domain !== undefined && isRecord ? fieldsOf(domain) : NOTHING_STATED,
    registrarWhoisServer: null,
    registrarUrl: domain !== undefined && isRecord ? registrarUrlOf(domain) : null,
    retryAfterSeconds: state === 'throttled' ? secondsOf(answer.retryAfter, now) : null,
  };
}

const NOTHING_STATED: ParsedRegistration = {
  domainName: null,
  registrar: null,
  creationDate: null,
  expirationDate: null,
  updatedDate: null,
  nameServers: [],
  status: [],
};

function readDomain(json: string): Domain | undefined {
  try {
    return Domain.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}

function stateOf(answer: RdapText, domain: Domain | undefined, name: string): RegistrationState {
  const status = answer.status === 200 ? (domain?.errorCode ?? 200) : answer.status;
  switch (status) {
    case 200:
      return domain === undefined ? 'broken' : recordState(domain, name);
    case 400:
    case 422:
      return 'invalid';
    case 401:
    case 403:
    case 501:
      return 'refused';
    case 404:
      // A web server's error page is not the registry's word (RFC 7480, section 5.3: empty, or an RDAP error).
      return answer.isAuthoritative && !answer.text.trimStart().startsWith('<') ? 'not_registered' : 'broken';
    case 429:
      return 'throttled';
    default:
      return 'broken';
  }
}

function recordState(domain: Domain, name: string): RegistrationState {
  if (domain.objectClassName !== undefined && domain.objectClassName !== 'domain') return 'broken';
  if (asciiName(domain) !== name) return 'broken';
  const isReserved = domain.status.some((status) => /^reserved$/i.test(status.trim()));
  return isReserved && eventDate(domain, 'registration') === null ? 'reserved' : 'registered';
}

function fieldsOf(domain: Domain): ParsedRegistration {
  const hosts = domain.nameservers.map(asciiName).filter((host) => host !== undefined);
  return {
    domainName: asciiName(domain) ?? null,
    registrar: registrarOf(domain.entities, 0),
    creationDate: eventDate(domain, 'registration'),
    expirationDate: eventDate(domain, 'expiration'),
    updatedDate: eventDate(domain, 'last changed'),
    nameServers: [...new Set(hosts)],
    status: [...new Set(domain.status.map(eppStatusOf).filter((status) => status !== ''))],
  };
}

function asciiName(named: z.infer<typeof Named>): string | undefined {
  const stated = (named.ldhName ?? named.unicodeName ?? '').trim().toLowerCase().replace(/\.$/, '');
  if (stated === '') return undefined;
  return domainToASCII(stated) || stated;
}

const RFC_3339 = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d:\d\d)(?:\.\d+)?([Zz]|[+-]\d\d:?\d\d))?$/;

/** `YYYY-MM-DDTHH:MM:SSZ`, or the day alone where that is all; null for a time without zone and for year 1 ("never"). */
function eventDate(domain: Domain, action: string): string | null {
  const event = domain.events.find(({ eventAction }) => eventAction.trim().toLowerCase() === action);
  const [, day, time, zone] = RFC_3339.exec(event?.eventDate.trim() ?? '') ?? [];
  if (day === undefined || day < '1970') return null;
  const offset = zone === undefined ? 'Z' : zone.toUpperCase().replace(/^(...)(\d\d)$/, '$1:$2');
  const instant = Date.parse(`${day}T${time ?? '00:00:00'}${offset}`);
  if (Number.isNaN(instant)) return null;
  const iso = new Date(instant).toISOString();
  return time === undefined ? iso.slice(0, 10) : `${iso.slice(0, 19)}Z`;
}

const MAX_ENTITY_DEPTH = 3;

/** The name of the entity with the role `registrar`: those of the domain first, then entities within entities. */
function registrarOf(entities: readonly unknown[], depth: number): string | null {
  const read = entities.slice(0, 100).map((entity) => Entity.safeParse(entity).data);
  for (const entity of read) {
    if (!entity?.roles.some((role) => role.toLowerCase() === 'registrar')) continue;
    const named = vcardText(entity.vcardArray, 'fn') ?? vcardText(entity.vcardArray, 'org') ?? entity.handle;
    const name = named ?? entity.publicIds[0]?.identifier;
    if (name !== undefined && name !== '') return name;
  }
  if (depth === MAX_ENTITY_DEPTH) return null;
  for (const entity of read) {
    const name = entity && registrarOf(entity.entities, depth + 1);
    if (name != null) return name;
  }
  return null;
}

/** jCard (RFC 7095): ["vcard", [[name, parameters, type, value], ...]]. */
function vcardText(vcard: readonly unknown[], property: string): string | undefined {
  const rows: unknown = vcard[1];
  if (!Array.isArray(rows)) return undefined;
  const row: unknown = rows.find((entry: unknown) => Array.isArray(entry) && entry[0] === property);
  const value: unknown = Array.isArray(row) ? row[3] : undefined;
  const stated: unknown = Array.isArray(value) ? value[0] : value;
  return typeof stated === 'string' && stated.trim() !== '' ? stated.trim() : undefined;
}

function registrarUrlOf(domain: Domain): string | null {
  const related = domain.links.find(
    ({ rel, type, href }) =>
      rel === 'related' && (type === 'application/rdap+json' || href.includes('/domain/')),
  );
  return related?.href ?? null;
}

/** Retry-After (RFC 9110, section 10.2.3) in seconds; null when it is missing or unreadable. */
export function secondsOf(retryAfter: string | undefined, now: number): number | null {
  if (retryAfter === undefined) return null;
  if (/^\d{1,9}$/.test(retryAfter.trim())) return Number(retryAfter);
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1_000));
}
