import { readFileSync } from 'node:fs';

/** Descriptors for files, listening ports and outgoing connections: of the process, and of each service. */
const OWN_DESCRIPTORS = 64;

/** Share of the rest for client connections; the others are for temporary outgoing connections. */
const INCOMING_SHARE = 3 / 4;

/** Each may send 16 kB of a request, twice that in memory, before it can be counted. */
const MAX_CONNECTIONS = 2_000;

/** Maximum number of open files of this process; undefined if unknown (not Linux) or unlimited. */
export function descriptorLimit(limitsFile = '/proc/self/limits'): number | undefined {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync(limitsFile, 'utf8'))?.[1];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}

/** Maximum client connections of one of `services` in a process. */
export function maxConnectionsWithin(limit: number | undefined, services: number): number {
  if (limit === undefined) return MAX_CONNECTIONS;
  const incoming = Math.floor(((limit - OWN_DESCRIPTORS) * INCOMING_SHARE) / services);
  return Math.max(1, Math.min(MAX_CONNECTIONS, incoming));
}
