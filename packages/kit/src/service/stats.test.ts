import { describe, expect, it } from 'vitest';
import { Admission } from '../limits/admission.ts';
import { createServiceMetrics } from '../process/metrics.ts';
import { addStoreStats, addTrafficStats } from './stats.ts';

/** Lines of the metrics, without the name of the service. */
async function linesOf(metrics: ReturnType<typeof createServiceMetrics>): Promise<string[]> {
  const text = await metrics.registry.metrics();
  return text.split('\n').map((line) => line.replace(/,?service="things"/, '').replace('{}', ''));
}

describe('the stats of a service', () => {
  it('contain the running requests of clients', async () => {
    const metrics = createServiceMetrics('things');
    const admission = new Admission({});
    admission.requests.add('192.0.2.1', 4);
    admission.bytes.add('192.0.2.1', 3);
    const http = { connections: () => ({ open: 1, accepted: 60, refused: 7 }) };
    addTrafficStats(metrics, admission, http);
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

  it('omit a store that is not configured', async () => {
    const metrics = createServiceMetrics('things');
    addStoreStats(metrics, undefined);
    expect((await linesOf(metrics)).join()).not.toMatch(/store/);
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
