import dns from 'node:dns';
import { systemSleep } from '@mokuroku/kit/clock';
import type { Sleep } from '@mokuroku/kit/clock';

/** Resolves all addresses of a host, in any order. Rejects if it has none. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

/** How long IPv4 addresses wait for the concurrent IPv6 query (RFC 8305, section 3). */
const RESOLUTION_DELAY_MS = 50;

/**
 * Queries the servers of resolv.conf for names with a dot: getaddrinfo would block a thread for each slow name, and
 * these names are untrusted. Names without a dot (localhost, containers) are resolved by the system.
 */
export function systemResolver(): ResolveHost {
  const resolver = new dns.promises.Resolver({ timeout: 1_500, tries: 2 });
  return async (host) => {
    if (!host.includes('.')) {
      const entries = await dns.promises.lookup(host, { all: true });
      return entries.map(({ address }) => address);
    }
    return bothFamilies(resolver.resolve6(host), resolver.resolve4(host));
  };
}

/** Waits for both families; after the first has addresses, only for the resolution delay. */
export async function bothFamilies(
  six: Promise<readonly string[]>,
  four: Promise<readonly string[]>,
  sleep: Sleep = systemSleep,
): Promise<readonly string[]> {
  const foundAddresses: string[] = [];
  const queries = [six, four].map((answer) =>
    answer.then((addresses) => void foundAddresses.push(...addresses)),
  );
  await Promise.any(queries).catch(() => four);
  const isOver = new AbortController();
  const delay = sleep(RESOLUTION_DELAY_MS, isOver.signal).catch(() => undefined);
  await Promise.race([Promise.allSettled(queries), delay]);
  isOver.abort();
  return [...foundAddresses];
}
