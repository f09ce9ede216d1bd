import { domainToASCII } from 'node:url';
import { nearestWord } from '@mokuroku/kit/nearest';
import type { Connect } from '../net/dial.ts';
import { parseEndpoint, parseHostMapping } from '../net/host-map.ts';
import type { HostMap, HostPort } from '../net/host-map.ts';
import type { Log } from '../net/log.ts';
import { mapRows } from '../record/fields.ts';
import { isRecord } from '@mokuroku/kit';
import type { Fetch } from '../rdap/http-get.ts';
import { WHOIS_PORT } from '../whois/servers.ts';
import type { Gate } from './gate.ts';
import { PROTOCOL_CHOICES } from './hops.ts';
import type { ProtocolChoice } from './hops.ts';
import type { Follow } from './look-up.ts';
import type { NamedService } from './services.ts';

export const LIVE_ROOT: HostPort = { host: 'whois.iana.org', port: WHOIS_PORT };
export const IANA_BOOTSTRAP_URL = 'https://data.iana.org/rdap/dns.json';

/** An option of a client: programs give a `Given`, the settings have a `Value`. */
interface Option<Given, Value> {
  /** What is allowed, for the message. */
  allowed: string;
  /** The value if none is given. */
  unset: Value;
  /** Undefined for an invalid value. */
  read: (given: unknown) => Value | undefined;
  /** Only declares the type. */
  given?: Given;
}

/** An option with values of one type, for which `isValid` decides. */
const option = <Value>(
  allowed: string,
  unset: Value,
  isValid: (given: unknown) => boolean,
): Option<Value, Value> => ({
  allowed,
  unset,
  read: (given) => (isValid(given) ? (given as Value) : undefined),
});

/** Beyond this a timer of Node fires at once. */
const MOST = 2 ** 31 - 1;
const number = (least: number, unit: string, unset: number, isNumber = Number.isFinite) =>
  option(
    `a number of ${unit}, ${least} to ${MOST}`,
    unset,
    (given) => isNumber(given) && Number(given) >= least && Number(given) <= MOST,
  );
const oneOf = <Value>(values: readonly (Value & string)[], unset: Value) =>
  option(`one of ${values.join(', ')}`, unset, (given) => values.some((each) => each === given));
const part = <Part>(allowed: string, isPart: (given: unknown) => boolean) =>
  option<Part | undefined>(allowed, undefined, isPart);
const isFunction = (given: unknown) => typeof given === 'function';

/** An option whose value differs from what is given. */
const converted = <Given, Value>(row: Option<Given, Value>): Option<Given, Value> => row;

/** The servers of a zone: `whois` is a host with or without a port, `rdap` a base URL. */
interface ServersOfZone {
  whois?: string;
  rdap?: string;
}

const rows = {
  /**
   * Protocols for queries to registries. `rdap` never uses port 43, and so does not query the root. Default `both`:
   * RDAP if there is no WHOIS, or its answer is not usable.
   */
  protocols: oneOf<ProtocolChoice>(PROTOCOL_CHOICES, 'both'),
  /**
   * Opens connections, for example through a proxy: for WHOIS and, without a `fetch`, for RDAP. Addresses are then not
   * checked, and `allowedCidrs` has no effect.
   */
  connect: part<Connect>('a function that opens a connection', isFunction),
  /** Sends RDAP requests, such as undici's fetch with a proxy. Default: `connect`, or own connections. */
  fetch: part<Fetch>('a function like fetch', isFunction),
  /** Called with what happens: every query (`debug`), failures of servers (`warn`). Default: nothing is logged. */
  log: part<Log>('a function', isFunction),
  /**
   * Replaces the limits of queries to each server, for example by some that several processes share. `spacingOf` has the
   * spacing that a registry itself demands. `concurrentPerRegistry` and `perSecondPerRegistry` have then no effect.
   */
  gate: part<Gate>('an object with a function run', (given) => isRecord(given) && isFunction(given['run'])),
  /** For a whole look-up, in milliseconds. Default 10,000. */
  timeoutMs: number(1, 'milliseconds', 10_000),
  /** Simultaneous queries to one registry server. Default 2. */
  concurrentPerRegistry: number(1, 'queries', 2, Number.isInteger),
  /** Mean queries per second to one registry server; 0: no limit. Default 5. */
  perSecondPerRegistry: number(0, 'queries a second', 5),
  /** The root WHOIS server, `host:port`. Default `whois.iana.org:43`. */
  whoisRoot: converted<string, HostPort>({
    allowed: 'host:port',
    unset: LIVE_ROOT,
    read: (given) => (typeof given === 'string' ? parseEndpoint(given) : undefined),
  }),
  /**
   * IANA's dns.json as parsed JSON, the URL to fetch it from every day, or `'bundled'` for the copy in the package.
   * Default: IANA's URL, with the bundled copy until the first fetch succeeds.
   */
  rdapBootstrap: converted<unknown, { json?: unknown; url?: string }>({
    allowed: `JSON, "bundled" or a URL such as ${IANA_BOOTSTRAP_URL}`,
    unset: { url: IANA_BOOTSTRAP_URL },
    read: (given) => {
      if (typeof given !== 'string') return { json: given };
      if (given === 'bundled') return {};
      return URL.canParse(given) ? { url: given } : undefined;
    },
  }),
  /**
   * Servers of zones: `{'example': {whois: 'whois.nic.example', rdap: 'https://rdap.nic.example/'}}`. Names in such a
   * zone are queried there, and nowhere else; a zone below a top-level domain is then a registry of its own.
   */
  servers: converted<Readonly<Record<string, ServersOfZone>>, ReadonlyMap<string, readonly NamedService[]>>({
    allowed: "an object of zones with servers, such as {'example': {whois: 'host', rdap: 'https://host/'}}",
    unset: new Map(),
    read: readServers,
  }),
  /** Other addresses of servers: `{'whois.nic.example': '127.0.0.1:4343'}`. */
  hostMap: converted<Readonly<Record<string, string>>, HostMap>({
    allowed: 'an object of names with host:port',
    unset: new Map(),
    read: (given) => readMap(given, (name, address) => parseHostMapping(`${name}=${String(address)}`)),
  }),
  /** Allowed private and special address ranges. Default: none. */
  allowedCidrs: converted<readonly string[], readonly string[]>({
    allowed: 'a list of address ranges',
    unset: [],
    read: (given) =>
      Array.isArray(given) && given.every((each) => typeof each === 'string') ? given : undefined,
  }),
  /** User-Agent for RDAP servers. */
  userAgent: option<string>(
    'a text that a header can have',
    'mokuroku-whois (domain registration lookup)',
    (given) => typeof given === 'string' && /^[ -~]+$/.test(given),
  ),
};

