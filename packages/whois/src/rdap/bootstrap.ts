import { withDeadline } from '@mokuroku/kit/deadline';
import { withoutPasswords } from '@mokuroku/kit/requests';
import type { Clock } from '@mokuroku/kit/clock';
import { isRecord } from '@mokuroku/kit';
import type { Log } from '../net/log.ts';
import { ServerFault, toServerFault } from '../net/server-fault.ts';
import type { HttpGet } from './http-get.ts';

/** The RDAP servers of each zone (RFC 9224). */
export interface RdapBootstrap {
  /** When IANA published it: `2026-07-23T02:00:03Z`. */
  publication: string;
  /** Base URLs, ending in `/`, for the longest zone that ends the name; https before http; empty if there is none. */
  basesFor: (name: string) => readonly string[];
  /** All zones that have a server. */
  zones: readonly string[];
}

const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** Parses IANA's dns.json (RFC 9224, section 3). Throws if it is invalid or names no server. */
export function readBootstrap(json: unknown): RdapBootstrap {
  const { publication, services } = isRecord(json) ? json : {};
  if (typeof publication !== 'string' || !Array.isArray(services)) throw new TypeError('no RDAP bootstrap');
  const bases = new Map<string, string[]>();
  for (const service of services as unknown[]) {
    const [labels, urls] = Array.isArray(service) ? (service as unknown[]) : [];
    if (!areTexts(labels) || !areTexts(urls))
      throw new TypeError('a service of the RDAP bootstrap is unreadable');
    const usable = urls.filter(isBaseUrl).map((url) => (url.endsWith('/') ? url : `${url}/`));
    usable.sort((a, b) => Number(b.startsWith('https:')) - Number(a.startsWith('https:')));
    if (usable.length > 0) for (const label of labels) bases.set(label.toLowerCase(), usable);
  }
  if (bases.size === 0) throw new TypeError('the RDAP bootstrap names no server');
  return {
    publication,
    zones: [...bases.keys()],
    basesFor: (name) => {
      const zones = name.split('.').map((_, at, labels) => labels.slice(at).join('.'));
      return bases.get(zones.find((zone) => bases.has(zone)) ?? '') ?? [];
    },
  };
}

function isBaseUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '';
}

/** The RDAP servers of all zones, refreshed while in use. */
export interface BootstrapSource {
  /**
   * Base URLs for the longest zone that ends the name. Waits for a required first fetch, but only until `deadline`
   * (monotonic milliseconds): without it, rejects with a ServerFault where the bundled one has none.
   */
  currentBasesFor: (name: string, deadline: number) => Promise<readonly string[]>;
  /** The bootstrap in use, and whether it is the operator's own. */
  current: () => { bootstrap: RdapBootstrap; isOwn: boolean };
  about: () => AboutBootstrap;
  /** Aborts a running fetch. */
  stop: () => void;
}

export interface AboutBootstrap {
  /** `bundled` with the program, given as a `file`, or fetched from a `url`. */
  source: 'bundled' | 'file' | 'url';
  /** Date of publication, as stated in the file. */
  publication: string;
}

interface BootstrapSourceOptions {
  clock: Clock;
  log: Log;
  httpGet: HttpGet;
  /** Used until a newer one is fetched. */
  initial: RdapBootstrap;
  initialSource: 'bundled' | 'file';
  /** Fetched at the first use, then daily; undefined: never. */
  url: string | undefined;
  /** Whether `url` is the operator's own: then the bundled one may be wrong. */
  mustWait: boolean;
}

const DAY_MS = 86_400_000;
const RETRY_MS = 3_600_000;
const FETCH_TIMEOUT_MS = 10_000;
/** IANA's file had 71 kB in 2026. */
const MAX_BOOTSTRAP_BYTES = 4_194_304;

export function createBootstrapSource(options: BootstrapSourceOptions): BootstrapSource {
  const { clock, log, url } = options;
  const stopped = new AbortController();
  let current = options.initial;
  let source: AboutBootstrap['source'] = options.initialSource;
  let nextFetchAt = -Infinity;
  let running: Promise<void> | undefined;

  async function fetchFrom(from: string): Promise<void> {
    const shown = withoutPasswords(from);
    try {
      const { status, body } = await withDeadline(FETCH_TIMEOUT_MS, stopped.signal, (signal) =>
        options.httpGet(new URL(from), MAX_BOOTSTRAP_BYTES, signal),
      );
      if (status !== 200) throw new Error(`status ${status}`);
      current = readBootstrap(JSON.parse(new TextDecoder().decode(body)));
      source = 'url';
      nextFetchAt = clock.monotonic() + DAY_MS;
      log('info', 'RDAP bootstrap refreshed', { url: shown, publication: current.publication });
    } catch (error) {
      nextFetchAt = clock.monotonic() + RETRY_MS;
      const reason = withoutPasswords(toServerFault(error).message);
      log('warn', 'RDAP bootstrap not refreshed; the previous one is used', { url: shown, reason });
    }
  }

  return {
    currentBasesFor: async (name, deadline) => {
      if (url !== undefined && running === undefined && clock.monotonic() >= nextFetchAt)
        running = fetchFrom(url).finally(() => (running = undefined));
      const isMissing = () => url !== undefined && options.mustWait && source !== 'url';
      if (running !== undefined && isMissing())
        await withDeadline(deadline - clock.monotonic(), undefined, () => running).catch(() => undefined);
      const bases = current.basesFor(name);
      if (bases.length > 0 || !isMissing()) return bases;
      throw new ServerFault('unreachable', { detail: `the RDAP bootstrap ${url} could not be read` });
    },
    current: () => ({
      bootstrap: current,
      isOwn: source === 'file' || (source === 'url' && options.mustWait),
    }),
    about: () => ({ source, publication: current.publication }),
    stop: () => stopped.abort(toServerFault(new Error('the look-up is closed'))),
  };
}
