import { LRUCache } from 'lru-cache';
import type { Clock } from '../../process/clock.ts';
import type { Logger } from '../../process/logger.ts';
import { withSignal } from '../../process/with-signal.ts';
import type { HostPort } from '../net/host-map.ts';
import { toServerFault } from '../net/server-fault.ts';
import { isSameShortAnswer, readShortAnswer } from '../whois/parsers/short-answer.ts';
import type { ServerAnswer } from './query-server.ts';
import type { DomainName } from './domain-name.ts';
import { evidenceOf } from '../record/registration-record.ts';
import type { ShortAnswer, RegistrationState } from '../record/registration-record.ts';

/**
 * Tests unknown texts of WHOIS servers instead of interpreting them. It queries the server for a registered name and
 * for an impossible one: a text that the server returns only for the impossible name is its denial.
 */
export interface Witnesses {
  /** Stores a registered name as the witness for its zone, and allows a new test there if the last had none. */
  noteRegistered: (answer: ServerAnswer, name: DomainName) => void;
  /** The answer as a denial, or undefined if not proved by `deadline` (monotonic ms). */
  proveDenial: (
    answer: ServerAnswer,
    name: DomainName,
    deadline: number,
    signal: AbortSignal | undefined,
  ) => Promise<ServerAnswer | undefined>;
}

interface WitnessesOptions {
  clock: Clock;
  log: Logger;
  /** From 0 up to 1. */
  random: () => number;
  /** Queries a registry's server for a name, within its limits. Rejects with a ServerFault. */
  query: (endpoint: HostPort, name: string, deadline: number) => Promise<ServerAnswer>;
}

/**
 * The result of a test: the server's text for unregistered names of a zone, or none. `untestable`: no name is known as
 * registered, or a query failed, was limited or got an unreadable answer, so nothing follows.
 */
type TestResult = ShortAnswer | 'no_denial' | 'untestable';

/** The test of one server for one zone, and the time of the next one. */
interface ServerTest {
  result: Promise<TestResult>;
  isUntestable: boolean;
  /** A text that only the random name got, perhaps of a failure: a name that gets it later is tested anew. */
  unconfirmed?: ShortAnswer;
  until: number;
}

const DAY_MS = 86_400_000;
const RETRY_UNTESTABLE_MS = 300_000;
/** States of a random name that say nothing about unregistered names, unless a short text is tested. */
const INCONCLUSIVE: ReadonlySet<RegistrationState> = new Set(['throttled', 'refused', 'broken']);
const MAX_ZONES = 2_000;
/** Maximum length of a denial; longer texts are not stored. */
const MAX_CHARACTERS = 2_000;
const RANDOM_LETTERS = 24;

/** A label of 24 random letters, which certainly nobody has registered. `random`: from 0 up to 1. */
function randomLabel(random: () => number): string {
  const letters = Array.from({ length: RANDOM_LETTERS }, () => 97 + Math.floor(random() * 26));
  return String.fromCharCode(...letters);
}

/** Aborted with `signal`, or after `ms`. */
function signalWithin(signal: AbortSignal | undefined, ms: number): AbortSignal {
  const timeout = AbortSignal.timeout(Math.max(0, Math.ceil(ms)));
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}

/**
 * Queries a registered name first. A server that is failing rarely answers this query, so it is not mistaken for a
 * denial. The name is in the same zone: a server sends one text for all names of a zone that it does not serve.
 */
async function runTest(
  { log, random, query }: WitnessesOptions,
  endpoint: HostPort,
  zone: string,
  knownName: string | undefined,
  deadline: number,
): Promise<TestResult> {
  const isRegistered = async (name: string) =>
    (await query(endpoint, name, deadline)).reading.state === 'registered';
  const hasWitness =
    (knownName !== undefined && (await isRegistered(knownName))) || (await isRegistered(`nic.${zone}`));
  if (!hasWitness) return 'untestable';
  const randomName = `${randomLabel(random)}.${zone}`;
  const answer = await query(endpoint, randomName, deadline);
  const denial = shortAnswerOf(answer, randomName);
  if (denial === null) return INCONCLUSIVE.has(answer.reading.state) ? 'untestable' : 'no_denial';
  log.info({ server: endpoint.host, lines: denial.lines }, 'the text for a random name');
  return denial;
}

export function createWitnesses(options: WitnessesOptions): Witnesses {
  const { clock, log } = options;
  const tests = new LRUCache<string, ServerTest>({ max: MAX_ZONES });
  const registered = new LRUCache<string, string>({ max: MAX_ZONES });

  /** Once a day per server and zone, sooner if it was not testable; concurrent look-ups share the test. */
  function testServer(
    endpoint: HostPort,
    { zone }: DomainName,
    unknown: ShortAnswer,
    deadline: number,
  ): Promise<TestResult> {
    const key = testKey(endpoint, zone);
    const now = clock.monotonic();
    const latest = tests.get(key);
    const isUnconfirmed = latest?.unconfirmed && isSameShortAnswer(unknown, latest.unconfirmed);
    if (latest !== undefined && now < latest.until && !isUnconfirmed) return latest.result;
    const ran = runTest(options, endpoint, zone, registered.get(key), deadline).catch((error: unknown) => {
      log.info({ server: endpoint.host, reason: toServerFault(error).message }, 'witness queries failed');
      return 'untestable' as const;
    });
    const result = ran.then((outcome) => {
      test.isUntestable = outcome === 'untestable';
      if (test.isUntestable) test.until = clock.monotonic() + RETRY_UNTESTABLE_MS;
      if (typeof outcome === 'object' && !isSameShortAnswer(unknown, outcome)) test.unconfirmed = outcome;
      return outcome;
    });
    const test: ServerTest = { result, isUntestable: false, until: now + DAY_MS };
    tests.set(key, test);
    return result;
  }

  return {
    noteRegistered: ({ endpoint, protocol }, { name, zone }) => {
      if (protocol !== 'whois' || endpoint === undefined) return;
      const key = testKey(endpoint, zone);
      registered.set(key, name);
      if (tests.get(key)?.isUntestable) tests.delete(key);
    },
    proveDenial: async (answer, name, deadline, signal) => {
      // Only answers by WHOIS have an endpoint.
      if (answer.endpoint === undefined) return undefined;
      const unknown = shortAnswerOf(answer, name.name);
      if (unknown === null) return undefined;
      const stop = signalWithin(signal, deadline - clock.monotonic());
      const tested = testServer(answer.endpoint, name, unknown, deadline);
      const denial = await withSignal(tested, stop).catch(() => 'untestable' as const);
      if (typeof denial === 'string' || !isSameShortAnswer(unknown, denial)) return undefined;
      return asDenial(answer, unknown);
    },
  };
}

const testKey = ({ host, port }: HostPort, zone: string) => `${host} ${port} ${zone}`;

/** The comparable form of an unknown text; null for any other answer. */
function shortAnswerOf({ reading, raw, server }: ServerAnswer, domain: string) {
  if (reading.state !== 'broken') return null;
  const short = readShortAnswer(raw, { server, domain });
  return short && short.lines.join('').length <= MAX_CHARACTERS ? short : null;
}

/** The answer as a denial, with its first line as evidence. */
function asDenial(answer: ServerAnswer, { firstLine }: ShortAnswer): ServerAnswer {
  const evidence = evidenceOf('witness', firstLine);
  return { ...answer, reading: { ...answer.reading, state: 'not_registered', evidence, contradictions: [] } };
}
