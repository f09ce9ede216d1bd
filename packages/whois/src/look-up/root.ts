import type { Clock } from '@mokuroku/kit/clock';
import type { HostPort } from '../net/host-map.ts';
import { Memory } from '../net/memory.ts';
import { ServerFault } from '../net/server-fault.ts';
import { decodeWhois } from '../whois/charset.ts';
import type { QueryWhois } from '../whois/client.ts';
import { isSameName } from '../whois/parsers/names.ts';
import { readReferral } from '../whois/servers.ts';
import type { HopOutcome, LookUpContext } from './hops.ts';
import type { RegistryGate } from './gate.ts';

/** The root's answer about a TLD. */
export interface RootAnswer {
  outcome: Extract<HopOutcome, 'referral' | 'no_referral' | 'unknown_tld'>;
  /** The registry's WHOIS server. */
  endpoint: HostPort | undefined;
  /** The registry's web page. */
  website: string | undefined;
}

/** With its text. */
interface RootRecord extends RootAnswer {
  raw: string;
}

export interface Root {
  readonly endpoint: HostPort;
  /**
   * The root's answer, cached for a day. Rejects with a ServerFault. While the root fails, an older referral is used,
   * but no older absence; for ten seconds after a timeout it is not queried.
   */
  find(tld: string, context: LookUpContext): Promise<RootAnswer>;
  /** Queries the root's record of the TLD. Rejects with a ServerFault. */
  read(tld: string, context: LookUpContext): Promise<RootRecord>;
}

interface RootOptions {
  clock: Clock;
  gate: Pick<RegistryGate, 'run' | 'healthOf'>;
  queryWhois: QueryWhois;
  endpoint: HostPort;
}

const DAY_MS = 86_400_000;
/** Long enough that not every look-up waits for a silent root, short enough to notice its return. */
const SILENT_MS = 10_000;
/** Twice the number of TLDs. */
const MAX_TLDS = 3_000;
/** The root answers in a fraction of a second or not at all. */
const SHARE_OF_TIME = 0.4;

export function createRoot({ clock, gate, queryWhois, endpoint }: RootOptions): Root {
  const target = { server: endpoint.host, protocol: 'whois', role: 'root' } as const;
  const records = new Memory<RootRecord>({ clock, max: MAX_TLDS, lifetimeMs: () => DAY_MS });
  const isSilent = () => gate.healthOf(endpoint.host).timedOutWithin(SILENT_MS);

  async function queryRoot(tld: string, deadline: number, client: string | undefined): Promise<RootRecord> {
    // Without a signal, because other look-ups may wait for the same answer.
    const request = { server: endpoint.host, name: tld, deadline, client };
    const bytes = await gate.run(request, (signal) => queryWhois(endpoint, tld, signal));
    const raw = decodeWhois(bytes, endpoint.host);
    return { ...readRootAnswer(raw, tld), raw };
  }

  async function read(tld: string, context: LookUpContext): Promise<RootRecord> {
    if (isSilent()) throw new ServerFault('unreachable', { detail: 'the root timed out recently' });
    const deadline = context.shareOfTime(SHARE_OF_TIME);
    const query = () => records.load(tld, () => queryRoot(tld, deadline, context.client));
    return context.hop(target, tld, query, ({ outcome }) => outcome);
  }

  async function find(tld: string, context: LookUpContext): Promise<RootAnswer> {
    const { value, isFresh = false } = records.get(tld) ?? {};
    const answer = isFresh || value?.outcome === 'referral' ? value : undefined;
    if (answer !== undefined && (isFresh || isSilent())) {
      context.noteKnown(target, answer.outcome);
      return answer;
    }
    try {
      return await read(tld, context);
    } catch (error) {
      if (answer !== undefined) return answer;
      throw error;
    }
  }

  return { endpoint, find, read };
}

const WEBSITE = /^remarks:[ \t]{0,20}Registration information:[ \t]{0,20}(https?:\/\/[^\s"'<>]{1,200})$/im;

/** A line of its own: an error, a web page or a remark may mention the words, and the absence is believed for a day. */
const NO_OBJECT = /^%[ \t]{0,20}This query returned 0 objects\.?[ \t\r]*$/im;

/** The last of each object: without it the answer was cut off, perhaps before `whois:` (112 answers of 2026-07). */
const LAST_LINE = /^source:/im;

/** Of a name in Unicode, IANA states both forms. */
const OBJECT_NAME = /^domain(?:-ace)?:[ \t]*(\S{1,254})/gim;

/**
 * Parses IANA's form: `% This query returned 0 objects.`, or an object with `domain:` and perhaps `refer:` and
 * `whois:`. Throws ServerFault `bad_answer` for anything else, for a referral to an invalid server, and for the object of
 * another domain, whose server may deny every name of this one.
 */
export function readRootAnswer(raw: string, tld: string): RootAnswer {
  const names = Array.from(raw.matchAll(OBJECT_NAME), ([, name = '']) => name.toLowerCase());
  if (names.length > 0 && !names.some((name) => isSameName(name, tld))) {
    throw new ServerFault('bad_answer', { detail: `is about ${names.join(' ').slice(0, 100)}` });
  }
  const referral = readReferral(raw);
  const website = WEBSITE.exec(raw)?.[1];
  const unreferred = { endpoint: undefined, website };
  if (referral?.endpoint) return { ...unreferred, outcome: 'referral', endpoint: referral.endpoint };
  if (referral) {
    throw new ServerFault('bad_answer', { detail: `refers to ${referral.stated.slice(0, 100)}` });
  }
  if (NO_OBJECT.test(raw)) return { outcome: 'unknown_tld', ...unreferred };
  if (/^domain:/im.test(raw) && LAST_LINE.test(raw)) return { outcome: 'no_referral', ...unreferred };
  throw new ServerFault('bad_answer', { detail: `${raw.length} characters that are not a root's answer` });
}
