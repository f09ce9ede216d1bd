import type { ResponseCache } from '../cache/response-cache.ts';
import type { HttpApp } from '../http/app.ts';
import type { Admission } from '../limits/admission.ts';
import type { ServiceMetrics } from '../process/metrics.ts';
import type { Store } from '../store/store.ts';
import type { OutgoingBudget } from '../upstream/budget.ts';
import type { Gate } from '../upstream/gate.ts';

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
  admission: Pick<Admission, 'stats'>,
  http: Pick<HttpApp, 'connections'>,
): void {
  const bytes = 'Bytes of unfinished requests and responses';
  metrics.addGauge('in_flight_bytes', bytes, () => admission.stats.bytes);
  metrics.addGauge('in_flight_requests', 'Unfinished requests', () => admission.stats.requests);
  metrics.addGauge('connections', 'Open connections of clients', () => http.connections().open);
  metrics.addCounter('connections_total', 'Connections of clients by kind', 'kind', () => {
    const { accepted, refused } = http.connections();
    return Object.entries({ accepted, refused });
  });
}

/** State of the upstream gate. */
export function addGateStats(metrics: ServiceMetrics, gate: Gate, budget: OutgoingBudget | undefined): void {
  const open = 'Above 0 while the circuit breaker is open';
  metrics.addGauge('upstream_circuit_open', open, () => gate.stats().open);
  metrics.addGauge('upstream_calls_under_way', 'Requests to the upstream', () => gate.stats().running);
  const waiting = 'Requests waiting for the upstream';
  metrics.addGauge('upstream_calls_waiting', waiting, () => gate.stats().waiting);
  const calls = 'Requests to the upstream by kind';
  metrics.addCounter('upstream_calls_total', calls, 'kind', () => {
    const { calls: sent, retries, refused } = gate.stats();
    return Object.entries({ sent, repeated: retries, refused });
  });
  if (!budget) return;
  const part = 'Used part of the upstream quota, requests or bytes, whichever is greater: low from 0.8';
  metrics.addGauge('upstream_budget_used_ratio', part, () => budget.usedPart);
  const requests = 'Requests that are not refilled yet, of all replicas of this address';
  metrics.addGauge('upstream_budget_requests', requests, () => budget.used.requests);
  const bytes = 'Received bytes that are not refilled yet, of all replicas of this address';
  metrics.addGauge('upstream_budget_bytes', bytes, () => budget.used.bytes);
}

/** State of the shared store, if there is one. */
export function addStoreStats(metrics: ServiceMetrics, store: Pick<Store, 'isUsable'> | undefined): void {
  const inUse = '1 while the shared store responds, otherwise 0';
  if (store) metrics.addGauge('store_in_use', inUse, () => (store.isUsable ? 1 : 0));
}
