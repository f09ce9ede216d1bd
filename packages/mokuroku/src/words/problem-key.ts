import { isRecord } from '@mokuroku/kit';
import { isOffline } from 'mokuroku-whois/record';

type Hop = Parameters<typeof isOffline>[0][number];

const isHop = (value: unknown): value is Hop => isRecord(value) && typeof value['outcome'] === 'string';

/**
 * The key of the problem texts for an error: its code, unless one code means several things to a reader. The service's
 * own limit is not the registry's, and a registry that refuses or sends an unreadable answer is reachable.
 */
export function problemKey({ code, details }: { code: string; details?: unknown }): string {
  const { limitedBy, raw, registryWebsite, hops } = (details ?? {}) as Record<string, unknown>;
  if (code === 'registry_rate_limited' && limitedBy === 'service') return 'own_registry_limit';
  if (code !== 'registry_unavailable') return code;
  if (Array.isArray(hops) && hops.every(isHop) && isOffline(hops)) return 'offline';
  if (registryWebsite !== undefined) return 'registry_refuses';
  return typeof raw === 'string' ? 'registry_unreadable' : code;
}
