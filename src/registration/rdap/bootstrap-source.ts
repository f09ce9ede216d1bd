import type { Clock } from '../../process/clock.ts';
import type { Logger } from '../../process/logger.ts';
import { readBootstrap } from './bootstrap.ts';
import type { RdapBootstrap } from './bootstrap.ts';
import type { HttpGet } from './http-get.ts';

/** Knows the RDAP servers of all zones, and keeps itself up to date. */
export interface BootstrapSource {
  /** Base URLs for the longest zone that ends the name. Waits, until `deadline` at most, for a first fetch that must be waited for. */
  basesFor: (name: string, deadline: number) => Promise<readonly string[]>;
  stop: () => void;
}

export interface BootstrapSourceOptions {
  clock: Clock;
  log: Logger;
  httpGet: HttpGet;
  /** Used at once, and for as long as nothing newer can be had. */
  bundled: RdapBootstrap;
  /** Fetched at the start and every day; undefined: the bundled one is all there is. */
  url: string | undefined;
  /** Whether `url` is the operator's own, so that the bundled one may be wrong beside it. */
  mustWait: boolean;
}

const DAY_MS = 86_400_000;
const FETCH_TIMEOUT_MS = 10_000;
/** IANA's file had 71 kB in 2026. */
const MAX_BOOTSTRAP_BYTES = 4_194_304;

export function createBootstrapSource(options: BootstrapSourceOptions): BootstrapSource {
  const { clock, log, url } = options;
  let current = options.bundled;

  async function refresh(from: string): Promise<void> {
    try {
      const deadline = clock.monotonic() + FETCH_TIMEOUT_MS;
      const { status, body } = await options.httpGet(new URL(from), deadline, MAX_BOOTSTRAP_BYTES);
      if (status !== 200) throw new Error(`status ${status}`);
      current = readBootstrap(JSON.parse(body.toString('utf8')));
      log.info({ url: from, publication: current.publication }, 'RDAP bootstrap refreshed');
    } catch (error) {
      log.warn({ url: from, err: error }, 'RDAP bootstrap not refreshed; the one at hand goes on being used');
    }
  }

  let first = url === undefined ? undefined : refresh(url).finally(() => (first = undefined));
  const timer = url === undefined ? undefined : setInterval(() => void refresh(url), DAY_MS).unref();

  return {
    basesFor: async (name, deadline) => {
      if (first !== undefined && options.mustWait)
        await Promise.race([first, until(deadline - clock.monotonic())]);
      return current.basesFor(name);
    },
    stop: () => {
      clearInterval(timer);
    },
  };
}

function until(ms: number): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, Math.max(0, ms)).unref();
  });
}
