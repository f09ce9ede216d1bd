import { waitSeconds } from '@mokuroku/kit/requests';
import type { HostPort } from '../net/host-map.ts';
import { ServerFault, toServerFault } from '../net/server-fault.ts';
import type { FetchRdap, RdapAnswer } from '../rdap/client.ts';
import { parseRdap } from '../rdap/parse.ts';
import { decodeWhois } from '../whois/charset.ts';
import type { QueryWhois } from '../whois/client.ts';
import { parseWhoisText } from '../whois/parsers/parse-whois-text.ts';
import { isQueriedName } from '../whois/parsers/names.ts';
import { queryFor } from '../whois/servers.ts';
import { isAboutName } from './hops.ts';
import type { HopOutcome, HopTarget, HttpStatus, LookUpContext } from './hops.ts';
import type { RegistrationReading, RegistrationState, Stated } from '../record/registration-record.ts';
import type { RegistryGate, RegistryRequest } from './gate.ts';
import type { RegistryService } from './services.ts';

/** The answer of a registry's or registrar's server. */
export interface ServerAnswer {
  /** The host that sent `raw`. */
  server: string;
  raw: string;
  /** What it says of the queried name: `broken` also if it is about another one. */
  state: RegistrationState;
  /** Within our bounds, of a throttling answer. */
  retryAfterSeconds: number | null;
  /** As the parser read it. */
  reading: Omit<RegistrationReading, 'state' | 'retryAfterSeconds'>;
  /** The registrar's WHOIS server (whois) or URL (rdap), as stated. */
  registrar: Stated<string>;
  /** The queried service. */
  service: RegistryService;
  /** False if another host answered, after a redirect. */
  isOwn: boolean;
  /** True if the connection broke early: facts may be missing. */
  isTruncated: boolean;
  /** The status of an RDAP error about anything but the name. */
  httpStatus?: HttpStatus;
}

/** Queries registries and registrars over either protocol, and parses their answers. */
export interface RegistryClient {
  /** Queries a server within its limits. Rejects with a ServerFault. */
  query: QueryServer;
  /** Queries a server for a control name; not counted as a hop. Rejects with a ServerFault. */
  queryAlone: QueryAlone;
  /** The same services, with recently timed out servers last. */
  deprioritizeTimedOut: (services: readonly RegistryService[]) => readonly RegistryService[];
}

export type QueryServer = (
  context: LookUpContext,
  role: 'registry' | 'registrar',
  service: RegistryService,
  deadline: number,
) => Promise<ServerAnswer>;

/** `deadline` in monotonic milliseconds. */
export type QueryAlone = (service: RegistryService, name: string, deadline: number) => Promise<ServerAnswer>;

type RdapService = Extract<RegistryService, { protocol: 'rdap' }>;

interface ServersOptions {
  gate: RegistryGate;
  queryWhois: QueryWhois;
  fetchRdap: FetchRdap;
}

/** How long a server that timed out is queried after the others. */
const LAST_FOR_MS = 60_000;
/** The wait after throttling by a registry that states no time. */
export const DEFAULT_PAUSE_SECONDS = 60;
/** The longest wait that is read from free text, where a number may mean something else. */
const MAX_WHOIS_PAUSE_SECONDS = 300;

export function createRegistryClient({ gate, queryWhois, fetchRdap }: ServersOptions): RegistryClient {
  async function queryByWhois(request: RegistryRequest, endpoint: HostPort): Promise<ReadAnswer> {
    const { name, server } = request;
    const query = queryFor(server, name);
    const received = gate.run(request, (signal) => queryWhois(endpoint, query, signal));
    const { bytes, isTruncated } = await received.then(
      (whole) => ({ bytes: whole, isTruncated: false }),
      (error: unknown) => ({ bytes: requireReceivedBytes(error), isTruncated: true }),
    );
    return readWhoisAnswer(decodeWhois(bytes, server), isTruncated, server, name);
  }

  async function queryByRdap(request: RegistryRequest, url: string): Promise<ReadAnswer> {
    return readRdapAnswer(await gate.run(request, (signal) => fetchRdap(url, signal)), request.name);
  }

  async function queryService(request: RegistryRequest, service: RegistryService): Promise<ServerAnswer> {
    const read = await (service.protocol === 'whois'
      ? queryByWhois(request, service.endpoint)
      : queryByRdap(request, rdapUrl(service, request.name)));
    return noteAnswer(gate, request, { ...read, service });
  }

  const query: QueryServer = async (context, role, service, deadline) => {
    const { name, signal, client } = context;
    const { server, question } = targetOf(service, name);
    const target: HopTarget = { server, protocol: service.protocol, role };
    const request: RegistryRequest = { server, name, deadline, signal, client };
    return context.hop(target, question, () => queryService(request, service), answerOutcome);
  };

  return {
    query,
    queryAlone: (service, name, deadline) =>
      queryService({ server: targetOf(service, name).server, name, deadline }, service),
    deprioritizeTimedOut: (services) => {
      const timedOut = services.filter((service) =>
        gate.healthOf(targetOf(service, '').server).timedOutWithin(LAST_FOR_MS),
      );
      return [...services.filter((service) => !timedOut.includes(service)), ...timedOut];
    },
  };
}

