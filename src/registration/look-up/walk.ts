import type { Clock } from '../../process/clock.ts';
import type { Logger } from '../../process/logger.ts';
import { withSignal } from '../../process/with-signal.ts';
import type { HostPort } from '../net/host-map.ts';
import { ServerFault, toServerFault } from '../net/server-fault.ts';
import type { FaultReason } from '../net/server-fault.ts';
import type { BootstrapSource } from '../rdap/bootstrap-source.ts';
import { parseWhoisText } from '../whois/parsers/parse-whois-text.ts';
import { readReferral } from '../whois/referral.ts';
import { isAnswer } from './ask-server.ts';
import type { AskServer, ServerAnswer, Servers } from './ask-server.ts';
import { daysLeft } from './days-left.ts';
import type { DomainName } from './domain-name.ts';
import { LookUpContext } from './hops.ts';
import type { Hop, Protocol } from './hops.ts';
import { withRegistrar } from './registrar.ts';
import { conclude, inconclusive, noRegistryService, unknownTld } from './result.ts';
import type { Conclusion, LookUpResult } from './result.ts';
import type { Root } from './root.ts';
import { servicesOf, websiteOf } from './services.ts';
import type { RegistryTable, RegistryService } from './services.ts';
import type { Witnesses } from './witnesses.ts';

interface WalkParts {
  clock: Clock;
  log: Logger;
  root: Root;
  servers: Servers;
  witnesses: Witnesses;
  table: RegistryTable;
  bootstrap: BootstrapSource;
  /** For a whole look-up, all hops together. */
  timeoutMs: number;
  services: Services;
  /** Told of every server asked. */
  observeHop: (hop: Hop) => void;
  /** What an unknown top-level domain is told beside that it is unknown. */
  unknownTldHint: string;
}

export type Follow = 'registry' | 'registrar';

/** Over which protocols a registry may be asked. With `rdap` the root is not asked either: it speaks WHOIS alone. */
export type Services = 'both' | Protocol;

/**
 * Looks a name up. Rejects with a ServiceError: see the registration service's errors. Equal look-ups at the same time
 * are not shared here: the response cache does that for HTTP, index.ts for programs.
 */
export type WalkToRegistry = (name: DomainName, follow: Follow, call?: LookUpCall) => Promise<LookUpResult>;

export interface LookUpCall {
  /** Ends the look-up, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** On whose behalf registries are asked: those of one network wait behind each other. */
  client?: string | undefined;
  /** Default: those of the settings. */
  services?: Services | undefined;
}

/** The registry is not to be asked now: nor by its other service. */
const LIMITED: ReadonlySet<FaultReason> = new Set(['paused', 'busy']);
/** The bootstrap may have to be fetched first; most of the time belongs to the registry. */
const BOOTSTRAP_SHARE = 0.3;
/** What a service may use of the remaining time while another one could still be asked. */
const SERVICE_SHARE = 0.6;

/** From the root to the registry, and on to the registrar when asked: the whole story. */
export function createLookUp(parts: WalkParts): WalkToRegistry {
  const { clock, log, root, servers, witnesses, table, bootstrap, timeoutMs, observeHop } = parts;

  async function walk(
    name: DomainName,
    follow: Follow,
    wanted: Services,
    context: LookUpContext,
  ): Promise<Conclusion> {
    if (name.zone === '') return topLevelDomain(parts, name, wanted, context);

    const needsRoot = !table.hasOwnRegistry(name.zone) && wanted !== 'rdap';
    const rootAnswer = needsRoot ? await root.find(name.tld, context).catch(toServerFault) : undefined;
    if (!(rootAnswer instanceof ServerFault) && rootAnswer?.outcome === 'unknown_tld') {
      throw unknownTld(name.tld, context.hops, parts.unknownTldHint);
    }
    const deadline = context.shareOfTime(BOOTSTRAP_SHARE);
    const bases = wanted === 'whois' ? [] : await bootstrap.basesFor(name.name, deadline);
    const services = servicesOf(name, rootAnswer, table, bases).filter(
      ({ protocol }) => wanted === 'both' || protocol === wanted,
    );
    const website = websiteOf(name, rootAnswer, table);
    if (services.length === 0) {
      if (rootAnswer instanceof ServerFault) throw inconclusive([rootAnswer], context.hops, website);
      throw noRegistryService(name.zone, website, context.hops, wanted);
    }
    const answer = await askUntilSettled(parts, services, name, context, website);
    if (answer.reading.state === 'registered') witnesses.noteRegistered(answer, name);
    const result = conclude(name, answer, context.hops);
    if (follow === 'registry') return result;
    return withRegistrar(servers.query, result, answer, services, name.name, context);
  }

  return async function lookUp(name, follow, { signal, client, services = parts.services } = {}) {
    const context = new LookUpContext({ clock, log, name: name.name, timeoutMs, observeHop, signal, client });
    const walked = walk(name, follow, services, context).then((found) => ({
      ...found,
      daysLeft: daysLeft(found.parsed.expirationDate, clock.now()),
    }));
    return signal ? withSignal(walked, signal) : walked;
  };
}

