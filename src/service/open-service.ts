import { randomBytes } from 'node:crypto';
import type { Registry } from 'prom-client';
import { ResponseCache } from '../cache/response-cache.ts';
import { ServiceError } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import type { HttpApp } from '../http/app.ts';
import { CACHED_WEIGHT } from '../http/shared-bodies.ts';
import { createLimiter } from '../limits/create-limiter.ts';
import { InFlight } from '../limits/in-flight.ts';
import type { Clock } from '../process/clock.ts';
import { createLogger } from '../process/logger.ts';
import type { Logger } from '../process/logger.ts';
import { descriptorLimit, maxConnectionsWithin } from '../process/descriptors.ts';
import { createServiceMetrics } from '../process/metrics.ts';
import type { HowToClose } from '../process/shutdown.ts';
import { primaryLink } from '../process/workers.ts';
import { createLoadFailureLog } from './load-failure-log.ts';
import { addCacheFigures, addStorageFigures, addTrafficFigures } from './figures.ts';
import type { ServiceSettings } from './settings.ts';
import { openStorage } from './storage.ts';
import type { Storage } from './storage.ts';

export interface RunningService {
  /** `catalogue` */
  name: string;
  /** `http://127.0.0.1:3000` */
  address: string;
  /** True when every answer is invented. */
  isSample: boolean;
  metrics: Registry;
  /** Lets requests in flight end, then frees everything. */
  close: (how?: HowToClose) => Promise<void>;
}

interface ServiceOptions {
  /** Short name: of its log, limit and metrics. */
  name: string;
  config: ServiceSettings;
  /** What is kept or counted for one upstream is not for another: `catalogue:sample`. */
  scope: string;
  /** What outgoing requests are counted for, where that is another thing. */
  budgetScope?: string;
  isSample: boolean;
  clock: Clock;
  /** Nobody waits longer than this for an answer, other replicas included. */
  loadTimeoutMs: number;
  /** What they are told then. */
  lateCode: ErrorCode;
}

/** Both share the descriptors of their process. */
const SERVICES_OF_A_PROCESS = 2;

const RETRY_AFTER_TIMEOUT_SECONDS = 10;
/** In sample mode those who are asked work in this very process, so that their work makes the event loop late. */
const MAX_LAG_IN_SAMPLE_MS = 5_000;

function createCache(
  { clock, config, loadTimeoutMs, lateCode }: ServiceOptions,
  { tiers, flight }: Storage,
  logger: Logger,
): ResponseCache {
  return new ResponseCache({
    ...{ clock, weight: CACHED_WEIGHT, maxBytes: config.CACHE_MAX_BYTES, tiers, flight },
    loadDeadline: {
      milliseconds: loadTimeoutMs,
      late: () => new ServiceError(lateCode, { retryAfterSeconds: RETRY_AFTER_TIMEOUT_SECONDS }),
    },
    onFailure: createLoadFailureLog(logger, clock),
  });
}

/** What both services stand on: log, storage, cache, metrics, and what their HTTP side takes of these. */
export async function openService(options: ServiceOptions) {
  const { name, config, scope, budgetScope, isSample, clock, loadTimeoutMs: maxWaitMs } = options;
  const log = createLogger(name, config.LOG_LEVEL);
  const { logger } = log;
  const storage = await openStorage({ settings: config, scope, budgetScope, maxWaitMs, clock, logger });
  const cache = createCache(options, storage, logger);
  const metrics = createServiceMetrics(name);
  addCacheFigures(metrics, cache);
  addStorageFigures(metrics, storage);
  const limiter = createLimiter({
    ...{ name, requestsPerMinute: config.RATE_LIMIT, clock },
    ...{ primary: primaryLink(), store: storage.store },
  });
  const requestIdStem = randomBytes(4).toString('hex');
  const { TRUSTED_PROXIES: trustedProxies } = config;
  const { observeAccess } = metrics;
  const pageAddresses = { catalogue: config.CATALOGUE_PAGE, domain: config.REGISTRATION_PAGE };
  const inFlight = new InFlight({
    maxBytes: config.IN_FLIGHT_MAX_BYTES,
    maxClientBytes: config.CLIENT_IN_FLIGHT_MAX_BYTES,
  });
  const maxConnections = maxConnectionsWithin(descriptorLimit(), SERVICES_OF_A_PROCESS);
  const http = {
    ...{ cache, limiter, inFlight, maxConnections, observeAccess, clock, log, trustedProxies },
    ...{ requestIdStem, isSample, pageAddresses },
    ...(isSample && { maxLagMs: MAX_LAG_IN_SAMPLE_MS }),
  };

  /** Listens; `closeSource` frees what is behind the service. */
  async function listen(
    app: HttpApp,
    port: number,
    closeSource: () => Promise<void>,
  ): Promise<RunningService> {
    const close = async (how?: HowToClose) => {
      await app.close(how);
      await closeSource();
      await storage.close();
      await log.close();
    };
    addTrafficFigures(metrics, inFlight, app);
    try {
      const address = await app.listen(config.HOST, port);
      return { name, address, isSample, metrics: metrics.registry, close };
    } catch (error) {
      await close();
      throw error;
    }
  }

  return { log, storage, metrics, http, listen };
}
