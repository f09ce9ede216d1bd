import type { ResponseCache } from '../cache/response-cache.ts';
import type { HttpApp } from '../http/app.ts';
import type { Admission } from '../limits/admission.ts';
import type { ServiceMetrics } from '../process/metrics.ts';
import type { Store } from '../store/store.ts';

// Metrics beside those of requests.

/** State of the response cache. */
export function addCacheStats(metrics: ServiceMetrics, cache: Pick<ResponseCache, 'stats'>): void {
  metrics.addGauge('cache_entries', 'Responses in memory', () => cache.stats.entries);
  metrics.addGauge('cache_bytes', 'Bytes of the responses in memory', () => cache.stats.bytes);
  metrics.addGauge('cache_loads_under_way', 'Loads in progress', () => cache.stats.loading);
}

/** Requests and responses in progress. */
export function addTrafficStats(
  metrics: ServiceMetrics,
  admission: Pick<Admission, 'requests' | 'bytes'>,
  http: Pick<HttpApp, 'connections'>,
): void {
  const bytes = 'Bytes of unfinished requests and responses';
  metrics.addGauge('in_flight_bytes', bytes, () => admission.bytes.used);
  metrics.addGauge('in_flight_requests', 'Unfinished requests', () => admission.requests.used);
  metrics.addGauge('connections', 'Open connections of clients', () => http.connections().open);
  metrics.addCounter('connections_total', 'Connections of clients by kind', 'kind', () => {
    const { accepted, refused } = http.connections();
    return Object.entries({ accepted, refused });
  });
}

/** State of the shared store, if there is one. */
export function addStoreStats(metrics: ServiceMetrics, store: Pick<Store, 'isUsable'> | undefined): void {
  const inUse = '1 while the shared store responds, otherwise 0';
  if (store) metrics.addGauge('store_in_use', inUse, () => (store.isUsable ? 1 : 0));
}
