import type { ResponseCache } from '../cache/response-cache.ts';
import type { HttpApp } from '../http/app.ts';
import type { Admission } from '../limits/admission.ts';
import type { ServiceMetrics } from '../process/metrics.ts';
import type { Store } from '../store/store.ts';

interface ServiceState {
  cache: Pick<ResponseCache, 'stats'>;
  admission: Pick<Admission, 'requests' | 'bytes'>;
  app: Pick<HttpApp, 'connections'>;
  store: Pick<Store, 'isUsable'> | undefined;
}

/** Metrics beside those of finished requests: the cache, what is in progress, and the shared store, if there is one. */
export function addStats(
  { addGauge, addCounter }: ServiceMetrics,
  { cache, admission, app, store }: ServiceState,
): void {
  addGauge('cache_entries', 'Responses in memory', () => cache.stats.entries);
  addGauge('cache_bytes', 'Bytes of the responses in memory', () => cache.stats.bytes);
  addGauge('cache_loads_under_way', 'Loads in progress', () => cache.stats.loading);
  const bytes = 'Bytes of unfinished requests and responses';
  addGauge('in_flight_bytes', bytes, () => admission.bytes.used);
  addGauge('in_flight_requests', 'Unfinished requests', () => admission.requests.used);
  addGauge('connections', 'Open connections of clients', () => app.connections().open);
  addCounter('connections_total', 'Connections of clients by kind', 'kind', () => {
    const { accepted, refused } = app.connections();
    return Object.entries({ accepted, refused });
  });
  const inUse = '1 while the shared store responds, otherwise 0';
  if (store) addGauge('store_in_use', inUse, () => (store.isUsable ? 1 : 0));
}
