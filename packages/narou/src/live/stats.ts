import type { ServiceMetrics } from '@mokuroku/kit/process';
import type { OutgoingBudget } from '../upstream/index.ts';
import type { NarouGate } from './gate.ts';

export function addGateStats(
  metrics: ServiceMetrics,
  gate: Pick<NarouGate, 'stats'>,
  budget: OutgoingBudget | undefined,
): void {
  const open = 'Above 0 while the upstream is failing';
  metrics.addGauge('upstream_circuit_open', open, () => (gate.stats().isFailing ? 1 : 0));
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
