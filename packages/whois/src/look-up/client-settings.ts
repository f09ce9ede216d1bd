import { parseEndpoint, parseHostMapping } from '../net/host-map.ts';
import { isRecord } from '../record/json.ts';
import type { Connect } from '../net/dial.ts';
import type { Log } from '../net/log.ts';
import type { Fetch } from '../rdap/http-get.ts';
import { DEFAULT_SETTINGS, IANA_BOOTSTRAP_URL } from './domain-look-up.ts';
import type { LookUpSettings } from './domain-look-up.ts';
import type { Gate } from './gate.ts';
import type { ProtocolChoice } from './hops.ts';

export interface LookUpClientOptions {
  /**
   * Protocols for queries to registries. `rdap` never uses port 43, and so does not query the root. Default `both`:
   * RDAP if there is no WHOIS, or its answer is not usable.
   */
  protocols?: ProtocolChoice;
  /**
   * Opens connections, for example through a proxy: for WHOIS and, without a `fetch`, for RDAP. Addresses are then not
   * checked, and `allowedCidrs` has no effect.
   */
  connect?: Connect;
  /** Sends RDAP requests, such as undici's fetch with a proxy. Default: `connect`, or own connections. */
  fetch?: Fetch;
  /** For a whole look-up, in milliseconds. Default 10,000. */
  timeoutMs?: number;
  /** The root WHOIS server, `host:port`. Default `whois.iana.org:43`. */
  whoisRoot?: string;
  /**
   * IANA's dns.json as parsed JSON, the URL to fetch it from every day, or `'bundled'` for the copy in the package.
   * Default: IANA's URL, with the bundled copy until the first fetch succeeds.
   */
  rdapBootstrap?: unknown;
  /** Other addresses of servers: `{'whois.nic.example': '127.0.0.1:4343'}`. */
  hostMap?: Readonly<Record<string, string>>;
  /** Allowed private and special address ranges. Default: none. */
  allowedCidrs?: readonly string[];
  /** Simultaneous queries to one registry server. Default 2. */
  concurrentPerRegistry?: number;
  /** Mean queries per second to one registry server; 0: no limit. Default 5. */
  perSecondPerRegistry?: number;
  /** User-Agent for RDAP servers. */
  userAgent?: string;
  /** Called with what happens: every query (`debug`), failures of servers (`warn`). Default: nothing is logged. */
  log?: Log;
  /**
   * Replaces the limits of queries to each server, for example by some that several processes share. `spacingOf` has the
   * spacing that a registry itself demands. `concurrentPerRegistry` and `perSecondPerRegistry` have then no effect.
   */
  gate?: Gate;
}

/** How an option is read: undefined for an invalid value. */
interface Option {
  /** What is allowed, for the message. */
  allowed: string;
  read: (given: unknown) => unknown;
}

const number = (least: number, unit: string): Option => ({
  allowed: `a number of ${unit}, ${least} or more`,
  read: (given) => (typeof given === 'number' && given >= least && given < Infinity ? given : undefined),
});
const callable = (allowed: string): Option => ({
  allowed,
  read: (given) => (typeof given === 'function' ? given : undefined),
});

function readHostMap(given: unknown): LookUpSettings['hostMap'] | undefined {
  if (!isRecord(given)) return undefined;
  const pairs = Object.entries(given).map(([name, address]) =>
    parseHostMapping(`${name}=${String(address)}`),
  );
  const read = pairs.filter((pair) => pair !== undefined);
  return read.length === pairs.length ? new Map(read) : undefined;
}

function readBootstrapOption(given: unknown): LookUpSettings['rdapBootstrap'] | undefined {
  if (typeof given !== 'string') return { json: given };
  if (given === 'bundled') return {};
  return URL.canParse(given) ? { url: given } : undefined;
}

const OPTIONS = {
  protocols: {
    allowed: 'one of both, rdap, whois',
    read: (given) => ['both', 'rdap', 'whois'].find((each) => each === given),
  },
  connect: callable('a function that opens a connection'),
  fetch: callable('a function like fetch'),
  log: callable('a function'),
  gate: {
    allowed: 'an object with a function run',
    read: (given) => (isRecord(given) && typeof given['run'] === 'function' ? given : undefined),
  },
  timeoutMs: number(1, 'milliseconds'),
  concurrentPerRegistry: number(1, 'queries'),
  perSecondPerRegistry: number(0, 'queries a second'),
  whoisRoot: {
    allowed: 'host:port',
    read: (given) => (typeof given === 'string' ? parseEndpoint(given) : undefined),
  },
  rdapBootstrap: {
    allowed: `JSON, "bundled" or a URL such as ${IANA_BOOTSTRAP_URL}`,
    read: readBootstrapOption,
  },
  hostMap: { allowed: 'an object of names with host:port', read: readHostMap },
  allowedCidrs: {
    allowed: 'a list of address ranges',
    read: (given) =>
      Array.isArray(given) && given.every((each) => typeof each === 'string') ? given : undefined,
  },
  userAgent: {
    allowed: 'a text that a header can have',
    read: (given) => (typeof given === 'string' && /^[ -~]+$/.test(given) ? given : undefined),
  },
} satisfies Record<keyof LookUpClientOptions, Option>;

const NAMES = Object.keys(OPTIONS);

/** The settings of a client. Throws TypeError for an unknown option or an invalid value, which it names. */
export function settingsOf(options: LookUpClientOptions): LookUpSettings {
  if (!isRecord(options)) throw new TypeError('the settings must be an object');
  const settings: Record<string, unknown> = {
    ...DEFAULT_SETTINGS,
    rdapBootstrap: { url: IANA_BOOTSTRAP_URL },
  };
  for (const [name, given] of Object.entries<unknown>(options)) {
    if (!Object.hasOwn(OPTIONS, name))
      throw new TypeError(`there is no option ${name}; the nearest is ${nearestTo(name)}`);
    if (given === undefined) continue;
    const { allowed, read } = OPTIONS[name as keyof typeof OPTIONS];
    const value = read(given);
    if (value === undefined) throw new TypeError(`${name} must be ${allowed}, not ${shown(given)}`);
    settings[name] = value;
  }
  return settings as unknown as LookUpSettings;
}

const shown = (given: unknown): string =>
  (typeof given === 'string' ? JSON.stringify(given) : String(given)).slice(0, 100);

/** The option with the most pairs of letters in common. */
function nearestTo(name: string): string {
  const pairsOf = (text: string) =>
    new Set(Array.from(text.toLowerCase(), (letter, at) => letter + text.charAt(at + 1).toLowerCase()));
  const pairs = pairsOf(name);
  const common = (option: string) =>
    [...pairsOf(option)].filter((pair) => pairs.has(pair)).length / (option.length + name.length);
  return NAMES.reduce((best, option) => (common(option) > common(best) ? option : best));
}
