import { randomBytes } from 'node:crypto';
import type { Registry } from 'prom-client';
import { createEntryStore } from '../cache/entry-store.ts';
import { ResponseCache } from '../cache/response-cache.ts';
import type { LoadDeadline } from '../cache/response-cache.ts';
import { ServiceError } from '../errors.ts';
import type { HttpApp } from '../http/app.ts';
import type { Operator } from '../http/openapi.ts';
import { Admission } from '../limits/admission.ts';
import { createLimiter } from '../limits/rate-limiter.ts';
import type { Clock } from '../process/clock.ts';
import { createLogger } from '../process/logger.ts';
import type { Logger } from '../process/logger.ts';
import { descriptorLimit, maxConnectionsWithin } from '../process/descriptors.ts';
import { createServiceMetrics } from '../process/metrics.ts';
import type { HowToClose } from '../process/shutdown.ts';
import { createThrottledLog, describeFailure } from '../process/throttled-log.ts';
import { openStore } from '../store/store.ts';
import { addStats } from './stats.ts';
import type { ServiceSettings } from './settings.ts';

export interface RunningService {
  /** `catalogue` */
  name: string;
  /** `http://127.0.0.1:3000` */
  address: string;
  /** True when all data are invented. */
  isSample: boolean;
  metrics: Registry;
  /** Waits for running requests, then releases everything. */
  close: (how?: HowToClose) => Promise<void>;
}

interface ServiceOptions {
  /** Short name for the log and the metrics. */
  name: string;
  config: ServiceSettings;
  /** Separates cached data and counts of different upstreams: `catalogue:sample`. */
  scope: string;
  /** Scope of the counts of outgoing requests; default: `scope`. */
  budgetScope?: string;
  clock: Clock;
  /** undefined if each load ends by itself. */
  loadDeadline?: LoadDeadline;
}

/** Both services share the descriptors of their process. */
const SERVICES_OF_A_PROCESS = 2;

/** Logs failures of loads that no client gets: our own faults as errors, others at level debug. */
export function createLoadFailureLog(logger: Logger, clock: Clock): (key: string, error: unknown) => void {
  const faults = createThrottledLog({ logger, clock });
  return (key, error) => {
    if (error instanceof ServiceError) logger.debug({ key, err: error }, 'load failed');
    else
      faults.logOncePerPeriod(
        'error',
        describeFailure(error),
        { key, err: error },
        'load failed unexpectedly',
      );
  };
}

/** Settings that the HTTP side publishes. */
function publishedOptions(config: ServiceSettings) {
  const operator: Operator = {
    name: config.OPERATOR_NAME,
    contact: config.OPERATOR_CONTACT,
    termsUrl: config.OPERATOR_TERMS_URL,
    privacyUrl: config.OPERATOR_PRIVACY_URL,
  };
  return { operator, pageAddresses: { catalogue: config.CATALOGUE_PAGE, domain: config.REGISTRATION_PAGE } };
}

/** Creates the infrastructure of a service, and the options of its HTTP app. */
export async function openService(options: ServiceOptions) {
  const { name, config, scope, budgetScope, clock, loadDeadline } = options;
  const log = createLogger(name, config.LOG_LEVEL, config.LOG_FORMAT);
  const { logger } = log;
  const store = await openStore(config, { scope, budgetScope, clock, logger });
  const admission = new Admission({
    maxConnections: maxConnectionsWithin(descriptorLimit(), SERVICES_OF_A_PROCESS),
  });
  const cache = new ResponseCache({
    clock,
    admission,
    maxBytes: config.CACHE_MAX_BYTES,
    store: store && createEntryStore(store),
    loadDeadline,
    onFailure: createLoadFailureLog(logger, clock),
  });
  const metrics = createServiceMetrics(name);
  const http = {
    cache,
    limiter: createLimiter({ requestsPerMinute: config.RATE_LIMIT, clock, store }),
    admission,
    observeAccess: metrics.observeAccess,
    clock,
    log,
    trustedProxies: config.TRUSTED_PROXIES,
    requestIdStem: randomBytes(4).toString('hex'),
    ...publishedOptions(config),
  };

  /** Listens. `source`: what it answers from, released with the service. */
  async function listen(
    app: HttpApp,
    port: number,
    source: { isSample: () => boolean; close: () => Promise<void> },
  ): Promise<RunningService> {
    const close = async (how?: HowToClose) => {
      await app.close(how);
      await source.close();
      await store?.close();
      await log.close();
    };
    addStats(metrics, { cache, admission, app, store });
    try {
      const address = await app.listen(config.HOST, port);
      return { name, address, isSample: source.isSample(), metrics: metrics.registry, close };
    } catch (error) {
      await close();
      throw error;
    }
  }

  return { log, store, metrics, http, listen };
}
