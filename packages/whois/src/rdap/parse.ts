import { isRecord } from '@mokuroku/kit';
import type { Json } from '@mokuroku/kit';
import { mapRows } from '../record/fields.ts';
import { NOTHING_STATED, publishRecord } from '../record/registration-record.ts';
import type {
  RegistrationReading,
  RegistrationState,
  StateReading,
  Stated,
  StatedRecord,
} from '../record/registration-record.ts';
import { isSameName } from '../whois/parsers/names.ts';
import { isWithheld, areOfRegistration, stateOfStatus } from '../whois/parsers/status-words.ts';
import type { RdapAnswer } from './client.ts';
import { EVENTS, readDates, readDnssec, readName, readNameServers, readStatuses } from './domain-object.ts';
import { cardOf, entitiesIn, ownEntitiesIn, readDetails, withRole } from './entities.ts';
import { firstIn, firstRead, isRead, linksIn, numberIn, parseDistinct, textIn } from './members.ts';
import { readError, readingOf, unreadableReading } from './error-object.ts';

interface RdapReading extends RegistrationReading {
  /** The registrar's own RDAP record of the name, as linked from the registry's; unchecked. */
  registrarUrl: Stated<string>;
}

/**
 * Parses an RDAP answer into the same form as a WHOIS text. An answer about another name is ignored. Never throws.
 */
export function parseRdap(answer: RdapAnswer, { name }: { name: string }): RdapReading {
  const json = parseDistinct(answer.text);
  const domain = isRecord(json) ? json : {};
  const fields = readFields(domain);
  const stateReading = readState(answer, name, json, fields);
  const { state } = stateReading;
  const { status, retryAfterSeconds = null } = answer;
  const hasRecord = state === 'registered' || state === 'reserved';
  // As in WHOIS, the name itself is no name server but an echo, in whatever spelling.
  const nameServers = fields.nameServers.filter((host) => !isRead(host) || !isSameName(host, name));
  return {
    ...stateReading,
    ...(hasRecord ? publishRecord({ ...fields, nameServers }) : { parsed: NOTHING_STATED, incomplete: [] }),
    registrarWhoisServer: null,
    registrarUrl: hasRecord ? registrarUrlOf(domain) : null,
    retryAfterSeconds: state === 'throttled' || status === 503 ? retryAfterSeconds : null,
    isKnownThrottling: status === 429 || (status === 503 && retryAfterSeconds !== null),
  };
}

function readState(answer: RdapAnswer, name: string, json: unknown, fields: StatedRecord): StateReading {
  // Some servers send their errors with a 200.
  const code = isRecord(json) ? numberIn(json, 'errorCode') : null;
  const status = answer.status === 200 && isRead(code) ? code : answer.status;
  const says = (state: RegistrationState) => readingOf(state, `HTTP ${answer.status}`);
  switch (status) {
    case 200:
      return isRecord(json) ? readRecord(json, fields, name) : unreadableReading();
    case 400:
    case 404:
    case 422:
      // As in WHOIS, an error beside facts of a registration states nothing.
      return isRecord(json) && hasFacts(json, fields)
        ? unreadableReading(`HTTP ${answer.status}`)
        : readError(answer, name, status, json);
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

function readRecord(domain: Json, fields: StatedRecord, name: string): StateReading {
  const objectClass = textIn(domain, 'objectClassName');
  if (isRead(objectClass) && objectClass.toLowerCase() !== 'domain') {
    return unreadableReading(`objectClassName: ${objectClass}`);
  }
  const stated = isRead(fields.domainName) ? fields.domainName : '';
  if (!isSameName(stated, name)) return unreadableReading(`ldhName: ${stated}`);
  const statuses = fields.status.filter(isRead);
  // As in WHOIS, a reserved name may have a date of its reservation. Other words may be of a registered name.
  const mayBeWithheld = !isRead(fields.creationDate);
  const reserved = statuses.find(
    (status) => stateOfStatus(status) === 'reserved' || (mayBeWithheld && isWithheld(status)),
  );
  if (reserved !== undefined) return readingOf('reserved', `status: ${reserved}`);
  // A denial has status 404. A name without facts only echoes the query.
  const denial = statuses.find((status) => stateOfStatus(status) === 'no');
  if (denial !== undefined) return unreadableReading(`status: ${denial}`);
  if (!hasFacts(domain, fields)) return unreadableReading(`ldhName: ${stated}`);
  return readingOf('registered', `ldhName: ${stated}`);
}

/** Statuses of registered objects (RFC 9083, section 10.2.2), beside those with an EPP code. */
const RDAP_STATUSES: ReadonlySet<string> = new Set(
  'validated,renew prohibited,update prohibited,transfer prohibited,delete prohibited,proxy,private,removed,obscured,locked'.split(
    ',',
  ),
);

/**
 * Whether the object has any fact of a registration. Its class, a handle equal to the name, the database time and what
 * cannot be read do not count.
 */
function hasFacts(
  domain: Json,
  { domainName, creationDate, expirationDate, updatedDate, nameServers, status, dnssec }: StatedRecord,
): boolean {
  const handle = textIn(domain, 'handle');
  const name = isRead(domainName) ? domainName : '';
  const statuses = status.filter(isRead);
  return (
    (isRead(handle) && !isSameName(handle.toLowerCase(), name)) ||
    [creationDate, expirationDate, updatedDate].some(isRead) ||
    nameServers.some(isRead) ||
    entitiesIn(domain).some((entity) => isRead(entity) && entity.roles.some(isRead)) ||
    (isRead(dnssec) && dnssec.signed === true) ||
    areOfRegistration(statuses) ||
    statuses.some((status) => RDAP_STATUSES.has(status.toLowerCase()))
  );
}

function readFields(domain: Json): StatedRecord {
  const entities = entitiesIn(domain);
  const own = ownEntitiesIn(domain);
  const seller = firstRead([withRole(entities, 'registrar'), withRole(entities, 'sponsor')]);
  const registrar = cardOf(seller);
  const abuse = cardOf(isRead(seller) ? withRole(entitiesIn(seller.json), 'abuse') : seller);
  const registrant = cardOf(withRole(own, 'registrant'));
  const dateOf = readDates(domain);
  return {
    domainName: readName(domain),
    registrar: registrar.name,
    ...mapRows(EVENTS, (_, action) => dateOf(action)),
    nameServers: readNameServers(domain),
    status: readStatuses(domain),
    registrarDetails: {
      ianaId: readDetails('ianaId', registrar.ianaId),
      url: registrar.url,
      abuseEmail: readDetails('abuseEmail', abuse.email),
      abusePhone: readDetails('abusePhone', abuse.phone),
    },
    registrant: {
      organization: readDetails('organization', registrant.organization),
      country: readDetails('country', registrant.country),
    },
    dnssec: readDnssec(domain),
    reseller: cardOf(withRole(own, 'reseller')).name,
  };
}

const registrarUrlOf = (domain: Json): Stated<string> =>
  firstIn(linksIn(domain), ({ rel, type, href }) => {
    const isRdap = isRead(type) && /^application\/rdap\+json\b/i.test(type);
    const isOther = !isRdap && isRead(href) && !href.includes('/domain/');
    return rel !== 'related' || isOther ? null : href;
  });
