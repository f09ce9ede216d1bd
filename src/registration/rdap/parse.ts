import { parseJson } from '../../process/json.ts';
import { mapRows } from '../record/fields.ts';
import type { DetailName } from '../record/fields.ts';
import { NOTHING_STATED, UNREADABLE, publishedDetails } from '../record/registration-record.ts';
import type {
  Dnssec,
  ParsedRegistration,
  RegistrationReading,
  RegistrationState,
  Stated,
} from '../record/registration-record.ts';
import { addHosts, asciiOf, isSameName } from '../whois/parsers/names.ts';
import { toPublishedDate, dateRuleOf } from '../whois/parsers/published-date.ts';
import { SENTENCES } from '../whois/parsers/sentence-table.ts';
import type { SentenceState } from '../whois/parsers/sentence-table.ts';
import { readStatedDate } from '../whois/parsers/stated-date.ts';
import { isWithheld, areOfRegistration } from '../whois/parsers/status-words.ts';
import type { RdapAnswer } from './client.ts';
import { DETAIL_PATHS, cardOf, validDetail } from './contact-card.ts';
import type { ContactCard, Role } from './contact-card.ts';
import { Domain, EVENTS, Entity, isWhole, unreadableFields } from './domain-object.ts';
import type { Named } from './domain-object.ts';
import { readError, readingOf, unreadableReading } from './error-object.ts';
import type { StateReading, RdapQuestion } from './error-object.ts';

interface RdapReading extends RegistrationReading {
  /** The registrar's own RDAP record of the name, as linked from the registry's; unchecked. */
  registrarUrl: Stated<string>;
}

/**
 * Parses an RDAP answer into the same form as a WHOIS text. An answer about another name is ignored. Never throws.
 */
export function parseRdap(answer: RdapAnswer, question: RdapQuestion): RdapReading {
  const json = parseJson(answer.text);
  const domain = Domain.safeParse(json).data;
  const { state, evidence, contradictions } = readState(answer, question, json, domain);
  const hasRecord = state === 'registered' || state === 'reserved';
  const record = hasRecord && domain?.errorCode !== 404 ? domain : undefined;
  const parsed = record === undefined ? NOTHING_STATED : registrationFields(record);
  return {
    state,
    parsed,
    incomplete: record === undefined ? [] : unreadableFields(json, parsed),
    registrarWhoisServer: null,
    registrarUrl:
      record === undefined ? null : (registrarUrlOf(record) ?? (isWhole(json, 'links') ? null : UNREADABLE)),
    retryAfterSeconds: state === 'throttled' ? (answer.retryAfterSeconds ?? null) : null,
    evidence,
    contradictions,
    isKnownThrottling: state === 'throttled' && answer.status === 429,
  };
}

function readState(
  answer: RdapAnswer,
  question: RdapQuestion,
  json: unknown,
  domain: Domain | undefined,
): StateReading {
  // Some servers send their errors with a 200.
  const status = answer.status === 200 ? (domain?.errorCode ?? 200) : answer.status;
  const says = (state: RegistrationState) => readingOf(state, `HTTP ${answer.status}`);
  switch (status) {
    case 200:
      return domain === undefined ? unreadableReading() : readRecord(domain, question.name);
    case 400:
    case 404:
    case 422:
      return readError(answer, question, status, json);
    case 401:
    case 403:
    case 501:
      return says('refused');
    case 429:
      return says('throttled');
    default:
      return unreadableReading(`HTTP ${status}`);
  }
}

function readRecord(domain: Domain, name: string): StateReading {
  const { objectClassName = 'domain' } = domain;
  if (objectClassName.toLowerCase() !== 'domain') {
    return unreadableReading(`objectClassName: ${objectClassName}`);
  }
  const stated = asciiName(domain) ?? '';
  if (!isSameName(stated, name)) return unreadableReading(`ldhName: ${stated}`);
  const hasRegistrationDate = eventDate(domain, 'registration') !== null;
  const reserved = hasRegistrationDate ? undefined : domain.status.find(isReserved);
  if (reserved !== undefined) return readingOf('reserved', `status: ${reserved}`);
  // A denial has status 404. A name without facts only echoes the query.
  const denial = domain.status.find((status) => stateOfStatus(status) === 'no');
  if (denial !== undefined) return unreadableReading(`status: ${denial}`);
  if (!hasFacts(domain)) return unreadableReading(`ldhName: ${stated}`);
  return readingOf('registered', `ldhName: ${stated}`);
}

function stateOfStatus(status: string): SentenceState | undefined {
  return SENTENCES.stateOf(`status ${status.trim().toLowerCase()}`, { server: null, zone: null });
}

function isReserved(status: string): boolean {
  return stateOfStatus(status) === 'reserved' || isWithheld(status);
}

