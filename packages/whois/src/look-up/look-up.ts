import type { Clock } from '@mokuroku/kit/clock';
import type { Log } from '../net/log.ts';
import { withSignal } from '@mokuroku/kit/deadline';
import type { HostPort } from '../net/host-map.ts';
import { ServerFault, isLimit, toServerFault } from '../net/server-fault.ts';
import type { BootstrapSource } from '../rdap/bootstrap.ts';
import { readReferral } from '../whois/servers.ts';
import { readWhoisAnswer } from './query-server.ts';
import type { QueryServer, ServerAnswer, RegistryClient } from './query-server.ts';
import type { VerifiedAnswer, VerifyDenial } from './verify-denial.ts';
import { daysLeft, endingOf } from '../record/ending.ts';
import type { DomainName } from './domain-name.ts';
import { LookUpContext, isAboutName } from './hops.ts';
import type { Hop, Protocol, ProtocolChoice, Reach } from './hops.ts';
import { isNamedRecord, rdapRecord, withRegistrar } from './registrar.ts';
import type { QueryWithin, RdapRecord } from './registrar.ts';
import { conclude, inconclusive, noRegistryService, unknownTld, unpublishedFields } from './result.ts';
import type { Conclusion, LookUpResult } from './result.ts';
import type { Root } from './root.ts';
import { BUNDLED_ROOT, registryOf, registryZoneOf, serverKey } from './services.ts';
import type { FoundServices, RegistryTable, RegistryService } from './services.ts';

interface Parts {
  clock: Clock;
  log: Log;
  root: Root;
  servers: RegistryClient;
  verifyDenial: VerifyDenial;
  table: RegistryTable;
  bootstrap: BootstrapSource;
  /** Timeout of a whole look-up. */
  timeoutMs: number;
  protocols: ProtocolChoice;
  /** Called with every hop. */
  observeHop: (hop: Hop) => void;
  /** Told the hops of each look-up. */
  reach: Reach;
  /** Addition to the message for an unknown top-level domain. */
  unknownTldHint: string;
}

export type Follow = 'registry' | 'registrar';

/**
 * Looks a name up. Rejects with a LookUpError. Equal concurrent look-ups are not shared here, but by the response cache
 * for HTTP and by `LookUpClient` for programs.
 */
export type LookUpFromRoot = (name: DomainName, follow: Follow, call?: LookUpCall) => Promise<LookUpResult>;

interface LookUpCall {
  /** Aborts the look-up, which rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** The client that registries are queried for: clients of one network share a place in the queue. */
  client?: string | undefined;
  /** Default: those of the settings. */
  protocols?: ProtocolChoice | undefined;
}

/** Share of the time for fetching the bootstrap. */
const BOOTSTRAP_SHARE = 0.3;
/** Share of the remaining time for a service that is not the last one. */
const SERVICE_SHARE = 0.6;

/** Share of the remaining time for an expiry that WHOIS does not state. */
const EXPIRY_SHARE = 0.3;

/** Queries the root, the registry and, if requested, the registrar. */
export function createLookUp(parts: Parts): LookUpFromRoot {
  const { clock, log, servers, timeoutMs, observeHop } = parts;

  async function queryServers(
    name: DomainName,
    follow: Follow,
    protocols: ProtocolChoice,
    context: LookUpContext,
  ): Promise<Conclusion> {
    if (name.zone === '') return lookUpTopLevelDomain(parts, name, protocols, context);

    const found = await findServices(parts, name, protocols, context);
    const answer = await queryUntilDefinite(parts, found, name, context);
    const result = conclude(name, answer, context.hops);
    const isDated = result.parsed.expirationDate !== null;
    if (result.state !== 'registered' || (isDated && follow === 'registry')) return result;
    const query: QueryWithin = (role, service, share) =>
      servers.query(context, role, service, context.shareOfTime(share));
    const rdap = answer.service.protocol === 'whois' ? rdapRecord(query, found) : undefined;
    const dated = isDated || !rdap?.isListed ? result : await withExpiryByRdap(result, rdap);
    return follow === 'registry' ? dated : withRegistrar(query, dated, answer, rdap);
  }

  return async function lookUp(name, follow, { signal, client, protocols = parts.protocols } = {}) {
    const context = new LookUpContext({ clock, log, name: name.name, timeoutMs, observeHop, signal, client });
    const queried = queryServers(name, follow, protocols, context);
    const found = queried
      .finally(() => parts.reach.note(context.hops))
      .then((conclusion) => {
        const { incomplete, ...result } = conclusion;
        const unpublished = unpublishedFields(conclusion, registryZoneOf(name, parts.table));
        return {
          ...result,
          ...(incomplete.length > 0 && { incomplete }),
          ...(unpublished.length > 0 && { unpublished }),
          daysLeft: daysLeft(result.parsed.expirationDate, clock.now()),
          ending: endingOf(conclusion, clock.now()),
        };
      });
    return signal ? withSignal(found, signal) : found;
  };
}

