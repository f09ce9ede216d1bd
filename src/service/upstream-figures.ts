import type { ServiceMetrics } from '../process/metrics.ts';
import type { OutgoingBudget } from '../upstream/budget.ts';
import type { Storage } from './storage.ts';
import type { Gate } from '../upstream/gate.ts';

/** What stands between a service and its upstream. */
export function addGateFigures(
  metrics: ServiceMetrics,
  gate: Gate,
  budget: OutgoingBudget | undefined,
): void {
  metrics.addGauge(
    'upstream_circuit_open',
    'Not 0 while the upstream is left alone because it fails',
    () => gate.figures().open,
  );
  metrics.addGauge('upstream_calls_under_way', 'Requests to the upstream', () => gate.figures().underWay);
  metrics.addGauge(
    'upstream_calls_waiting',
    'Requests that wait for their turn',
    () => gate.figures().waiting,
  );
  metrics.addCounter(
    'upstream_calls_total',
    'Requests to the upstream, by what became of them',
    'kind',
    () => {
      const { calls, retries, refused } = gate.figures();
      return [
        ['sent', calls],
        ['repeated', retries],
        ['refused', refused],
      ];
    },
  );
  if (!budget) return;
  metrics.addGauge(
    'upstream_budget_used_ratio',
    'Part of the requests or bytes of the present 24 hours that is spent, the greater of the two: low from 0.8, 1 when spent',
    () => budget.usedPart,
  );
  metrics.addGauge(
    'upstream_budget_requests',
    'Requests spent in the present 24 hours, by all replicas of this address',
    () => budget.used.requests,
  );
  metrics.addGauge(
    'upstream_budget_bytes',
    'Bytes received in the present 24 hours, by all replicas of this address',
    () => budget.used.bytes,
  );
}

/** The tiers beyond memory, where there are any. */
export function addStorageFigures(metrics: ServiceMetrics, storage: Storage): void {
  if (storage.figures.storeUsable !== undefined) {
    metrics.addGauge(
      'store_in_use',
      '1 while the shared store answers, 0 while the service goes on alone',
      () => (storage.figures.storeUsable ? 1 : 0),
    );
  }
  if (storage.figures.diskBytes !== undefined) {
    metrics.addGauge(
      'cache_disk_bytes',
      'Bytes of the answers held on disk',
      () => storage.figures.diskBytes ?? 0,
    );
  }
}