/** The options of one look-up. */
const callRows = {
  /** `registrar`: also query the registrar's own server. Default: `registry`. */
  follow: oneOf<Follow>(['registry', 'registrar'], 'registry'),
  /** Protocols for queries to the registry. Default: those of the client. */
  protocols: oneOf<ProtocolChoice | undefined>(PROTOCOL_CHOICES, undefined),
  /** Aborts the look-up: it rejects with the signal's reason. */
  signal: part<AbortSignal>(
    'an AbortSignal',
    (given) => typeof given === 'object' && given !== null && 'throwIfAborted' in given,
  ),
};

type Table = Readonly<Record<string, Option<unknown, unknown>>>;
/** Those that are undefined have their defaults. */
type Given<Rows> = {
  [Name in keyof Rows]?: (Rows[Name] extends Option<infer One, unknown> ? One : never) | undefined;
};
/** The options as read. */
type Values<Rows extends Table> = { [Name in keyof Rows]: Rows[Name]['unset'] };

export type LookUpClientOptions = Given<typeof rows>;
export type LookUpOptions = Given<typeof callRows>;
export type ClientSettings = Values<typeof rows>;

export const settingsOf = (options: LookUpClientOptions): ClientSettings => readOptions(rows, options);
export const callOptionsOf = (options: LookUpOptions): Values<typeof callRows> =>
  readOptions(callRows, options);
export const CLIENT_DEFAULTS = settingsOf({});

/** Throws TypeError for an unknown option or an invalid value, which it names. */
function readOptions<Rows extends Table>(rows: Rows, options: Given<Rows>): Values<Rows> {
  if (!isRecord(options)) throw new TypeError(`the options must be an object, not ${shown(options)}`);
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(rows, name));
  if (unknown !== undefined)
    throw new TypeError(`there is no option ${unknown}${hintFor(unknown, Object.keys(rows))}`);
  return mapRows(rows, (name, { allowed, unset, read }) => {
    const given = options[name];
    const value = given === undefined ? unset : read(given);
    if (value === undefined && given !== undefined)
      throw new TypeError(`${String(name)} must be ${allowed}, not ${shown(given)}`);
    return value;
  }) as Values<Rows>;
}

function hintFor(name: string, names: readonly string[]): string {
  const nearest = nearestWord(name, names);
  return nearest === undefined ? `; the options are ${names.join(', ')}` : `; the nearest is ${nearest}`;
}

/** Reads each pair of an object; undefined if one is invalid. */
function readMap<Value>(
  given: unknown,
  read: (name: string, value: unknown) => [string, Value] | undefined,
): Map<string, Value> | undefined {
  // A Map has no entries of its own here.
  if (!isRecord(given) || Symbol.iterator in given) return undefined;
  const pairs = Object.entries(given).map(([name, value]) => read(name, value));
  const valid = pairs.filter((pair) => pair !== undefined);
  return valid.length === pairs.length ? new Map(valid) : undefined;
}

function readServers(given: unknown): ReadonlyMap<string, readonly NamedService[]> | undefined {
  return readMap(given, (name, servers) => {
    const zone = domainToASCII(name.replace(/^\.|\.$/g, ''));
    const services = isRecord(servers) ? servicesOf(servers) : undefined;
    return zone === '' || services === undefined ? undefined : [zone, services];
  });
}

function servicesOf({ whois, rdap, ...others }: Record<string, unknown>): NamedService[] | undefined {
  const services: (NamedService | undefined)[] = [];
  if (whois !== undefined) services.push(whoisAt(whois));
  if (rdap !== undefined) services.push(rdapAt(rdap));
  const isValid = services.length > 0 && Object.keys(others).length === 0 && !services.includes(undefined);
  return isValid ? services.filter((service) => service !== undefined) : undefined;
}

function whoisAt(given: unknown): NamedService | undefined {
  if (typeof given !== 'string') return undefined;
  const endpoint = parseEndpoint(given) ?? parseEndpoint(`${given}:${WHOIS_PORT}`);
  return endpoint && { protocol: 'whois', source: 'operator', endpoint };
}

function rdapAt(given: unknown): NamedService | undefined {
  if (typeof given !== 'string' || !/^https?:/i.test(given) || !URL.canParse(given)) return undefined;
  return { protocol: 'rdap', source: 'operator', base: given.endsWith('/') ? given : `${given}/` };
}

const shown = (given: unknown): string =>
  (['string', 'object'].includes(typeof given) ? JSON.stringify(given) : String(given)).slice(0, 100);
