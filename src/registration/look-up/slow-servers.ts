import type { Clock } from '../../process/clock.ts';
import type { RegistryService } from './registry-services.ts';

/** Remembers servers that have just let us wait in vain, so that the next look-up does not start with them. */
export interface SlowServers {
  noteSilence(server: string): void;
  noteAnswer(server: string): void;
  /** The same services, those at servers known to be slow last. */
  lastOf(services: readonly RegistryService[]): readonly RegistryService[];
}

const MEMORY_MS = 60_000;
const MAX_SERVERS = 1_000;

export function createSlowServers(clock: Clock): SlowServers {
  const slowUntil = new Map<string, number>();
  const isSlow = (service: RegistryService) => (slowUntil.get(serverOf(service)) ?? 0) > clock.monotonic();
  return {
    noteSilence: (server) => {
      if (slowUntil.size >= MAX_SERVERS) slowUntil.clear();
      slowUntil.set(server, clock.monotonic() + MEMORY_MS);
    },
    noteAnswer: (server) => {
      slowUntil.delete(server);
    },
    lastOf: (services) =>
      services.length > 1 && services.some(isSlow)
        ? [...services.filter((service) => !isSlow(service)), ...services.filter(isSlow)]
        : services,
  };
}

function serverOf(service: RegistryService): string {
  return service.protocol === 'whois' ? service.endpoint.host : new URL(service.url).hostname;
}
