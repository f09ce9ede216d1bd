import { LRUCache } from 'lru-cache';
import type { Clock } from '../../process/clock.ts';
import type { Endpoint } from '../net/host-map.ts';
import type { HopOutcome, Journey } from './journey.ts';
import { RegistryFault } from './registry-fault.ts';
import type { RegistryLimits } from './registry-limits.ts';
import { decodeWhois } from '../whois/charset.ts';
import type { AskWhois } from '../whois/client.ts';
import { readReferral } from '../whois/referral.ts';

/** What the root says of a TLD. */
export interface RootAnswer {
  outcome: Extract<HopOutcome, 'referral' | 'no_referral' | 'unknown_tld'>;
  /** The registry's WHOIS server. */
  endpoint: Endpoint | undefined;
  /** The registry's web address, where the root names one and no WHOIS server. */
  website: string | undefined;
}

/** The root's own record of a TLD. */
export interface RootRecord {
  answer: RootAnswer;
  raw: string;
}

export interface RootDirectory {
  /** Host name of the root server. */
  readonly server: string;
  /** The root's answer, kept a day. Rejects with a RegistryFault; for ten seconds after a time-out the root is not asked again. */
  find(tld: string, journey: Journey): Promise<RootAnswer>;
  /** The root's record of the TLD, asked for anew. Rejects with a RegistryFault. */
  read(tld: string, journey: Journey): Promise<RootRecord>;
}

export interface RootDirectoryOptions {
  clock: Clock;
  limits: RegistryLimits;
  askWhois: AskWhois;
  root: Endpoint;
}

const DAY_MS = 86_400_000;
/** Long enough that look-ups do not each wait for a root that is silent, short enough to find it when it is back. */
const PAUSE_MS = 10_000;
/** Twice the number of TLDs. */
const MAX_TLDS = 3_000;
/** The root answers in a fraction of a second or not at all; most of the time belongs to the registry. */
const SHARE_OF_TIME = 0.4;

interface Kept {
  answer: RootAnswer;
  until: number;
}

export function createRootDirectory(options: RootDirectoryOptions): RootDirectory {
  const { clock, root, limits } = options;
  const kept = new LRUCache<string, Kept>({ max: MAX_TLDS });
  const underWay = new Map<string, Promise<RootRecord>>();
  const at = { server: root.host, protocol: 'whois', role: 'root' } as const;
  let deadUntil = 0;

  async function ask(tld: string, deadline: number): Promise<RootRecord> {
    try {
      const bytes = await limits.run(root.host, deadline, undefined, () =>
        options.askWhois(root, tld, deadline),
      );
      const raw = decodeWhois(bytes, root.host);
      const answer = readRootAnswer(raw);
      kept.set(tld, { answer, until: clock.now() + DAY_MS });
      return { answer, raw };
    } catch (error) {
      if (error instanceof RegistryFault && error.reason === 'timeout') deadUntil = clock.now() + PAUSE_MS;
      throw error;
    } finally {
      underWay.delete(tld);
    }
  }

  function askOnce(tld: string, deadline: number): Promise<RootRecord> {
    const same = underWay.get(tld);
    if (same) return same;
    const asked = ask(tld, deadline);
    underWay.set(tld, asked);
    return asked;
  }

  async function read(tld: string, journey: Journey): Promise<RootRecord> {
    const hop = journey.setOut(at, tld);
    try {
      const record = await askOnce(tld, journey.shareOfTime(SHARE_OF_TIME));
      hop.arrive(record.answer.outcome);
      return record;
    } catch (error) {
      throw hop.fail(error);
    }
  }

  return {
    server: root.host,
    read,
    find: async (tld, journey) => {
      const known = kept.get(tld);
      const now = clock.now();
      if (known && (now < known.until || now < deadUntil)) {
        journey.noteKnown(at, known.answer.outcome);
        return known.answer;
      }
      if (now < deadUntil) {
        throw new RegistryFault('unreachable', { detail: 'the root did not answer just now' });
      }
      try {
        return (await read(tld, journey)).answer;
      } catch (error) {
        if (known) return known.answer;
        throw error;
      }
    },
  };
}

const WEBSITE = /^remarks:[ \t]{0,20}Registration information:[ \t]{0,20}(https?:\/\/[^\s"'<>]{1,200})$/im;

/**
 * IANA's form: `% This query returned 0 objects.`, else an object with `domain:` and perhaps `refer:` and `whois:`.
 * Throws RegistryFault `bad_answer` for anything else, and for a referral to what cannot be a public server.
 */
export function readRootAnswer(raw: string): RootAnswer {
  const referral = readReferral(raw);
  if (referral?.endpoint) {
    return { outcome: 'referral', endpoint: detached(referral.endpoint), website: undefined };
  }
  if (referral) {
    throw new RegistryFault('bad_answer', { detail: `refers to ${referral.stated.slice(0, 100)}` });
  }
  const website = WEBSITE.exec(raw)?.[1];
  const known = { endpoint: undefined, website: website && copyOf(website) };
  if (/returned 0 objects/i.test(raw)) return { outcome: 'unknown_tld', ...known };
  if (/^domain:/im.test(raw)) return { outcome: 'no_referral', ...known };
  throw new RegistryFault('bad_answer', { detail: `${raw.length} characters that are no answer of a root` });
}

function detached({ host, port }: Endpoint): Endpoint {
  return { host: copyOf(host), port };
}

/** A part of a text keeps the whole text in memory; what is kept for a day should not. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}
