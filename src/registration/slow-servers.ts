import type { Clock } from '../kit/clock.ts';
import { RegistryFault } from './registry-fault.ts';
import type { RegistryService } from './registry-services.ts';

/** Remembers servers that have just let us wait in vain, so that the next look-up does not start with them. */
export interface SlowServers {
  /** Watches one exchange with a server. */
  watch<T>(server: string, exchange: Promise<T>): Promise<T>;
  /** The same services, those at servers known to be slow last. */
  lastOf(services: readonly RegistryService[]): readonly RegistryService[];
}

const MEMORY_MS = 60_000;
const MAX_SERVERS = 1_000;

export function createSlowServers(clock: Clock): SlowServers {
  const slowUntil = new Map<string, number>();
  const isSlow = (service: RegistryService) => (slowUntil.get(serverOf(service)) ?? 0) > clock.monotonic();
  return {
    watch: async (server, exchange) => {
      try {
        const answer = await exchange;
        if (slowUntil.size > 0) slowUntil.delete(server);
        return answer;
      } catch (error) {
        if (error instanceof RegistryFault && error.reason === 'timeout') {
          if (slowUntil.size >= MAX_SERVERS) slowUntil.clear();
          slowUntil.set(server, clock.monotonic() + MEMORY_MS);
        }
        throw error;
      }
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
