import { randomBytes } from 'node:crypto';
import type { Registry } from 'prom-client';
import { systemClock } from '../process/clock.ts';
import type { Clock } from '../process/clock.ts';
import { readConfig } from '../process/config.ts';
import { createLogger } from '../process/logger.ts';
import type { Logger } from '../process/logger.ts';
import { KEPT_WEIGHT } from '../http/response-buffer.ts';
import { createServiceMetrics } from '../process/metrics.ts';
import type { ServiceMetrics } from '../process/metrics.ts';
import { addGateFigures, addStorageFigures } from '../service-metrics.ts';
import { ResponseCache } from '../cache/response-cache.ts';
import { ServiceError } from '../errors.ts';
import { openStorage } from '../storage.ts';
import type { Storage } from '../storage.ts';
import type { HowToClose } from '../process/shutdown.ts';
import { primaryLink } from '../process/workers.ts';
import type { OutgoingBudget } from '../upstream/budget.ts';
import type { Gate } from '../upstream/gate.ts';
import { createLimiter } from '../limits/create-limiter.ts';
import { createCatalogueApp } from './app.ts';
import { CATALOGUE_CONFIG } from './config.ts';
import type { CatalogueConfig } from './config.ts';
import { openSource, scopeOf } from './open-source.ts';
import { budgetState } from './upstream-budget.ts';
import { createSourceProblemLog } from './source-problem-log.ts';
import type { SourceProblemLog } from './source-problem-log.ts';

/** In sample mode the upstream works in this very process, so that its work makes the event loop late. */
const MAX_LAG_IN_SAMPLE_MS = 5_000;

const RETRY_AFTER_TIMEOUT_SECONDS = 10;

export interface RunningService {
  /** `http://127.0.0.1:3000` */
  address: string;
  /** True when every answer is invented. */
  isSample: boolean;
  metrics: Registry;
  close: (how?: HowToClose) => Promise<void>;
}

/** Reads the settings, opens the source, listens. Throws ConfigError naming every bad setting. */
export async function startCatalogue(
  environment: Readonly<Record<string, string | undefined>>,
  clock: Clock = systemClock,
): Promise<RunningService> {
  const config = readConfig(CATALOGUE_CONFIG, environment);
  const log = createLogger('catalogue', config.LOG_LEVEL);
  warnWithoutContact(config, log.logger);
  const problems = createSourceProblemLog(log.logger, clock);
  const storage = await openStorage({
    ...{ settings: config, scope: scopeOf(config), maxWaitMs: config.UPSTREAM_TIMEOUT_MS },
    ...{ clock, logger: log.logger, random: Math.random },
  });
  const parts = { clock, report: problems.report, storage, logger: log.logger };
  const { source, gate, budget } = await openSource(config, parts);
  const cache = createCache(config, storage, clock, log.logger);
  const metrics = createMetrics({ cache, gate, budget, problems, storage });
  const isSample = config.CATALOGUE_SOURCE === 'sample';
  const app = createCatalogueApp({
    source,
    cache,
    limiter: createLimiter({
      name: 'catalogue',
      requestsPerMinute: config.RATE_LIMIT,
      clock,
      primary: primaryLink(),
      store: storage.store,
    }),
    observeAccess: metrics.observeAccess,
    clock,
    log,
    trustedProxies: config.TRUSTED_PROXIES,
    requestIdStem: randomBytes(4).toString('hex'),
    isSample,
    ...(budget && { readinessFacts: () => ({ upstreamBudget: budgetState(budget) }) }),
    ...(isSample && { maxLagMs: MAX_LAG_IN_SAMPLE_MS }),
  });
  const close = async (how?: HowToClose) => {
    await app.close(how);
    await source.close();
    await storage.close();
    log.flush();
  };
  try {
    const address = await app.listen(config.HOST, config.CATALOGUE_PORT);
    return { address, isSample, metrics: metrics.registry, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function warnWithoutContact(config: CatalogueConfig, logger: Logger): void {
  const { CATALOGUE_SOURCE, NAROU_CONTACT, NAROU_USER_AGENT } = config;
  if (CATALOGUE_SOURCE !== 'narou' || NAROU_CONTACT !== undefined || NAROU_USER_AGENT !== undefined) return;
  logger.warn('NAROU_CONTACT is not set: the upstream is not told who runs this service, and may refuse it');
}

function createCache(config: CatalogueConfig, storage: Storage, clock: Clock, logger: Logger): ResponseCache {
  return new ResponseCache({
    clock,
    weight: KEPT_WEIGHT,
    maxBytes: config.CACHE_MAX_BYTES,
    tiers: storage.tiers,
    flight: storage.flight,
    loadDeadline: {
      milliseconds: config.UPSTREAM_TIMEOUT_MS,
      late: () => new ServiceError('upstream_timeout', { retryAfterSeconds: RETRY_AFTER_TIMEOUT_SECONDS }),
    },
    onFailure: (key, error) => {
      logger.debug({ key, err: error }, 'load failed');
    },
  });
}

function createMetrics(parts: {
  cache: ResponseCache;
  gate: Gate;
  budget: OutgoingBudget | undefined;
  problems: SourceProblemLog;
  storage: Storage;
}): ServiceMetrics {
  const { cache, gate, budget, problems, storage } = parts;
  const metrics = createServiceMetrics('catalogue');
  metrics.addCacheFigures(cache);
  addGateFigures(metrics, gate, budget);
  metrics.addCounter(
    'upstream_odd_answers_total',
    'Fields and records of the upstream that were not as documented, served all the same',
    'kind',
    () => problems.totals,
  );
  addStorageFigures(metrics, storage);
  return metrics;
}
