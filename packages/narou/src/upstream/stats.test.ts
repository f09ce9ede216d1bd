import { expect, it } from 'vitest';
import { createServiceMetrics } from '../../../kit/src/process/metrics.ts';
import type { OutgoingBudget } from './budget.ts';
import { addGateStats } from './stats.ts';

const GATE = {
  stats: () => ({ isOpen: true, running: 3, waiting: 4, calls: 50, retries: 6, refused: 7 }),
};

async function linesOf(metrics: ReturnType<typeof createServiceMetrics>): Promise<string[]> {
  const text = await metrics.registry.metrics();
  return text.split('\n').map((line) => line.replace(/,?service="things"/, '').replace('{}', ''));
}

it('metrics have queue, circuit and budget, each under its own name', async () => {
  const metrics = createServiceMetrics('things');
  const budget = { used: { requests: 80, bytes: 900 }, usedPart: 0.9 } as OutgoingBudget;
  addGateStats(metrics, GATE, budget);
  expect(await linesOf(metrics)).toEqual(
    expect.arrayContaining([
      'mokuroku_upstream_circuit_open 1',
      'mokuroku_upstream_calls_under_way 3',
      'mokuroku_upstream_calls_waiting 4',
      'mokuroku_upstream_calls_total{kind="sent"} 50',
      'mokuroku_upstream_calls_total{kind="repeated"} 6',
      'mokuroku_upstream_calls_total{kind="refused"} 7',
      'mokuroku_upstream_budget_used_ratio 0.9',
      'mokuroku_upstream_budget_requests 80',
      'mokuroku_upstream_budget_bytes 900',
    ]),
  );
});

it('metrics omit a budget that is not set', async () => {
  const metrics = createServiceMetrics('things');
  addGateStats(metrics, GATE, undefined);
  expect((await linesOf(metrics)).join()).not.toMatch(/budget/);
});
