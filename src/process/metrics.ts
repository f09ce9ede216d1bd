import http from 'node:http';
import { AggregatorRegistry, Registry, collectDefaultMetrics } from 'prom-client';
import type { Metric } from 'prom-client';
import type { Access, ObserveAccess } from '../http/access-log.ts';
import type { ResponseCache } from '../cache/response-cache.ts';

/** Upper bounds of the duration histogram, in milliseconds. */
const BUCKETS_MS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000];

interface Sample {
  value: number;
  labels: Record<string, string | number>;
  metricName?: string;
}

export interface ServiceMetrics {
  registry: Registry;
  observeAccess: ObserveAccess;
  /** A value read when somebody asks: cache bytes, breaker state ... `name` without the common prefix. */
  addGauge(name: string, help: string, read: () => number): void;
  /** What the response cache holds and has under way. */
  addCacheFigures(cache: ResponseCache): void;
  /** A total that is counted elsewhere and read when somebody asks, by label values. */
  addCounter(name: string, help: string, label: string, read: () => Iterable<[string, number]>): void;
}

/** Counts in plain numbers on the way of every answer; what Prometheus wants is put together when it asks. */
export function createServiceMetrics(service: string): ServiceMetrics {
  const registry = new Registry();
  const requests: { access: Access; count: number }[] = [];
  const buckets = new Float64Array(BUCKETS_MS.length + 1);
  let durationSumMs = 0;

  function register(
    name: string,
    help: string,
    type: 'counter' | 'gauge' | 'histogram',
    read: () => Sample[],
  ) {
    const get = () => Promise.resolve({ name, help, type, values: read(), aggregator: 'sum' });
    // prom-client asks a metric for its name and its values, nothing else
    registry.registerMetric({ name, get, reset: () => undefined } as unknown as Metric);
  }

  register(
    'mokuroku_http_requests_total',
    'Requests answered, by status and by where the answer came from',
    'counter',
    () =>
      requests.map(({ access, count }) => ({
        value: count,
        labels: { service, status: access.status, cache: access.cache },
      })),
  );
  register(
    'mokuroku_http_request_duration_seconds',
    'Time until the answer was handed over',
    'histogram',
    () => histogramSamples(service, buckets, durationSumMs),
  );

  function addGauge(name: string, help: string, read: () => number): void {
    register(`mokuroku_${name}`, help, 'gauge', () => [{ value: read(), labels: { service } }]);
  }

  return {
    registry,
    observeAccess: (access, ms) => {
      // A score of combinations at most, the usual ones first.
      const known = requests.find(
        (one) => one.access.cache === access.cache && one.access.status === access.status,
      );
      if (known) known.count++;
      else requests.push({ access, count: 1 });
      let bucket = 0;
      while (bucket < BUCKETS_MS.length && ms > (BUCKETS_MS[bucket] ?? 0)) bucket++;
      buckets[bucket] = (buckets[bucket] ?? 0) + 1;
      durationSumMs += ms;
    },
    addGauge,
    addCacheFigures: (cache) => {
      addGauge('cache_entries', 'Answers held in memory', () => cache.figures.entries);
      addGauge('cache_bytes', 'Bytes of the answers held in memory', () => cache.figures.bytes);
      addGauge('cache_loads_under_way', 'Answers being fetched', () => cache.figures.loading);
    },
    addCounter: (name, help, label, read) => {
      register(`mokuroku_${name}`, help, 'counter', () =>
        Array.from(read(), ([value, count]) => ({ value: count, labels: { service, [label]: value } })),
      );
    },
  };
}

function histogramSamples(service: string, buckets: Float64Array, sumMs: number): Sample[] {
  const name = 'mokuroku_http_request_duration_seconds';
  const samples: Sample[] = [];
  let cumulative = 0;
  for (const [i, bound] of BUCKETS_MS.entries()) {
    cumulative += buckets[i] ?? 0;
    samples.push({ value: cumulative, labels: { service, le: bound / 1000 }, metricName: `${name}_bucket` });
  }
  cumulative += buckets[BUCKETS_MS.length] ?? 0;
  samples.push({ value: cumulative, labels: { service, le: '+Inf' }, metricName: `${name}_bucket` });
  samples.push({ value: sumMs / 1000, labels: { service }, metricName: `${name}_sum` });
  samples.push({ value: cumulative, labels: { service }, metricName: `${name}_count` });
  return samples;
}

/** Process figures (memory, event loop, garbage collection), once a process. */
export function processRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

/** All of one process in one text: the services' metrics have the same names, told apart by their label. */
export async function gatherMetrics(services: readonly Registry[], ofProcess: Registry): Promise<string> {
  const figures = await Promise.all(services.map((registry) => registry.getMetricsAsJSON()));
  return (await AggregatorRegistry.aggregate(figures).metrics()) + (await ofProcess.metrics());
}

/** Serves what `read` gives at /metrics on a port of its own, which need not be public. */
export function startMetricsServer(
  read: () => Promise<string>,
  host: string,
  port: number,
): Promise<{ url: string; close: () => Promise<void> }> {
  const server = http.createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    read().then(
      (text) => response.writeHead(200, { 'Content-Type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address ? address.port : port;
      resolve({
        url: `http://${host}:${bound}/metrics`,
        close: () =>
          new Promise((done) => {
            server.close(() => {
              done();
            });
            server.closeIdleConnections();
          }),
      });
    });
  });
}
