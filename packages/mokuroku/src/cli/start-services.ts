import type { ZodObject } from 'zod';
import { CATALOGUE_CONFIG } from '../catalogue/config.ts';
import {
  ConfigError,
  settingFaults,
  readConfig,
  gatherMetrics,
  processRegistry,
  startMetricsServer,
  closeOnSignals,
} from '@mokuroku/kit/process';
import type { Environment, HowToClose } from '@mokuroku/kit/process';
import { REGISTRATION_CONFIG } from '../registration/config.ts';
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
  settings: ZodObject;
  start: (environment: Environment) => Promise<RunningService>;
}

// Loaded on use: SERVE_ONLY starts one of them.
const SERVICES: readonly ServiceStarter[] = [
  {
    name: 'catalogue',
    settings: CATALOGUE_CONFIG,
    start: async (environment) => (await import('../catalogue/main.ts')).startCatalogue(environment),
  },
  {
    name: 'registration',
    settings: REGISTRATION_CONFIG,
    start: async (environment) => (await import('../registration/main.ts')).startRegistration(environment),
  },
];

/** Prefixes of a service's own settings: `CATALOGUE_PORT`. */
const prefixOf = ({ name }: ServiceStarter): string => name.toUpperCase();

/** The services to run. An unknown name is a fault of SERVE_ONLY, reported with all others. */
function requestedServices(environment: Environment): readonly ServiceStarter[] {
  const only = environment['SERVE_ONLY']?.trim();
  const chosen = SERVICES.filter(({ name }) => name === only);
  return chosen.length > 0 ? chosen : SERVICES;
}

/** Reports every invalid setting of the process and of the services to run at once. */
function readProcessConfig(environment: Environment): ProcessConfig {
  const schemas = [PROCESS_CONFIG, ...requestedServices(environment).map(({ settings }) => settings)];
  const faults = new Set(schemas.flatMap((schema) => settingFaults(schema, environment)));
  if (faults.size > 0) throw new ConfigError([...faults]);
  return readConfig(PROCESS_CONFIG, environment);
}

/** The pages of the sample link to the service's own ports: no proxy is expected in front. */
function withPageAddresses(environment: Environment): Environment {
  const pages: Record<string, string> = {};
  for (const service of requestedServices(environment)) {
    const prefix = prefixOf(service);
    const config: Readonly<Record<string, unknown>> = readConfig(service.settings, environment);
    if (config[`${prefix}_SOURCE`] !== 'sample') return environment;
    const port = Number(config[`${prefix}_PORT`]);
    if (port !== 0) pages[`${prefix}_PAGE`] = `:${port}`;
  }
  return { ...pages, ...environment };
}

async function startAll(environment: Environment): Promise<RunningService[]> {
  const running: RunningService[] = [];
  try {
    for (const service of requestedServices(environment)) {
      // The prefixed names: a bare variable beside a prefixed one has no effect.
      const set = { host: `${PREFIX}HOST`, port: `${PREFIX}${prefixOf(service)}_PORT` };
      const started = service.start(environment).catch((error: unknown) => {
        throw cannotListen(`The ${service.name} service`, error, set);
      });
      running.push(await started);
    }
    return running;
  } catch (error) {
    await Promise.all(running.map(({ close }) => close()));
    throw error;
  }
}

const SAMPLE_NOTICE = `
  **************************************************************************
  *  SAMPLE MODE: every novel, user, ranking and domain here is invented.  *
  *  No request leaves this machine. For real data: --live                 *
  **************************************************************************

`;

/** Opens the metrics port if one is set; on failure closes what is running. */
async function openMetrics(
  { METRICS_HOST, METRICS_PORT }: ProcessConfig,
  read: () => Promise<string>,
  closeAll: () => Promise<unknown>,
) {
  if (METRICS_PORT === undefined) return undefined;
  return startMetricsServer(read, METRICS_HOST, METRICS_PORT).catch(async (error: unknown) => {
    await closeAll();
    throw cannotListen('The metrics', error, {
      host: `${PREFIX}METRICS_HOST`,
      port: `${PREFIX}METRICS_PORT`,
    });
  });
}

/** A local catalogue of sample data requests the rest from its upstream. */
const hasFallback = (environment: Environment): boolean =>
  requestedServices(environment).some(({ settings }) => {
    const config: Readonly<Record<string, unknown>> = readConfig(settings, environment);
    return config['CATALOGUE_SOURCE'] === 'local' && config['CATALOGUE_FALLBACK'] === 'narou';
  });

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
  const schemas = [PROCESS_CONFIG, HARVEST_CONFIG, ...SERVICES.map(({ settings }) => settings)];
  const settings = [...new Set(schemas.flatMap(({ shape }) => Object.keys(shape)))];
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
  const config = readProcessConfig(environment);
  terminal.outliveOutput();
  const running = await startAll(withPageAddresses(environment));
  const closers = running.map(({ close }) => close);
  const registries = running.map((service) => service.metrics);
  const ofProcess = processRegistry();
  const closeAll = async (how?: HowToClose) => {
    await Promise.all(closers.map((close) => close(how)));
  };
  const metrics = await openMetrics(config, () => gatherMetrics(registries, ofProcess), closeAll);
  if (metrics) closers.push(metrics.close);
  // Before the addresses are printed: a script that reads them may send a signal at once.
  closeOnSignals([closeAll], (error) => {
    terminal.err(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  });
  if (running.every(({ isSample }) => isSample) && !hasFallback(environment)) terminal.err(SAMPLE_NOTICE);
  announceAddresses(running, metrics, terminal);
  return EXIT.done;
}
