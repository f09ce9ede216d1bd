import { hasCredentials } from '../rdap/client.ts';
import { isNoValue } from '../whois/parsers/placeholder.ts';
import { isPublicHostName, readServerAddress } from '../whois/servers.ts';
import type { ServerAnswer } from './query-server.ts';
import { mapRows } from '../record/fields.ts';
import { RECORD_FIELDS, UNREADABLE, isBlank } from '../record/registration-record.ts';
import type { ParsedRegistration, RecordField } from '../record/registration-record.ts';
import type { Conclusion } from './result.ts';
import type { FoundServices, RegistryService } from './services.ts';

/** The registry's RDAP record beside its WHOIS text; undefined if it could not be fetched. */
export interface RdapRecord {
  isListed: boolean;
  /** `share` of the remaining time. */
  read: (share: number) => Promise<ServerAnswer | undefined>;
}

/** Whether an answer is a record that states its name. A server that denies a registered name does not know it. */
export const isNamedRecord = (answer: ServerAnswer | undefined): answer is ServerAnswer =>
  answer?.state === 'registered' && answer.reading.parsed.domainName !== null;

/** Queries a server for the name of the look-up, within a share of the remaining time. */
export type QueryWithin = (
  role: 'registry' | 'registrar',
  service: RegistryService,
  share: number,
) => Promise<ServerAnswer>;

/** Queries it once, for an expiry and for the registrar's link; undefined if there is no RDAP. */
export function rdapRecord(
  query: QueryWithin,
  { services, isRdapKnown }: Pick<FoundServices, 'services' | 'isRdapKnown'>,
): RdapRecord | undefined {
  const service = services.find((each) => each.protocol === 'rdap');
  if (service === undefined && isRdapKnown) return undefined;
  let answer: Promise<ServerAnswer | undefined> | undefined;
  const queryRdap = async (share: number) =>
    service && query('registry', service, share).catch(() => undefined);
  return {
    isListed: !isRdapKnown || (service !== undefined && service.source !== 'list'),
    read: (share) => (answer ??= queryRdap(share)),
  };
}

/** A record of the registry. */
type RegistryAnswer = Omit<ServerAnswer, 'state'>;

/** Share of the remaining time for the registrar's WHOIS server if it also has RDAP. */
const SHARE_OF_TIME = 0.5;

/**
 * Queries the registrar. Its text becomes `raw` and fills missing values; the registry's values stay, and its text
 * moves to `registry`. If the registrar fails or has no record, the missing values are unknown; if its record has much
 * less, only the hops change.
 */
export async function withRegistrar(
  query: QueryWithin,
  result: Conclusion,
  registry: RegistryAnswer,
  rdap: RdapRecord | undefined,
): Promise<Conclusion> {
  const answer = await queryRegistrar(query, registry, rdap);
  if (answer === 'none') return result;
  const { whoisServer, raw, protocol, incomplete } = result;
  const isUnread = (field: RecordField) => incomplete.includes(field);
  const isMissing = (field: RecordField) => isBlank(result.parsed[field]);
  if (answer === 'unanswered') {
    const unknown = RECORD_FIELDS.filter((field) => isUnread(field) || isMissing(field));
    return { ...result, incomplete: unknown };
  }
  const own = withOwnExpiry(answer.reading);
  // Never a union of lists: the registry's, or the registrar's if the registry has none.
  const parsed = mapRows(result.parsed, (field, value) => (isMissing(field) ? own.parsed[field] : value));
  const isStillUnread = (field: RecordField) =>
    own.incomplete.includes(field) || (isUnread(field) && isBlank(parsed[field]));
  return {
    ...result,
    whoisServer: answer.server,
    raw: answer.raw,
    protocol: answer.service.protocol,
    parsed: parsed as ParsedRegistration,
    incomplete: RECORD_FIELDS.filter((field) => (isMissing(field) ? isStillUnread(field) : isUnread(field))),
    registry: { whoisServer, raw, protocol },
  };
}

/** Its expiry is that at the registrar, unless the registrar states both. */
function withOwnExpiry({ parsed, incomplete }: ServerAnswer['reading']) {
  if (parsed.registrarExpirationDate !== null) return { parsed, incomplete };
  const isUnread = incomplete.includes('expirationDate');
  return {
    parsed: { ...parsed, registrarExpirationDate: parsed.expirationDate },
    incomplete: isUnread ? [...incomplete, 'registrarExpirationDate' as const] : incomplete,
  };
}

/** `none`: no registrar is named, or its record is worse. `unanswered`: one that may have a better one was not read. */
type RegistrarAnswer = ServerAnswer | 'none' | 'unanswered';

/** Uses the registry's protocol; if a registrar's WHOIS server has no record, RDAP. */
async function queryRegistrar(
  query: QueryWithin,
  registry: RegistryAnswer,
  rdap: RdapRecord | undefined,
): Promise<RegistrarAnswer> {
  async function good(service: RegistryService | 'none' | 'unanswered', share: number) {
    if (typeof service === 'string') return service;
    const answer = await query('registrar', service, share).catch(() => undefined);
    if (!isNamedRecord(answer) || answer.isTruncated) return 'unanswered';
    const { parsed, incomplete } = answer.reading;
    if (countStated(parsed) * 2 >= countStated(registry.reading.parsed)) return answer;
    return incomplete.length === 0 ? 'none' : 'unanswered';
  }

  if (registry.service.protocol === 'rdap') return good(registrarOf(registry), 1);
  const answer = await good(registrarOf(registry), rdap === undefined ? 1 : SHARE_OF_TIME);
  if (typeof answer !== 'string' || rdap === undefined) return answer;
  // Only the registry's RDAP record has a link to the registrar's.
  const record = await rdap.read(SHARE_OF_TIME);
  const second = isNamedRecord(record) ? await good(registrarOf(record), 1) : 'unanswered';
  return second === 'none' ? answer : second;
}

/** The registrar's server in a registry's answer. `unanswered`: it may be stated, but cannot be queried. */
function registrarOf({
  service,
  registrar,
  server,
}: RegistryAnswer): RegistryService | 'none' | 'unanswered' {
  if (registrar === null) return 'none';
  if (registrar === UNREADABLE) return 'unanswered';
  if (isNoValue(registrar)) return 'none';
  const { protocol } = service;
  if (protocol === 'rdap') return rdapAt(registrar) ?? 'unanswered';
  const endpoint = readServerAddress(registrar);
  if (endpoint === undefined) return 'unanswered';
  return endpoint.host === server ? 'none' : { protocol, source: 'registry', endpoint };
}

/** Links in RDAP answers are untrusted: only https on its default port at a public name is allowed. */
function rdapAt(link: string): RegistryService | undefined {
  const url = URL.canParse(link) ? new URL(link) : undefined;
  if (url?.protocol !== 'https:' || url.port !== '' || hasCredentials(url)) return undefined;
  return isPublicHostName(url.hostname)
    ? { protocol: 'rdap', source: 'registry', base: url.href }
    : undefined;
}

function countStated(parsed: ParsedRegistration): number {
  const { domainName, registrar, creationDate, expirationDate, updatedDate, nameServers, status } = parsed;
  const values = [domainName, registrar, creationDate, expirationDate, updatedDate, nameServers, status];
  return values.filter((value) => !isBlank(value)).length;
}
