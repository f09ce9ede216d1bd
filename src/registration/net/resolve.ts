import dns from 'node:dns';
import { systemSleep } from '../../process/clock.ts';
import type { Sleep } from '../../process/clock.ts';

/** Every address of a host, in any order. Rejects when it has none. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

/** RFC 8305, section 3: how long IPv4 addresses wait for the IPv6 ones that were asked for at the same time. */
const RESOLUTION_DELAY_MS = 50;

/**
 * Names with a dot go to the servers of resolv.conf directly: getaddrinfo would hold a thread of the process for each
 * slow name, and such names come from strangers. A name without one (localhost, a container's) is the machine's own.
 */
export function systemResolver(): ResolveHost {
  const resolver = new dns.promises.Resolver({ timeout: 1_500, tries: 2 });
  return async (host) => {
    if (!host.includes('.')) {
      const found = await dns.promises.lookup(host, { all: true });
      return found.map(({ address }) => address);
    }
    return bothFamilies(resolver.resolve6(host), resolver.resolve4(host));
  };
}

/** Waits for both families, but for the second one no longer than the resolution delay once the first has addresses. */
export async function bothFamilies(
  six: Promise<readonly string[]>,
  four: Promise<readonly string[]>,
  sleep: Sleep = systemSleep,
): Promise<readonly string[]> {
  const found: string[] = [];
  const asked = [six, four].map((answer) => answer.then((addresses) => void found.push(...addresses)));
  await Promise.any(asked).catch(() => four);
  const isOver = new AbortController();
  const delay = sleep(RESOLUTION_DELAY_MS, isOver.signal).catch(() => undefined);
  await Promise.race([Promise.allSettled(asked), delay]);
  isOver.abort();
  return [...found];
}
