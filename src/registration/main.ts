import { randomBytes } from 'node:crypto';
import type { Registry } from 'prom-client';
import { systemClock } from '../process/clock.ts';
import type { Clock } from '../process/clock.ts';
import { ConfigError, readConfig } from '../process/config.ts';
import { createLogger } from '../process/logger.ts';
import { KEPT_WEIGHT } from '../http/response-buffer.ts';
import { createServiceMetrics } from '../process/metrics.ts';
import type { ServiceMetrics } from '../process/metrics.ts';
import { ServiceError } from '../errors.ts';
import { addStorageFigures } from '../service-metrics.ts';
import { ResponseCache } from '../cache/response-cache.ts';
import type { HowToClose } from '../process/shutdown.ts';
import { openStorage } from '../storage.ts';
import type { Storage } from '../storage.ts';
import { primaryLink } from '../process/workers.ts';
import { createLimiter } from '../limits/create-limiter.ts';
import { createRegistrationApp } from './app.ts';
import { REGISTRATION_CONFIG } from './config.ts';
import type { RegistrationConfig } from './config.ts';
import { createDomainLookUp } from './look-up/domain-look-up.ts';
import { systemResolver } from './net/resolve.ts';
import { startSampleRegistries } from '../sample/registries/start-sample-registries.ts';
import { createHopCounts } from './look-up/hops.ts';
import { lookUpSettings } from './look-up/settings.ts';

/** A look-up that has run out of time may still say which hop it was. */
const LAST_WORD_MS = 50;

const RETRY_AFTER_TIMEOUT_SECONDS = 10;

export interface RunningRegistration {
  /** `http://127.0.0.1:3001` */
  address: string;
  isSample: boolean;
  metrics: Registry;
  /** Lets requests in flight end, then frees everything. */
  close: (how?: HowToClose) => Promise<void>;
}

/** Reads the environment, starts the service (with the sample's registries when asked), listens. Throws ConfigError. */
export async function startRegistration(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<RunningRegistration> {
  const config = readConfig(REGISTRATION_CONFIG, environment);
  const settings = lookUpSettings(config);
  const clock = systemClock;
  const log = createLogger('registration', config.LOG_LEVEL);
  const isSample = config.REGISTRATION_SOURCE === 'sample';
  const storage = await openStorage({
    ...{ settings: config, scope: scopeOf(config), maxWaitMs: config.LOOKUP_TIMEOUT_MS },
    ...{ clock, logger: log.logger, random: Math.random },
  });
  const sample = isSample ? await startSample(config.SAMPLE_WHOIS_PORT) : undefined;
  if (sample) log.logger.info(`the sample's root: whois -h 127.0.0.1 -p ${sample.rootPort} example.com`);
  const hops = createHopCounts();
  const domainLookUp = createDomainLookUp(
    { ...settings, ...sample?.settings },
    { clock, log: log.logger, resolve: systemResolver(), observeHop: hops.observe },
  );
  const cache = createCache(config, storage, clock);
  const metrics = createMetrics(cache, hops, storage);
  const http = createRegistrationApp({
    domainLookUp,
    cache,
    observeAccess: metrics.observeAccess,
    limiter: createLimiter({
      ...{ name: 'registration', requestsPerMinute: config.RATE_LIMIT, clock },
      ...{ primary: primaryLink(), store: storage.store },
    }),
    clock,
    log,
    trustedProxies: config.TRUSTED_PROXIES,
    requestIdStem: randomBytes(3).toString('hex'),
    isSample,
  });
  const close = async (how?: HowToClose) => {
    await http.close(how);
    domainLookUp.stop();
    await sample?.close();
    await storage.close();
    log.flush();
  };
  try {
    const address = await http.listen(config.HOST, config.REGISTRATION_PORT);
    return { address, isSample, metrics: metrics.registry, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What is kept or counted for one root is not for another. */
function scopeOf({ REGISTRATION_SOURCE, WHOIS_ROOT }: RegistrationConfig): string {
  if (REGISTRATION_SOURCE === 'sample') return 'registration:sample';
  return `registration:${WHOIS_ROOT.host}:${WHOIS_ROOT.port}`;
}

function createCache(config: RegistrationConfig, storage: Storage, clock: Clock): ResponseCache {
  return new ResponseCache({
    clock,
    weight: KEPT_WEIGHT,
    maxBytes: config.CACHE_MAX_BYTES,
    tiers: storage.tiers,
    flight: storage.flight,
    loadDeadline: {
      milliseconds: config.LOOKUP_TIMEOUT_MS + LAST_WORD_MS,
      late: () => new ServiceError('registry_timeout', { retryAfterSeconds: RETRY_AFTER_TIMEOUT_SECONDS }),
    },
  });
}

function createMetrics(
  cache: ResponseCache,
  hops: ReturnType<typeof createHopCounts>,
  storage: Storage,
): ServiceMetrics {
  const metrics = createServiceMetrics('registration');
  metrics.addCacheFigures(cache);
  metrics.addCounter(
    'registry_hops_total',
    'Servers asked, by what they are and what came of it',
    'hop',
    hops.read,
  );
  addStorageFigures(metrics, storage);
  return metrics;
}

async function startSample(port: number) {
  try {
    return await startSampleRegistries(port);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EMFILE') throw error;
    const what = code === 'EADDRINUSE' ? 'is taken' : `cannot be listened on (${message})`;
    throw new ConfigError([`SAMPLE_WHOIS_PORT="${port}": this port ${what}; 0 means any free one`]);
  }
}
