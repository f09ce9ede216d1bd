import { readFileSync } from 'node:fs';

/** Files, listening ports and connections to others, in the process and for each service. */
const OWN_DESCRIPTORS = 64;

/** Of the rest, as much is for connections to others that come and go: upstream, registries, store. */
const INCOMING_SHARE = 3 / 4;

const MOST_CONNECTIONS = 10_000;

/** How many files this process may open; undefined where the system does not say (it is not Linux, or none are set). */
export function descriptorLimit(limitsFile = '/proc/self/limits'): number | undefined {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync(limitsFile, 'utf8'))?.[1];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}

/** The connections that one of `services` in a process may hold at once. */
export function maxConnectionsWithin(limit: number | undefined, services: number): number {
  if (limit === undefined) return MOST_CONNECTIONS;
  const incoming = Math.floor(((limit - OWN_DESCRIPTORS) * INCOMING_SHARE) / services);
  return Math.max(1, Math.min(MOST_CONNECTIONS, incoming));
}
