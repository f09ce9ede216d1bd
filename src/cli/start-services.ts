import { AggregatorRegistry } from 'prom-client';
import type { Registry } from 'prom-client';
import type { ZodObject } from 'zod';
import { CATALOGUE_CONFIG } from '../catalogue/config.ts';
import { HARVEST_CONFIG } from '../catalogue/harvest/config.ts';
import { createPrimaryWindows } from '../limits/create-limiter.ts';
import { decideForWorker } from '../limits/worker-limiter.ts';
import { systemClock, systemSleep } from '../process/clock.ts';
import { ConfigError, settingFaults, readConfig } from '../process/config.ts';
import type { Environment } from '../process/config.ts';
import { createLogger } from '../process/logger.ts';
import { gatherMetrics, processRegistry, startMetricsServer } from '../process/metrics.ts';
import { closeOnSignals } from '../process/shutdown.ts';
import type { HowToClose } from '../process/shutdown.ts';
import { isWorker, disconnectFromPrimary, reportClosed, startWorkers } from '../process/workers.ts';
import { REGISTRATION_CONFIG } from '../registration/config.ts';
import type { RunningService } from '../service/open-service.ts';
import { PROCESS_CONFIG } from '../service/settings.ts';
import type { ProcessConfig } from '../service/settings.ts';
import { cannotListen } from './cannot-listen.ts';
import { misspelledSettings, PREFIX, withoutForeignHost } from './settings-environment.ts';
import { EXIT } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

interface ServiceStarter {
  name: string;
  settings: ZodObject;
  start: (environment: Environment) => Promise<RunningService>;
}

// Loaded on use: the process that starts workers serves nothing itself.
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

/** Addresses of a service, printed at startup. */
type ServiceAddress = Pick<RunningService, 'name' | 'address' | 'isSample'>;

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

/** Prints all addresses. */
function announceAddresses(
  running: readonly ServiceAddress[],
  metrics: { url: string } | undefined,
  terminal: Terminal,
): void {
  if (running.every(({ isSample }) => isSample)) terminal.err(SAMPLE_NOTICE);
  for (const { name, address, isSample } of running) {
    terminal.out(`${name.padEnd(12)}  ${address}${isSample ? '  (sample)' : ''}\n`);
  }
  if (metrics) terminal.out(`metrics       ${metrics.url}\n`);
}

async function serveInThisProcess(
  environment: Environment,
  config: ProcessConfig,
  terminal: Terminal,
): Promise<ExitCode> {
  const running = await startAll(environment).catch((error: unknown) => {
    disconnectFromPrimary();
    throw error;
  });
  const closers = running.map(({ close }) => close);
  const registries = running.map(({ metrics }) => metrics);
  const ofProcess = processRegistry();
  const read = () => gatherMetrics(registries, ofProcess);
  const closeAll = () => Promise.all(closers.map((close) => close()));
  const metrics = isWorker() ? undefined : await openMetrics(config, read, closeAll);
  if (metrics) closers.push(metrics.close);
  // Defined before the addresses are printed: a script that reads them may send a signal at once.
  const close = async (how: HowToClose) => {
    await Promise.all(closers.map((closer) => closer(how)));
    await reportClosed();
  };
  closeOnSignals([close], (error) => {
    terminal.err(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  });
  if (isWorker()) reportToPrimary(running, [...registries, ofProcess]);
  else announceAddresses(running, metrics, terminal);
  return EXIT.done;
}

interface ListeningMessage {
  kind: 'mokuroku:listening';
  services: ServiceAddress[];
}

function isListening(message: unknown): message is ListeningMessage {
  return (message as Partial<ListeningMessage> | null)?.kind === 'mokuroku:listening';
}

/** Reports that a worker serves, and exposes its metrics to the primary. */
function reportToPrimary(running: readonly ServiceAddress[], registries: Registry[]): void {
  AggregatorRegistry.setRegistries(registries);
  // Creating one makes a worker respond to the primary's requests for metrics.
  new AggregatorRegistry();
  const services = running.map(({ name, address, isSample }) => ({ name, address, isSample }));
  process.send?.({ kind: 'mokuroku:listening', services } satisfies ListeningMessage);
}

/** Starts the workers, which serve until a signal. All share the addresses, which are printed once. */
async function serveInWorkers(
  environment: Environment,
  config: ProcessConfig,
  terminal: Terminal,
): Promise<ExitCode> {
  const log = createLogger('primary', 'info', config.LOG_FORMAT);
  const names = requestedServices(environment).map(({ name }) => name);
  const windows = createPrimaryWindows(names, {
    requestsPerMinute: config.RATE_LIMIT,
    clock: systemClock,
  });
  let start: (services: readonly ServiceAddress[]) => void;
  const started = new Promise<readonly ServiceAddress[]>((resolve) => (start = resolve));
  const group = startWorkers({
    count: config.WORKERS,
    clock: systemClock,
    sleep: systemSleep,
    logger: log.logger,
    onMessage: (message, answer) => {
      const decision = decideForWorker(windows, message);
      if (decision) answer(decision);
      if (isListening(message)) start(message.services);
    },
  });
  const first = await Promise.race([started, group.failed]);
  if (typeof first === 'number') return first === EXIT.usage ? EXIT.usage : EXIT.failed;
  group.fill();
  const registry = new AggregatorRegistry();
  const metrics = await openMetrics(config, () => registry.clusterMetrics(), group.close);
  const close = async () => {
    await Promise.all([group.close(), metrics?.close()]);
    await log.close();
  };
  closeOnSignals([close], (error) => log.logger.error({ err: error }, 'the primary process exits'));
  announceAddresses(first, metrics, terminal);
  return EXIT.done;
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

/** Runs both services, in this process or in workers, until a signal. */
export async function serve(given: Environment, terminal: Terminal): Promise<ExitCode> {
  const environment = await checkEnvironment(given, isWorker() ? () => undefined : terminal.err);
  const config = readProcessConfig(environment);
  terminal.outliveOutput();
  if (config.WORKERS === 1 || isWorker())
    return serveInThisProcess(withPageAddresses(environment), config, terminal);
  return serveInWorkers(environment, config, terminal);
}
