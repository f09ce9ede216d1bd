import { once } from 'node:events';
import { connect } from 'node:net';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { createServiceMetrics, gatherMetrics, processRegistry, startMetricsServer } from './metrics.ts';

describe('the metrics', () => {
  it('count requests by status and cache outcome, and their durations in buckets', async () => {
    const metrics = createServiceMetrics('things');
    metrics.observeAccess({ status: 200, cache: 'hit' }, 0.05);
    metrics.observeAccess({ status: 200, cache: 'hit' }, 3);
    metrics.observeAccess({ status: 503, cache: 'overloaded' }, 60_000);
    metrics.addGauge('cache_bytes', 'Bytes held', () => 42);
    metrics.addCounter('upstream_requests_total', 'Requests', 'outcome', () => [['ok', 3]]);
    const others = createServiceMetrics('others');
    others.addGauge('cache_bytes', 'Bytes held', () => 7);
    others.observeAccess({ status: 200, cache: 'hit' }, 3);
    const server = await startMetricsServer(
      () => gatherMetrics([metrics.registry, others.registry], processRegistry()),
      '127.0.0.1',
      0,
    );
    const response = await request(server.url);
    const text = await response.body.text();
    await server.close();
    for (const line of [
      'mokuroku_http_requests_total{status="200",cache="hit",service="things"} 2',
      'mokuroku_http_requests_total{status="503",cache="overloaded",service="things"} 1',
      'mokuroku_http_request_duration_seconds_bucket{le="0.0001",service="things"} 1',
      'mokuroku_http_request_duration_seconds_bucket{le="0.005",service="things"} 2',
      'mokuroku_http_request_duration_seconds_bucket{le="+Inf",service="things"} 3',
      'mokuroku_http_request_duration_seconds_count{service="things"} 3',
      'mokuroku_cache_bytes{service="things"} 42',
      'mokuroku_cache_bytes{service="others"} 7',
      'mokuroku_http_requests_total{status="200",cache="hit",service="others"} 1',
      'mokuroku_http_request_duration_seconds_count{service="others"} 1',
      'mokuroku_upstream_requests_total{outcome="ok",service="things"} 3',
      '# TYPE mokuroku_http_request_duration_seconds histogram',
    ]) {
      expect(text).toContain(line);
    }
    expect(text).toContain('process_resident_memory_bytes');
  });

  it('state the same counts when they are read again', async () => {
    const metrics = createServiceMetrics('things');
    metrics.observeAccess({ status: 200, cache: 'hit' }, 0.05);
    metrics.addCounter('upstream_requests_total', 'Requests', 'outcome', () => [['ok', 3]]);
    const first = await metrics.registry.metrics();
    expect(first).toContain('{outcome="ok",service="things"} 3');
    expect(await metrics.registry.metrics()).toBe(first);
  });

  it.each(['127.0.0.1', '::1'])(
    'that cannot be read are a 500 without the reason, at the address: %s',
    async (host) => {
      const server = await startMetricsServer(() => Promise.reject(new Error('broken')), host, 0);
      const { statusCode, body } = await request(server.url);
      const text = await body.text();
      await server.close();
      expect([statusCode, text]).toEqual([500, '']);
    },
  );

  it('are closed at once, whatever their readers have sent or left unread', async () => {
    const read = () => Promise.resolve('x'.repeat(10_000_000));
    const server = await startMetricsServer(read, '127.0.0.1', 0);
    const port = Number(new URL(server.url).port);
    const whole = 'GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n';
    const reader = connect(port, '127.0.0.1').on('error', () => undefined);
    // A response that is not read to its end, then half a request.
    reader.write(whole + whole.slice(0, 9));
    await once(reader, 'readable');
    await server.close();
    reader.destroy();
  });
});
