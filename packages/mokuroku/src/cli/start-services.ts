import { z } from 'zod';
import { CATALOGUE_CONFIG } from '../catalogue/config.ts';
import type { CatalogueConfig } from '../catalogue/config.ts';
import {
  readConfig,
  gatherMetrics,
  processRegistry,
  startMetricsServer,
  closeOnSignals,
} from '@mokuroku/kit/process';
import { text } from '@mokuroku/kit';
import type { Environment, HowToClose } from '@mokuroku/kit/process';
import { REGISTRATION_CONFIG } from '../registration/config.ts';
import type { RegistrationConfig } from '../registration/config.ts';
import type { RunningService, ProcessConfig } from '@mokuroku/kit/service';
import { PROCESS_CONFIG } from '@mokuroku/kit/service';
import { cannotListen } from './cannot-listen.ts';
import { HARVEST_CONFIG } from './harvest-config.ts';
import { misspelledSettings, PREFIX, withoutForeignHost } from './settings-environment.ts';
import { EXIT } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

interface ServiceStarter {
  name: string;
  /** Prefix of its own settings: `CATALOGUE_PORT`. */
  prefix: 'CATALOGUE' | 'REGISTRATION';
  settings: z.ZodObject;
  start: (environment: Environment) => Promise<RunningService>;
}

// Loaded on use: SERVE_ONLY starts one of them.
const SERVICES: readonly ServiceStarter[] = [
  {
    name: 'catalogue',
    prefix: 'CATALOGUE',
    settings: CATALOGUE_CONFIG,
    start: async (environment) => (await import('../catalogue/main.ts')).startCatalogue(environment),
  },
  {
    name: 'registration',
    prefix: 'REGISTRATION',
    settings: REGISTRATION_CONFIG,
    start: async (environment) => (await import('../registration/main.ts')).startRegistration(environment),
  },
];

/** The services to run. An unknown name is a fault of SERVE_ONLY, reported with all others. */
function requestedServices(environment: Environment): readonly ServiceStarter[] {
  const only = environment['SERVE_ONLY']?.trim();
  const chosen = SERVICES.filter(({ name }) => name === only);
  return chosen.length > 0 ? chosen : SERVICES;
}

/** One schema, so that every invalid setting is reported at once. */
const schemaOf = (services: readonly Pick<ServiceStarter, 'settings'>[]) =>
  z.object(services.reduce((shape, { settings }) => ({ ...shape, ...settings.shape }), PROCESS_CONFIG.shape));

type Config = ProcessConfig & Partial<CatalogueConfig & RegistrationConfig>;

/** The pages of the sample link to the service's own ports: no proxy is expected in front. */
function withPageAddresses(config: Config, environment: Environment): Environment {
  const prefixes = SERVICES.map(({ prefix }) => prefix).filter((prefix) => `${prefix}_SOURCE` in config);
  if (prefixes.some((prefix) => config[`${prefix}_SOURCE`] !== 'sample')) return environment;
  const pages = prefixes.map((prefix) => [`${prefix}_PAGE`, `:${config[`${prefix}_PORT`]}`] as const);
  return { ...Object.fromEntries(pages.filter(([, address]) => address !== ':0')), ...environment };
}

/**
 * Starts services, then their metrics. Throws ConfigError with every invalid setting. If one cannot start, the others
 * are closed.
 */
export async function startServices(environment: Environment, services = SERVICES) {
  const config = readConfig(schemaOf(services), environment) as Config;
  const settings = withPageAddresses(config, environment);
  const running: RunningService[] = [];
  const closeServices = async (how?: HowToClose) => {
    await Promise.all(running.map(({ close }) => close(how)));
  };
  try {
    // At once: each may wait for the store.
    const started = await Promise.allSettled(
      services.map(({ name, prefix, start }) => {
        // The prefixed names: a bare variable beside a prefixed one has no effect.
        const set = { host: `${PREFIX}HOST`, port: `${PREFIX}${prefix}_PORT` };
        return start(settings).catch((error: unknown) => {
          throw cannotListen(text(`The ${name} service`, `${name} サービス`), error, set);
        });
      }),
    );
    running.push(...started.flatMap((each) => (each.status === 'fulfilled' ? each.value : [])));
    for (const each of started) if (each.status === 'rejected') throw each.reason;
    const metrics = await openMetrics(config, running);
    const close = async (how?: HowToClose) => {
      await Promise.all([closeServices(how), metrics?.close()]);
    };
    return { config, running, metrics, close };
  } catch (error) {
    await closeServices();
    throw error;
  }
}

const SAMPLE_NOTICE = `
  **************************************************************************
  *  SAMPLE MODE: every novel, user, ranking and domain here is invented.  *
  *  No request leaves this machine. For real data: --live                 *
  **************************************************************************

`;

/** Opens the metrics port if one is set. */
async function openMetrics(
  { METRICS_HOST, METRICS_PORT }: ProcessConfig,
  services: readonly Pick<RunningService, 'metrics'>[],
) {
  if (METRICS_PORT === undefined) return undefined;
  const registries = services.map(({ metrics }) => metrics);
  const ofProcess = processRegistry();
  const set = { host: `${PREFIX}METRICS_HOST`, port: `${PREFIX}METRICS_PORT` };
  const read = () => gatherMetrics(registries, ofProcess);
  return startMetricsServer(read, METRICS_HOST, METRICS_PORT).catch((error: unknown) => {
    throw cannotListen(text('The metrics', 'メトリクス'), error, set);
  });
}

/** Prints all addresses. */
function announceAddresses(
  running: readonly RunningService[],
  metrics: { url: string } | undefined,
  terminal: Terminal,
): void {
  for (const { name, address, isSample } of running) {
    terminal.out(`${name.padEnd(12)}  ${address}${isSample ? '  (sample)' : ''}\n`);
  }
  if (metrics) terminal.out(`metrics       ${metrics.url}\n`);
}

/** Reports misspelled settings, and ignores a HOST set by another program. */
async function checkEnvironment(environment: Environment, err: Terminal['err']): Promise<Environment> {
  const settings = Object.keys(schemaOf([...SERVICES, { settings: HARVEST_CONFIG }]).shape);
  for (const { name, meant } of misspelledSettings(environment, settings)) {
    const hint = meant === undefined ? '' : ` Did you mean ${PREFIX}${meant}?`;
    err(`${name} is not a setting and has no effect.${hint}\n`);
  }
  return withoutForeignHost(environment, (host) => {
    err(
      `HOST=${host} is not an address of this machine and has no effect. Set MOKUROKU_HOST to choose the address.\n`,
    );
  });
}

/** Runs the services until a signal. */
export async function serve(given: Environment, terminal: Terminal): Promise<ExitCode> {
  const environment = await checkEnvironment(given, terminal.err);
  terminal.outliveOutput();
  const { config, running, metrics, close } = await startServices(
    environment,
    requestedServices(environment),
  );
  // Before the addresses are printed: a script that reads them may send a signal at once.
  closeOnSignals([close], (error) => {
    terminal.err(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  });
  // A local catalogue of sample data may request the rest from its upstream.
  const hasFallback = config.CATALOGUE_SOURCE === 'local' && config.CATALOGUE_FALLBACK === 'narou';
  if (running.every(({ isSample }) => isSample) && !hasFallback) terminal.err(SAMPLE_NOTICE);
  announceAddresses(running, metrics, terminal);
  return EXIT.done;
}