/** The root is the registry of top-level domains. */
async function topLevelDomain(
  { root, unknownTldHint }: WalkParts,
  name: DomainName,
  wanted: Services,
  context: LookUpContext,
): Promise<Conclusion> {
  if (wanted === 'rdap') throw noRegistryService(name.tld, undefined, context.hops, wanted);
  const record = await root.read(name.tld, context).catch(toServerFault);
  if (record instanceof ServerFault) throw inconclusive([record], context.hops, undefined);
  const { answer, raw } = record;
  if (answer.outcome === 'unknown_tld') throw unknownTld(name.tld, context.hops, unknownTldHint);
  const reading = parseWhoisText(raw, { server: root.server, domain: name.tld });
  const from = { protocol: 'whois', server: root.server, registrar: null, isTruncated: false } as const;
  return conclude(name, { ...from, raw, reading }, context.hops);
}

/**
 * Asks a registry's services one after the other until one settles the question. A registry that asks us to slow
 * down has settled it too: its other service is not used to get around that.
 */
async function askUntilSettled(
  { servers, witnesses }: WalkParts,
  services: readonly RegistryService[],
  name: DomainName,
  context: LookUpContext,
  website: string | undefined,
): Promise<ServerAnswer> {
  const attempts: (ServerAnswer | ServerFault)[] = [];
  for (const [index, service] of servers.timedOutLast(services).entries()) {
    const deadline = context.shareOfTime(index === services.length - 1 ? 1 : SERVICE_SHARE);
    const asked = followReferrals(servers.query, service, name.name, context, deadline);
    const attempt = await asked.catch(toServerFault);
    attempts.push(attempt);
    if (isAnswer(attempt) && isSettled(attempt)) return attempt;
    if (!isAnswer(attempt) && LIMITED.has(attempt.reason)) break;
  }
  const answers = attempts.filter(isAnswer);
  const part = answers.find(({ isTruncated }) => isTruncated);
  if (part !== undefined) return part;
  // "Invalid" is believed when nobody was out of reach who could have known better.
  const invalid = answers.find(({ reading }) => reading.state === 'invalid');
  if (invalid !== undefined && answers.length === attempts.length) return invalid;
  const proved = await provedDenial(witnesses, attempts, name, context);
  if (proved !== undefined) return proved;
  throw inconclusive(attempts, context.hops, website);
}

/** Only where no RDAP server has answered, and the registry does not ask us to wait. */
async function provedDenial(
  witnesses: Witnesses,
  attempts: readonly (ServerAnswer | ServerFault)[],
  name: DomainName,
  context: LookUpContext,
): Promise<ServerAnswer | undefined> {
  const [unknown, ...others] = attempts.filter(isAnswer);
  const isLimited = attempts.some((attempt) => !isAnswer(attempt) && LIMITED.has(attempt.reason));
  if (unknown === undefined || others.length > 0 || isLimited) return undefined;
  return witnesses.proveDenial(unknown, name, context.shareOfTime(1), context.signal);
}

function isSettled({ isTruncated, reading }: ServerAnswer): boolean {
  return !isTruncated && ['registered', 'not_registered', 'reserved', 'throttled'].includes(reading.state);
}

/** The root may name a WHOIS server that knows only which server to ask. */
async function followReferrals(
  ask: AskServer,
  first: RegistryService,
  name: string,
  context: LookUpContext,
  deadline: number,
): Promise<ServerAnswer> {
  let answer = await ask(context, 'registry', first, name, deadline);
  for (;;) {
    const endpoint: HostPort | undefined = mayRefer(answer) ? readReferral(answer.raw)?.endpoint : undefined;
    if (endpoint === undefined) return answer;
    answer = await ask(context, 'registry', { protocol: 'whois', endpoint }, name, deadline);
  }
}

/** A WHOIS answer that settles nothing. */
function mayRefer({ protocol, reading }: ServerAnswer): boolean {
  return protocol === 'whois' && ['broken', 'refused', 'invalid'].includes(reading.state);
}