/** Statuses of registered objects (RFC 9083, section 10.2.2), beside those with an EPP code. */
const RDAP_STATUSES: ReadonlySet<string> = new Set(
  'validated,renew prohibited,update prohibited,transfer prohibited,delete prohibited,proxy,private,removed,obscured,locked'.split(
    ',',
  ),
);

/**
 * Whether the object has any fact of a registration. Its class, a handle equal to the name, and the database time do
 * not count.
 */
function hasFacts(domain: Domain): boolean {
  const { handle = '', nameservers, entities, secureDNS } = domain;
  const dates = ['registration', 'expiration', 'last changed'].map((action) => eventDate(domain, action));
  return (
    (handle.trim() !== '' && !isSameName(handle.toLowerCase(), asciiName(domain) ?? '')) ||
    dates.some((date) => date !== null) ||
    nameservers.some((host) => asciiName(host) !== undefined) ||
    entitiesOf(entities).some((entity) => entity.roles.length > 0) ||
    secureDNS?.delegationSigned === true ||
    areOfRegistration(domain.status) ||
    domain.status.some((status) => RDAP_STATUSES.has(status.toLowerCase()))
  );
}

function registrationFields(domain: Domain): ParsedRegistration {
  const hosts: string[] = [];
  for (const host of domain.nameservers) addHosts(hosts, asciiName(host) ?? '');
  const own = asciiName(domain) ?? null;
  const cards = cardsByRole(domain);
  const detail = (name: DetailName): string | null => {
    const [role, member] = DETAIL_PATHS[name];
    return validDetail(name, cards[role][member]);
  };
  return {
    domainName: own,
    registrar: cards.registrar.name,
    ...mapRows(EVENTS, (_, action) => eventDate(domain, action)),
    // As in WHOIS, the name itself is an echo, in whatever spelling.
    nameServers: hosts.filter((host) => own === null || !isSameName(host, own)),
    status: domain.status,
    ...publishedDetails(detail, dnssecOf(domain)),
  };
}

function cardsByRole(domain: Domain): Record<Role, ContactCard> {
  const entities = entitiesOf(domain.entities);
  const registrar = withRole(entities, 'registrar') ?? withRole(entities, 'sponsor');
  return {
    registrar: cardOf(registrar),
    abuse: cardOf(withRole(entitiesOf(registrar?.entities ?? []), 'abuse')),
    registrant: cardOf(withRole(entities, 'registrant')),
    reseller: cardOf(withRole(entities, 'reseller')),
  };
}

function asciiName(named: Named): string | undefined {
  const stated = (named.ldhName ?? named.unicodeName ?? '').trim().toLowerCase().replace(/\.$/, '');
  return stated === '' ? undefined : asciiOf(stated);
}

/** RFC 9083 has RFC 3339's dates; what another form leaves open is not guessed. */
const NEVER_GUESSED = dateRuleOf('');

/** The first valid event of a kind. */
function eventDate(domain: Domain, action: string): string | null {
  for (const event of domain.events) {
    if (event.eventAction.trim().toLowerCase() !== action) continue;
    const stated = readStatedDate(event.eventDate.trim());
    const date = stated === null ? null : toPublishedDate(stated, NEVER_GUESSED);
    if (date !== null) return date;
  }
  return null;
}

/** In total, however they are nested. */
const MAX_ENTITIES = 100;

/** The entities of the domain, then the nested ones, level by level. */
function entitiesOf(unread: readonly unknown[]): Entity[] {
  const queue = unread.slice(0, MAX_ENTITIES);
  const read: Entity[] = [];
  for (const entity of queue) {
    const { data } = Entity.safeParse(entity);
    if (data === undefined) continue;
    read.push(data);
    queue.push(...data.entities.slice(0, MAX_ENTITIES - queue.length));
  }
  return read;
}

function withRole(entities: readonly Entity[], role: string): Entity | undefined {
  return entities.find(({ roles }) => roles.some((word) => word.trim().toLowerCase() === role));
}

function dnssecOf({ secureDNS }: Domain): Dnssec | null {
  if (secureDNS === undefined) return null;
  const ds = secureDNS.dsData.slice(0, 16).map((record) => ({
    ...record,
    digest: record.digest.replace(/\s+/g, '').toUpperCase(),
  }));
  const signed = secureDNS.delegationSigned ?? (ds.length > 0 ? true : undefined);
  return signed === undefined ? null : { signed, ds };
}

function registrarUrlOf(domain: Domain): string | null {
  const related = domain.links.find(
    ({ rel, type, href }) =>
      rel === 'related' && (type === 'application/rdap+json' || href.includes('/domain/')),
  );
  return related?.href ?? null;
}
