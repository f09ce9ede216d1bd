import fastify from 'fastify';
import { AggregatorRegistry, Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** Upper bounds of the duration histogram, in seconds: a cache hit takes a tenth of a millisecond. */
const BUCKETS_SECONDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** What a response is counted by: its status, and its cache outcome or error code. */
export interface Access {
  status: number;
  cache: string;
}

/** Every request is counted: its labels are read on collection only. */
function createRequestCounter(registers: Registry[]): (access: Access) => void {
  const counts = new Map<string, Access & { count: number }>();
  const counter = new Counter({
    name: 'mokuroku_http_requests_total',
    help: 'Responses, by status and by cache outcome or error code',
    labelNames: ['status', 'cache'],
    registers,
    collect: () => {
      counter.reset();
      for (const { status, cache, count } of counts.values()) counter.inc({ status, cache }, count);
    },
  });
  return ({ status, cache }) => {
    const key = `${status} ${cache}`;
    const counted = counts.get(key);
    if (counted) counted.count++;
    else counts.set(key, { status, cache, count: 1 });
  };
}

export type ServiceMetrics = ReturnType<typeof createServiceMetrics>;

/** The metrics of one service; every name has the label `service`. */
export function createServiceMetrics(service: string) {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  const registers = [registry];
  const countRequest = createRequestCounter(registers);
  const durations = new Histogram({
    name: 'mokuroku_http_request_duration_seconds',
    help: 'Duration of requests',
    buckets: BUCKETS_SECONDS,
    registers,
  });

  return {
    registry,
    /** Counts one request by status and by cache outcome or error code; `ms` is its duration. */
    observeAccess: (access: Access, ms: number): void => {
      countRequest(access);
      durations.observe(ms / 1000);
    },
    /** A gauge read on collection: cache bytes, connections ... `name` without the common prefix. */
    addGauge: (name: string, help: string, read: () => number) => {
      const gauge = new Gauge({
        name: `mokuroku_${name}`,
        help,
        registers,
        collect: () => {
          gauge.set(read());
        },
      });
    },
    /** Exports a counter of another module, by label values. */
    addCounter: (name: string, help: string, label: string, read: () => Iterable<[string, number]>) => {
      const counter = new Counter({
        name: `mokuroku_${name}`,
        help,
        labelNames: [label],
        registers,
        collect: () => {
          counter.reset();
          for (const [value, count] of read()) counter.inc({ [label]: value }, count);
        },
      });
    },
  };
}

/** Metrics of the process (memory, event loop, garbage collection), once per process. */
export function processRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

/** All metrics of a process as one text: the services' metrics share names and differ in their label. */
export async function gatherMetrics(services: readonly Registry[], ofProcess: Registry): Promise<string> {
  const stats = await Promise.all(services.map((registry) => registry.getMetricsAsJSON()));
  return (await AggregatorRegistry.aggregate(stats).metrics()) + (await ofProcess.metrics());
}

/** Serves `read()` on its own port, which need not be public. */
export async function startMetricsServer(
  read: () => Promise<string>,
  host: string,
  port: number,
): Promise<{ url: string; close: () => Promise<void> }> {
  // A reader that sends half a request, or takes no response, would hold the shutdown.
  const app = fastify({ forceCloseConnections: true });
  // Without a word of why: readers may be strangers.
  app.setErrorHandler((_error, _request, reply) => reply.code(500).send());
  app.get('*', async (_request, reply) => reply.type(Registry.PROMETHEUS_CONTENT_TYPE).send(await read()));
  return { url: `${await app.listen({ host, port })}/metrics`, close: () => app.close() };
}
