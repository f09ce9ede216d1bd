import { randomBytes } from 'node:crypto';
import type { Registry } from 'prom-client';
import { systemClock } from '../kit/clock.ts';
import type { Clock } from '../kit/clock.ts';
import { readConfig } from '../kit/config.ts';
import { createLogger } from '../kit/logger.ts';
import { createServiceMetrics } from '../kit/metrics.ts';
import { ResponseCache } from '../kit/response-cache.ts';
import type { HowToClose } from '../kit/shutdown.ts';
import { createMemoryLimiter } from '../kit/workers.ts';
import { createCatalogueApp } from './app.ts';
import { CATALOGUE_CONFIG, userAgentOf } from './config.ts';
import type { CatalogueConfig } from './config.ts';
import { ENVELOPE } from './envelope.ts';
import { startNarouServer } from './narou-server/server.ts';
import { createSourceProblemLog } from './source-problem-log.ts';
import type { CatalogueSource, ReportProblem } from './sources/catalogue-source.ts';
import { createEmbeddedCatalogue } from './sources/embedded/embedded-catalogue.ts';
import { UPSTREAM_MAX_START, createNarouSource } from './sources/narou/narou-source.ts';
import { createNarouTransport } from './sources/narou/transport.ts';

/** In sample mode the upstream works in this very process, so that its work makes the event loop late. */
const MAX_LAG_IN_SAMPLE_MS = 5_000;

export interface RunningService {
  /** `http://127.0.0.1:3000` */
  address: string;
  /** True when every answer is invented. */
  isSample: boolean;
  metrics: Registry;
  close: (how?: HowToClose) => Promise<void>;
}

/** The upstream of this run: the live one, or our own server with an invented catalogue on a free port. */
async function startUpstream(config: CatalogueConfig, clock: Clock) {
  if (config.CATALOGUE_SOURCE === 'narou') {
    return { url: config.NAROU_BASE_URL, maxStart: UPSTREAM_MAX_START, close: () => Promise.resolve() };
  }
  const catalogue = createEmbeddedCatalogue({ clock });
  const server = await startNarouServer({ catalogue, clock, switches: { stBeyondWindow: 'serve' } });
  return { url: server.url, maxStart: null, close: () => server.close() };
}

/** Sample and live pass through the same transport: one path, whatever stands at its end. */
export async function openSource(
  config: CatalogueConfig,
  clock: Clock,
  report: ReportProblem,
): Promise<CatalogueSource> {
  const upstream = await startUpstream(config, clock);
  const transport = createNarouTransport({
    baseUrl: upstream.url,
    userAgent: userAgentOf(config),
    connectTimeoutMs: config.UPSTREAM_CONNECT_TIMEOUT_MS,
    headersTimeoutMs: config.UPSTREAM_HEADERS_TIMEOUT_MS,
    bodyTimeoutMs: config.UPSTREAM_BODY_TIMEOUT_MS,
    deadlineMs: config.UPSTREAM_TIMEOUT_MS,
    maxBodyBytes: config.UPSTREAM_MAX_BODY_BYTES,
    connections: config.UPSTREAM_CONNECTIONS,
    maxWaiting: config.UPSTREAM_MAX_WAITING,
  });
  const source = createNarouSource({ transport, report, maxStart: upstream.maxStart });
  return {
    ...source,
    close: async () => {
      await source.close();
      await upstream.close();
    },
  };
}

/** Reads the settings, opens the source, listens. Throws ConfigError naming every bad setting. */
export async function startCatalogue(
  environment: Readonly<Record<string, string | undefined>>,
  clock: Clock = systemClock,
): Promise<RunningService> {
  const config = readConfig(CATALOGUE_CONFIG, environment);
  const log = createLogger('catalogue', config.LOG_LEVEL);
  const { report } = createSourceProblemLog(log.logger, clock);
  const source = await openSource(config, clock, report);
  const cache = new ResponseCache({
    clock,
    shape: ENVELOPE,
    maxBytes: config.CACHE_MAX_BYTES,
    onFailure: (key, error) => {
      log.logger.debug({ key, err: error }, 'load failed');
    },
  });
  const metrics = createServiceMetrics('catalogue');
  metrics.addCacheFigures(cache);
  const limit = { limit: config.RATE_LIMIT, windowSeconds: 60 };
  const app = await createCatalogueApp({
    source,
    cache,
    limiter: limit.limit > 0 ? createMemoryLimiter('catalogue', limit, clock) : undefined,
    observeAccess: metrics.observeAccess,
    clock,
    log,
    trustedProxies: config.TRUSTED_PROXIES,
    requestIdStem: randomBytes(4).toString('hex'),
    isSample: config.CATALOGUE_SOURCE === 'sample',
    ...(config.CATALOGUE_SOURCE === 'sample' && { maxLagMs: MAX_LAG_IN_SAMPLE_MS }),
  });
  const address = await app.listen(config.HOST, config.CATALOGUE_PORT);
  return {
    address,
    isSample: config.CATALOGUE_SOURCE === 'sample',
    metrics: metrics.registry,
    close: async (how) => {
      await app.close(how);
      await source.close();
      log.flush();
    },
  };
}
