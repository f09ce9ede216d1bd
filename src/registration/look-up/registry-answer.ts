import { domainToASCII } from 'node:url';
import type { Clock } from '../../process/clock.ts';
import type { Endpoint } from '../net/host-map.ts';
import type { Journey, Protocol, Stop } from './journey.ts';
import type { RegistrationReading } from './registration-record.ts';
import { RegistryFault, toRegistryFault } from './registry-fault.ts';
import type { RegistryLimits } from './registry-limits.ts';
import type { SlowServers } from './slow-servers.ts';
import type { AskRdap } from '../rdap/client.ts';
import { parseRdap } from '../rdap/parse.ts';
import { decodeWhois } from '../whois/charset.ts';
import type { AskWhois } from '../whois/client.ts';
import { parseWhoisText } from '../whois/parsers/parse-whois-text.ts';
import { habitsOf, queryFor } from '../whois/servers.ts';

/** What one registry or registrar server said of a name. */
export interface RegistryAnswer {
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

export type Role = 'registry' | 'registrar';

/** Asks servers of either protocol within their limits, and reads what they say. */
export interface RegistryAsker {
  whois(
    journey: Journey,
    role: Role,
    endpoint: Endpoint,
    name: string,
    deadline: number,
  ): Promise<RegistryAnswer>;
  rdap(journey: Journey, role: Role, url: string, name: string, deadline: number): Promise<RegistryAnswer>;
}

export interface RegistryAskerOptions {
  clock: Clock;
  limits: RegistryLimits;
  slow: SlowServers;
  askWhois: AskWhois;
  askRdap: AskRdap;
}

/** Left alone for so long when the registry does not say. */
const DEFAULT_PAUSE_SECONDS = 60;
const MAX_PAUSE_SECONDS = 86_400;

export function createRegistryAsker(options: RegistryAskerOptions): RegistryAsker {
  const { clock, limits, slow } = options;

  function heed(server: string, reading: RegistrationReading): void {
    if (reading.state !== 'throttled') return;
    const stated = reading.retryAfterSeconds ?? DEFAULT_PAUSE_SECONDS;
    reading.retryAfterSeconds = Math.min(Math.max(1, Math.ceil(stated)), MAX_PAUSE_SECONDS);
    limits.leaveAlone(server, reading.retryAfterSeconds);
  }

  async function askWhoisServer(endpoint: Endpoint, name: string, deadline: number): Promise<RegistryAnswer> {
    const server = endpoint.host;
    let bytes: Buffer;
    let isTruncated = false;
    try {
      bytes = await limits.run(server, deadline, habitsOf(server).spacingMs, () =>
        options.askWhois(endpoint, queryFor(server, name), deadline),
      );
    } catch (error) {
      bytes = usablePart(error);
      isTruncated = true;
    }
    const raw = decodeWhois(bytes, server);
    const reading = parseWhoisText(raw, { server, domain: name });
    // Half an answer can show that a name is taken, never that it is free.
    if (isTruncated && !(reading.state === 'registered' && isAbout(reading, name))) {
      throw new RegistryFault('cut_off', { detail: `${server} broke off after ${bytes.length} bytes` });
    }
    return { protocol: 'whois', server, raw, reading, registrar: reading.registrarWhoisServer, isTruncated };
  }

  async function askRdapServer(url: URL, name: string, deadline: number): Promise<RegistryAnswer> {
    const answer = await limits.run(url.hostname, deadline, undefined, () =>
      options.askRdap(url.href, deadline),
    );
    const { registrarUrl, ...reading } = parseRdap(answer, name, clock.now());
    const { host: server, text: raw } = answer;
    return { protocol: 'rdap', server, raw, reading, registrar: registrarUrl, isTruncated: false };
  }

  /** One hop: notes what came of it, and remembers servers that throttle or let us wait in vain. */
  async function hopTo(
    journey: Journey,
    at: Stop,
    question: string,
    ask: () => Promise<RegistryAnswer>,
  ): Promise<RegistryAnswer> {
    const hop = journey.setOut(at, question);
    const { server } = at;
    try {
      const answer = await ask();
      heed(server, answer.reading);
      slow.noteAnswer(server);
      hop.arrive(answer.isTruncated ? 'cut_off' : answer.reading.state);
      return answer;
    } catch (error) {
      const fault = hop.fail(error);
      if (fault.reason === 'timeout') slow.noteSilence(server);
      throw fault;
    }
  }

  return {
    whois: (journey, role, endpoint, name, deadline) =>
      hopTo(journey, { server: endpoint.host, protocol: 'whois', role }, `${endpoint.port} ${name}`, () =>
        askWhoisServer(endpoint, name, deadline),
      ),
    rdap: async (journey, role, href, name, deadline) => {
      const url = new URL(href);
      return hopTo(journey, { server: url.hostname, protocol: 'rdap', role }, href, () =>
        askRdapServer(url, name, deadline),
      );
    },
  };
}

/** What came before the connection broke; all other faults go on. */
function usablePart(error: unknown): Buffer {
  const fault = toRegistryFault(error);
  if (fault.reason !== 'cut_off' || fault.part === undefined) throw fault;
  return fault.part;
}

/** Whether an answer states the very name that was asked for. */
export function isAbout(reading: RegistrationReading, name: string): boolean {
  const stated = reading.parsed.domainName;
  return stated !== null && (stated === name || domainToASCII(stated) === name);
}
