import type { ResponseCache } from '../cache/response-cache.ts';
import type { HttpApp } from '../http/app.ts';
import type { InFlight } from '../limits/in-flight.ts';
import type { ServiceMetrics } from '../process/metrics.ts';
import type { OutgoingBudget } from '../upstream/budget.ts';
import type { Storage } from './storage.ts';
import type { Gate } from '../upstream/gate.ts';

// What the metrics tell beside the requests.

/** What the response cache holds and has under way. */
export function addCacheFigures(metrics: ServiceMetrics, cache: Pick<ResponseCache, 'figures'>): void {
  metrics.addGauge('cache_entries', 'Answers held in memory', () => cache.figures.entries);
  metrics.addGauge('cache_bytes', 'Bytes of the answers held in memory', () => cache.figures.bytes);
  metrics.addGauge('cache_loads_under_way', 'Answers being fetched', () => cache.figures.loading);
}

/** What clients have under way. */
export function addTrafficFigures(
  metrics: ServiceMetrics,
  inFlight: Pick<InFlight, 'stats'>,
  http: Pick<HttpApp, 'connections'>,
): void {
  const bytes = 'Bytes of requests and responses that have not left yet';
  metrics.addGauge('in_flight_bytes', bytes, () => inFlight.stats.bytes);
  const waiting = 'Requests that wait until less is in flight';
  metrics.addGauge('in_flight_waiting', waiting, () => inFlight.stats.waiting);
  metrics.addGauge('connections', 'Open connections of clients', () => http.connections());
}

/** What stands between a service and its upstream. */
export function addGateFigures(
  metrics: ServiceMetrics,
  gate: Gate,
  budget: OutgoingBudget | undefined,
): void {
  const open = 'Not 0 while the upstream is left alone because it fails';
  metrics.addGauge('upstream_circuit_open', open, () => gate.figures().open);
  metrics.addGauge('upstream_calls_under_way', 'Requests to the upstream', () => gate.figures().underWay);
  const waiting = 'Requests that wait for their turn';
  metrics.addGauge('upstream_calls_waiting', waiting, () => gate.figures().waiting);
  const calls = 'Requests to the upstream, by what became of them';
  metrics.addCounter('upstream_calls_total', calls, 'kind', () => {
    const { calls: sent, retries, refused } = gate.figures();
    return Object.entries({ sent, repeated: retries, refused });
  });
  if (!budget) return;
  const part =
    'Part of the requests or bytes of the present 24 hours that is spent, the greater of the two: low from 0.8, 1 when spent';
  metrics.addGauge('upstream_budget_used_ratio', part, () => budget.usedPart);
  const requests = 'Requests spent in the present 24 hours, by all replicas of this address';
  metrics.addGauge('upstream_budget_requests', requests, () => budget.used.requests);
  const bytes = 'Bytes received in the present 24 hours, by all replicas of this address';
  metrics.addGauge('upstream_budget_bytes', bytes, () => budget.used.bytes);
}

/** The tiers beyond memory, where there are any. */
export function addStorageFigures(metrics: ServiceMetrics, storage: Storage): void {
  if (storage.figures.storeUsable !== undefined) {
    const inUse = '1 while the shared store answers, 0 while the service goes on alone';
    metrics.addGauge('store_in_use', inUse, () => (storage.figures.storeUsable ? 1 : 0));
  }
  if (storage.figures.diskBytes !== undefined) {
    const bytes = 'Bytes of the answers held on disk';
    metrics.addGauge('cache_disk_bytes', bytes, () => storage.figures.diskBytes ?? 0);
  }
}
