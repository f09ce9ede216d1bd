import { LRUCache } from 'lru-cache';
import type { Clock } from '../../process/clock.ts';
import type { Gate } from '../../upstream/gate.ts';
import type { HostPort } from '../net/host-map.ts';
import { ServerFault, toServerFault } from '../net/server-fault.ts';
import type { AskRdap } from '../rdap/client.ts';
import { parseRdap } from '../rdap/parse.ts';
import { decodeWhois } from '../whois/charset.ts';
import type { AskWhois } from '../whois/client.ts';
import { parseWhoisText } from '../whois/parsers/parse-whois-text.ts';
import { isAbout } from '../whois/parsers/same-name.ts';
import { queryFor } from '../whois/servers.ts';
import type { HopTarget, LookUpContext, Protocol } from './hops.ts';
import type { RegistrationReading, RegistrationState } from './registration-record.ts';
import type { Service } from './services.ts';

/** What one registry or registrar server said of a name. */
export interface ServerAnswer {
  protocol: Protocol;
  /** The host whose text is in `raw`. */
  server: string;
  raw: string;
  reading: RegistrationReading;
  /** Where the registrar says more: a WHOIS server (whois) or a URL (rdap), as stated. */
  registrar: string | null;
  /** The connection broke before the answer was over: something may be missing. */
  isTruncated: boolean;
}

/** Asks registries and registrars over either protocol, and reads what they say. */
export interface Servers {
  /** Asks one server within its limits. Rejects with a ServerFault. */
  ask: AskServer;
  /** The same services, those last whose servers have just let us wait in vain. */
  silentLast: (services: readonly Service[]) => readonly Service[];
}

export type AskServer = (
  context: LookUpContext,
  role: 'registry' | 'registrar',
  service: Service,
  name: string,
  deadline: number,
) => Promise<ServerAnswer>;

interface ServersOptions {
  clock: Clock;
  gate: Gate;
  askWhois: AskWhois;
  askRdap: AskRdap;
}

/** What an answer may say of the very name that it states. */
const SETTLED: ReadonlySet<RegistrationState> = new Set(['registered', 'not_registered', 'reserved']);
/** Left alone for so long when the registry does not say. */
const DEFAULT_PAUSE_SECONDS = 60;
const MAX_PAUSE_SECONDS = 86_400;
/** For so long after a time-out a server's other service goes first. */
const SILENCE_MS = 60_000;
const MAX_SILENT = 1_000;

export function createServers({ clock, gate, askWhois, askRdap }: ServersOptions): Servers {
  const silence = createSilence(clock);

  async function whois({ host, port }: HostPort, name: string, deadline: number): Promise<ServerAnswer> {
    const call = (signal: AbortSignal) => askWhois({ host, port }, queryFor(host, name), signal);
    const { bytes, isTruncated } = await gate.run(host, call, deadline).then(
      (whole) => ({ bytes: whole, isTruncated: false }),
      (error: unknown) => ({ bytes: usablePart(error), isTruncated: true }),
    );
    return readWhoisAnswer(bytes, isTruncated, host, name);
  }

  async function rdap(url: URL, isListed: boolean, name: string, deadline: number): Promise<ServerAnswer> {
    const answer = await gate.run(url.hostname, (signal) => askRdap(url.href, signal), deadline);
    const { registrarUrl: registrar, ...reading } = parseRdap(answer, { name, isListed });
    const { host: server, text: raw } = answer;
    return { protocol: 'rdap', server, raw, reading, registrar, isTruncated: false };
  }

  /** A server that throttles is left alone for as long as it asks. */
  function pauseIfThrottled(server: string, reading: RegistrationReading): void {
    if (reading.state !== 'throttled') return;
    const stated = reading.retryAfterSeconds ?? DEFAULT_PAUSE_SECONDS;
    reading.retryAfterSeconds = Math.min(Math.max(1, Math.ceil(stated)), MAX_PAUSE_SECONDS);
    gate.pause(server, reading.retryAfterSeconds);
  }

  const ask: AskServer = async (context, role, service, name, deadline) => {
    const { server, question } = targetOf(service, name);
    const target: HopTarget = { server, protocol: service.protocol, role };
    const call = () =>
      service.protocol === 'whois'
        ? whois(service.endpoint, name, deadline)
        : rdap(new URL(service.url), service.isListed, name, deadline);
    try {
      const answer = await context.hop(target, question, call, outcomeOf);
      silence.end(server);
      pauseIfThrottled(server, answer.reading);
      return answer;
    } catch (error) {
      const fault = toServerFault(error);
      if (fault.reason === 'timeout') silence.begin(server);
      throw fault;
    }
  };

  const isSilent = (service: Service) => silence.holds(targetOf(service, '').server);
  return {
    ask,
    silentLast: (services) => [
      ...services.filter((service) => !isSilent(service)),
      ...services.filter(isSilent),
    ],
  };
}

function readWhoisAnswer(bytes: Buffer, isTruncated: boolean, server: string, name: string): ServerAnswer {
  const raw = decodeWhois(bytes, server);
  // Where the connection broke, the last line may have lost its end.
  const text = isTruncated ? raw.slice(0, raw.lastIndexOf('\n') + 1) : raw;
  const reading = parseWhoisText(text, { server, domain: name });
  // The record of another name, or of the zone beside a referral, says nothing of this one.
  const { domainName } = reading.parsed;
  if (domainName !== null && !isAbout(domainName, name) && SETTLED.has(reading.state))
    reading.state = 'broken';
  // Half an answer can show that a name is taken, never that it is free.
  if (isTruncated && !(reading.state === 'registered' && domainName !== null)) {
    throw new ServerFault('cut_off', { detail: `${server} broke off after ${bytes.length} bytes` });
  }
  return { protocol: 'whois', server, raw, reading, registrar: reading.registrarWhoisServer, isTruncated };
}

/** Servers that have just let us wait in vain; forgotten after a minute, or as soon as they answer. */
function createSilence(clock: Clock) {
  const until = new LRUCache<string, number>({ max: MAX_SILENT });
  return {
    begin: (server: string) => void until.set(server, clock.monotonic() + SILENCE_MS),
    end: (server: string) => void until.delete(server),
    holds: (server: string) => clock.monotonic() < (until.get(server) ?? -Infinity),
  };
}

function targetOf(service: Service, name: string): { server: string; question: string } {
  if (service.protocol === 'rdap') return { server: new URL(service.url).hostname, question: service.url };
  const { host, port } = service.endpoint;
  return { server: host, question: `${port} ${name}` };
}

function outcomeOf({ isTruncated, reading }: ServerAnswer) {
  return isTruncated ? ('cut_off' as const) : reading.state;
}

/** What came before the connection broke; all other faults go on. */
function usablePart(error: unknown): Buffer {
  const fault = toServerFault(error);
  if (fault.reason !== 'cut_off' || fault.part === undefined) throw fault;
  return fault.part;
}

/** Whether a server that was asked has answered. */
export function isAnswer(attempt: ServerAnswer | ServerFault): attempt is ServerAnswer {
  return !(attempt instanceof ServerFault);
}
