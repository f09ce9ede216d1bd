import { describe, expect, it } from 'vitest';
import { createServiceMetrics } from '../process/metrics.ts';
import type { Gate } from '../upstream/gate.ts';
import { addGateStats, addStoreStats, addTrafficStats } from './stats.ts';

const GATE = {
  stats: () => ({ servers: 1, open: 2, running: 3, waiting: 4, calls: 50, retries: 6, refused: 7 }),
} as unknown as Gate;

/** Lines of the metrics, without the name of the service. */
async function linesOf(metrics: ReturnType<typeof createServiceMetrics>): Promise<string[]> {
  const text = await metrics.registry.metrics();
  return text.split('\n').map((line) => line.replace(/,?service="things"/, '').replace('{}', ''));
}

describe('the stats of a service', () => {
  it('contain queue, circuit and budget of its upstream, each under its own name', async () => {
    const metrics = createServiceMetrics('things');
    const budget = { used: { requests: 80, bytes: 900 }, usedPart: 0.9 };
    addGateStats(metrics, GATE, { ...budget, spend: () => never(), addBytes: () => undefined });
    expect(await linesOf(metrics)).toEqual(
      expect.arrayContaining([
        'mokuroku_upstream_circuit_open 2',
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

  it('contain the running requests of clients', async () => {
    const metrics = createServiceMetrics('things');
    const http = { connections: () => ({ open: 1, accepted: 60, refused: 7 }) };
    addTrafficStats(metrics, { stats: { requests: 4, bytes: 3 } }, http);
    expect(await linesOf(metrics)).toEqual(
      expect.arrayContaining([
        'mokuroku_connections 1',
        'mokuroku_connections_total{kind="accepted"} 60',
        'mokuroku_connections_total{kind="refused"} 7',
        'mokuroku_in_flight_bytes 3',
        'mokuroku_in_flight_requests 4',
      ]),
    );
  });

  it('omit a budget or a store that is not configured', async () => {
    const metrics = createServiceMetrics('things');
    addGateStats(metrics, GATE, undefined);
    addStoreStats(metrics, undefined);
    expect((await linesOf(metrics)).join()).not.toMatch(/budget|store/);
  });

  it('contain whether the store is in use', async () => {
    const metrics = createServiceMetrics('things');
    const store = { isUsable: true };
    addStoreStats(metrics, store);
    const expected = (inUse: number) =>
      expect.arrayContaining([`mokuroku_store_in_use ${inUse}`]) as string[];
    expect(await linesOf(metrics)).toEqual(expected(1));
    store.isUsable = false;
    expect(await linesOf(metrics)).toEqual(expected(0));
  });
});

function never(): never {
  throw new Error('stats take nothing of the budget');
}