/** An answer as read from what a server sent. */
type ReadAnswer = Omit<ServerAnswer, 'service'>;

function readRdapAnswer(answer: RdapAnswer, name: string): ReadAnswer {
  const { registrarUrl: registrar, state, retryAfterSeconds, ...reading } = parseRdap(answer, { name });
  const { host: server, text: raw, status, isAuthoritative: isOwn } = answer;
  const isStatusAlone = ['broken', 'refused'].includes(state) && status !== 200 && status !== 404;
  const more = { isTruncated: false, ...(isStatusAlone && { httpStatus: `HTTP ${status}` as const }) };
  return { server, raw, state, retryAfterSeconds, reading, registrar, isOwn, ...more };
}

/**
 * Gives a throttling answer a wait within the accepted bounds, and its server a pause if a known sentence throttles:
 * unknown words may concern the name.
 */
function noteAnswer(
  gate: RegistryGate,
  { server, name }: RegistryRequest,
  answer: ServerAnswer,
): ServerAnswer {
  const { state, service, reading } = answer;
  const health = gate.healthOf(server);
  if (isAboutName(state)) health.resume();
  if (state !== 'throttled' && reading.isKnownThrottling !== true) return answer;
  const stated = waitSeconds(answer.retryAfterSeconds ?? DEFAULT_PAUSE_SECONDS);
  const most = service.protocol === 'whois' ? MAX_WHOIS_PAUSE_SECONDS : Infinity;
  const retryAfterSeconds = Math.min(stated, most);
  if (reading.isKnownThrottling === true) health.pause(retryAfterSeconds, name);
  return { ...answer, retryAfterSeconds };
}

/** Throws a ServerFault for a truncated text that proves nothing. */
export function readWhoisAnswer(raw: string, isTruncated: boolean, server: string, name: string): ReadAnswer {
  // If the connection broke, the last line may be truncated.
  const text = isTruncated ? raw.slice(0, raw.lastIndexOf('\n') + 1) : raw;
  const { state: stated, retryAfterSeconds, ...reading } = parseWhoisText(text, { server, domain: name });
  // The record of another name, or of the zone beside a referral, is ignored.
  const { domainName } = reading.parsed;
  const isOfAnother = domainName !== null && !isQueriedName(domainName, name) && isAboutName(stated);
  const state = isOfAnother ? 'broken' : stated;
  // A truncated answer can prove that a name is registered, but not that it is available.
  if (isTruncated && !(state === 'registered' && domainName !== null)) {
    throw new ServerFault('cut_off', {
      detail: `${server} closed the connection after ${raw.length} characters`,
    });
  }
  const { registrarWhoisServer: registrar } = reading;
  return { server, raw, state, retryAfterSeconds, reading, registrar, isOwn: true, isTruncated };
}

const rdapUrl = (service: RdapService, name: string): string =>
  service.source === 'registry' ? service.base : `${service.base}domain/${name}`;

function targetOf(service: RegistryService, name: string): { server: string; question: string } {
  if (service.protocol === 'rdap') {
    const question = rdapUrl(service, name);
    return { server: new URL(question).hostname, question };
  }
  const { host, port } = service.endpoint;
  return { server: host, question: `${port} ${name}` };
}

function answerOutcome({ isTruncated, state, httpStatus }: ServerAnswer): HopOutcome {
  if (isTruncated) return 'cut_off';
  return state === 'broken' && httpStatus !== undefined ? httpStatus : state;
}

/** The part received before the connection broke; other faults are rethrown. */
function requireReceivedBytes(error: unknown): Buffer {
  const fault = toServerFault(error);
  if (fault.reason !== 'cut_off' || fault.part === undefined) throw fault;
  return fault.part;
}
