import { describe, expect, it } from 'vitest';
import { Admission } from '../limits/admission.ts';
import { createServiceMetrics } from '../process/metrics.ts';
import { addStats } from './stats.ts';

/** Lines of the metrics, without the name of the service. */
async function linesOf(metrics: ReturnType<typeof createServiceMetrics>): Promise<string[]> {
  const text = await metrics.registry.metrics();
  return text.split('\n').map((line) => line.replace(/,?service="things"/, '').replace('{}', ''));
}

function statsOf(store?: { isUsable: boolean }) {
  const metrics = createServiceMetrics('things');
  const admission = new Admission({});
  admission.requests.add('192.0.2.1', 4);
  admission.bytes.add('192.0.2.1', 3);
  const app = { connections: () => ({ open: 1, accepted: 60, refused: 7 }) };
  const cache = { stats: { entries: 2, bytes: 500, loading: 1 } };
  addStats(metrics, { cache, admission, app, store });
  return metrics;
}

describe('the stats of a service', () => {
  it('contain its cache and the running requests of clients', async () => {
    expect(await linesOf(statsOf())).toEqual(
      expect.arrayContaining([
        'mokuroku_cache_entries 2',
        'mokuroku_cache_bytes 500',
        'mokuroku_cache_loads_under_way 1',
        'mokuroku_connections 1',
        'mokuroku_connections_total{kind="accepted"} 60',
        'mokuroku_connections_total{kind="refused"} 7',
        'mokuroku_in_flight_bytes 3',
        'mokuroku_in_flight_requests 4',
      ]),
    );
  });

  it('omit a store that is not configured', async () => {
    expect((await linesOf(statsOf())).join()).not.toMatch(/store/);
  });

  it('contain whether the store is in use', async () => {
    const store = { isUsable: true };
    const metrics = statsOf(store);
    const expected = (inUse: number) =>
      expect.arrayContaining([`mokuroku_store_in_use ${inUse}`]) as string[];
    expect(await linesOf(metrics)).toEqual(expected(1));
    store.isUsable = false;
    expect(await linesOf(metrics)).toEqual(expected(0));
  });
});