/** The services of a name's registry, as the root, the bootstrap and the table state them. Throws if there are none. */
async function findServices(
  { root, table, bootstrap, unknownTldHint }: Parts,
  name: DomainName,
  protocols: ProtocolChoice,
  context: LookUpContext,
): Promise<FoundServices> {
  const { tld, zone } = name;
  const chosen: readonly Protocol[] = protocols === 'both' ? ['whois', 'rdap'] : [protocols];
  const isElsewhere = table.hasOwnRegistry(zone) || table.servers.has(tld);
  const queried = isElsewhere ? [] : chosen;
  // Bundled data stand for what is not queried, because they decide who may deny a name.
  const rootAnswer = queried.includes('whois')
    ? await root.find(tld, context).catch(toServerFault)
    : BUNDLED_ROOT;
  if (!(rootAnswer instanceof ServerFault) && rootAnswer.outcome === 'unknown_tld') {
    throw unknownTld(tld, context.hops, unknownTldHint);
  }
  const deadline = context.shareOfTime(BOOTSTRAP_SHARE);
  const bases = queried.includes('rdap')
    ? await bootstrap.currentBasesFor(name.name, deadline).catch(toServerFault)
    : bootstrap.current().bootstrap.basesFor(name.name);
  const isRdapKnown = !(bases instanceof ServerFault);
  const registry = registryOf(name, rootAnswer, table, bases);
  registry.isNamed ||= !isRdapKnown;
  const services = registry.services.filter(({ protocol }) => chosen.includes(protocol));
  if (services.length > 0) return { services, registry, isRdapKnown };
  const faults = [rootAnswer, bases].filter((answer) => answer instanceof ServerFault);
  const failed = faults.filter((fault) => fault !== BUNDLED_ROOT);
  if (failed.length > 0) throw inconclusive([], failed, context.hops, registry.website);
  throw noRegistryService(zone, registry.website, context.hops, protocols);
}

/**
 * Where a WHOIS record states no expiry and IANA's bootstrap lists RDAP for the zone, the date is taken from there: one
 * more hop. Without its answer the expiry is unknown; everything else that it states changes nothing.
 */
async function withExpiryByRdap(result: Conclusion, rdap: RdapRecord): Promise<Conclusion> {
  const { parsed, incomplete } = result;
  const answer = await rdap.read(EXPIRY_SHARE);
  const others = incomplete.filter((field) => field !== 'expirationDate');
  const unknown = { ...result, incomplete: [...others, 'expirationDate' as const] };
  if (!isNamedRecord(answer)) return unknown;
  const { expirationDate } = answer.reading.parsed;
  if (expirationDate !== null)
    return { ...result, incomplete: others, parsed: { ...parsed, expirationDate } };
  return answer.reading.incomplete.includes('expirationDate') ? unknown : result;
}

/** The root is the registry of top-level domains. */
async function lookUpTopLevelDomain(
  { root, unknownTldHint }: Parts,
  name: DomainName,
  protocols: ProtocolChoice,
  context: LookUpContext,
): Promise<Conclusion> {
  if (protocols === 'rdap') throw noRegistryService(name.tld, undefined, context.hops, protocols);
  const record = await root.read(name.tld, context).catch(toServerFault);
  if (record instanceof ServerFault) throw inconclusive([], [record], context.hops, undefined);
  if (record.outcome === 'unknown_tld') throw unknownTld(name.tld, context.hops, unknownTldHint);
  const { endpoint } = root;
  const service = { protocol: 'whois', source: 'root', endpoint } as const;
  const answer = readWhoisAnswer(record.raw, false, endpoint.host, name.tld);
  return conclude(name, { ...answer, service }, context.hops);
}

/**
 * Queries a registry's services in order until one gives a definite answer. Throttling is one too: the other service is
 * not used to circumvent it.
 */
async function queryUntilDefinite(
  { servers, verifyDenial }: Parts,
  { services, registry }: FoundServices,
  name: DomainName,
  context: LookUpContext,
): Promise<VerifiedAnswer> {
  const answers: VerifiedAnswer[] = [];
  const faults: ServerFault[] = [];
  for (const [index, service] of servers.deprioritizeTimedOut(services).entries()) {
    const deadline = context.shareOfTime(index === services.length - 1 ? 1 : SERVICE_SHARE);
    const response = followReferrals(servers.query, service, context, deadline);
    const attempt = await response
      .then((answer) => verifyDenial(answer, name, registry, deadline, context.signal))
      .catch(toServerFault);
    if (attempt instanceof ServerFault) {
      faults.push(attempt);
      if (isLimit(attempt)) break;
    } else {
      answers.push(attempt);
      if (!attempt.isTruncated && isDefinite(attempt.state)) return attempt;
    }
  }
  const part = answers.find(({ isTruncated }) => isTruncated);
  if (part !== undefined) return part;
  // "Invalid" counts only if no other service may know better.
  const [first] = answers;
  const isInvalid = faults.length === 0 && answers.every(({ state }) => state === 'invalid');
  if (first !== undefined && isInvalid) return first;
  throw inconclusive(answers, faults, context.hops, registry.website);
}

/** Whether no other server is queried for a better answer. */
const isDefinite = (state: VerifiedAnswer['state']): boolean => state === 'throttled' || isAboutName(state);

/**
 * The root may name a WHOIS server that only refers to another one. Of servers that refer in a circle or
 * in too long a chain, the first that stated more than a referral counts; without one it is a fault of the registry.
 */
async function followReferrals(
  queryServer: QueryServer,
  first: RegistryService,
  context: LookUpContext,
  deadline: number,
): Promise<ServerAnswer> {
  let answer = await queryServer(context, 'registry', first, deadline);
  const answers = [answer];
  for (;;) {
    const mayRefer: boolean = answer.service.protocol === 'whois' && !isDefinite(answer.state);
    const endpoint: HostPort | undefined = mayRefer ? readReferral(answer.raw)?.endpoint : undefined;
    if (endpoint === undefined) return answer;
    // A server in trouble may refer anywhere: nobody named this one.
    const next: RegistryService = { protocol: 'whois', source: 'list', endpoint };
    const isRepeated = answers.some(({ service }) => serverKey(service) === serverKey(next));
    const statement = answers.find(({ state }) => state !== 'broken');
    if ((isRepeated || context.isExhausted) && statement !== undefined) return statement;
    answer = await queryServer(context, 'registry', next, deadline);
    answers.push(answer);
  }
}
