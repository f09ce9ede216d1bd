import type { ZodObject } from 'zod';
import { CATALOGUE_CONFIG } from '../catalogue/config.ts';
import { ConfigError, faultsOf, readConfig } from '../process/config.ts';
import { gatherMetrics, processRegistry } from '../process/metrics.ts';
import { closeOnSignals } from '../process/shutdown.ts';
import { isWorker, leavePrimary } from '../process/workers.ts';
import { REGISTRATION_CONFIG } from '../registration/config.ts';
import type { RunningService } from '../service/open-service.ts';
import { PROCESS_CONFIG } from '../service/settings.ts';
import type { ProcessConfig } from '../service/settings.ts';
import { cannotListen } from './cannot-listen.ts';
import { EXIT } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { announce, openMetrics, serveInWorkers, tellPrimary } from './serve-workers.ts';
import type { Terminal } from './terminal.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface Service {
  name: string;
  /** Of the names of its own settings. */
  prefix: string;
  settings: ZodObject;
  start: (environment: Environment) => Promise<RunningService>;
}

// What a service is made of is loaded only where it is served, which is not in the process that starts workers.
const SERVICES: readonly Service[] = [
  {
    ...{ name: 'catalogue', prefix: 'CATALOGUE', settings: CATALOGUE_CONFIG },
    start: async (environment) => (await import('../catalogue/main.ts')).startCatalogue(environment),
  },
  {
    ...{ name: 'registration', prefix: 'REGISTRATION', settings: REGISTRATION_CONFIG },
    start: async (environment) => (await import('../registration/main.ts')).startRegistration(environment),
  },
];

async function startService(
  { name, prefix, start }: Service,
  environment: Environment,
): Promise<RunningService & { name: string }> {
  try {
    return { ...(await start(environment)), name };
  } catch (error) {
    throw cannotListen(`The ${name} service`, error, { host: 'HOST', port: `${prefix}_PORT` });
  }
}

/** On the sample each page is at the port of its service: nobody is expected to put a proxy before it. */
function withPages(environment: Environment): Environment {
  const pages: Record<string, string> = {};
  for (const { prefix, settings } of SERVICES) {
    const config: Readonly<Record<string, unknown>> = readConfig(settings, environment);
    if (config[`${prefix}_SOURCE`] !== 'sample') return environment;
    const port = Number(config[`${prefix}_PORT`]);
    if (port !== 0) pages[`${prefix}_PAGE`] = `:${port}`;
  }
  return { ...pages, ...environment };
}

async function startAll(environment: Environment) {
  const running: (RunningService & { name: string })[] = [];
  try {
    for (const service of SERVICES) running.push(await startService(service, environment));
    return running;
  } catch (error) {
    await Promise.all(running.map((service) => service.close()));
    throw error;
  }
}

/** Every bad setting of the process and of both services is named at once. */
function readProcessConfig(environment: Environment): ProcessConfig {
  const schemas = [PROCESS_CONFIG, ...SERVICES.map(({ settings }) => settings)];
  const faults = new Set(schemas.flatMap((schema) => faultsOf(schema, environment)));
  if (faults.size > 0) throw new ConfigError([...faults]);
  return readConfig(PROCESS_CONFIG, environment);
}

/** Both services in this process. */
async function serveHere(
  environment: Environment,
  config: ProcessConfig,
  terminal: Terminal,
): Promise<ExitCode> {
  const running = await startAll(environment).catch((error: unknown) => {
    leavePrimary();
    throw error;
  });
  const closers = running.map(({ close }) => close);
  const registries = running.map(({ metrics }) => metrics);
  const ofProcess = processRegistry();
  const read = () => gatherMetrics(registries, ofProcess);
  const metrics = await (isWorker() ? undefined : openMetrics(config, read))?.catch(
    async (error: unknown) => {
      await Promise.all(closers.map((close) => close()));
      throw error;
    },
  );
  if (metrics) closers.push(metrics.close);
  // Who reads the addresses may end us in the same moment.
  closeOnSignals(closers, reportTo(terminal));
  if (isWorker()) {
    const addresses = running.map(({ name, address, isSample }) => ({ name, address, isSample }));
    tellPrimary(addresses, [...registries, ofProcess]);
    return EXIT.done;
  }
  announce(running, terminal);
  if (metrics) terminal.out(`metrics       ${metrics.url}\n`);
  return EXIT.done;
}

const reportTo = (terminal: Terminal) => (error: unknown) => {
  terminal.err(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
};

/** Both services, in this process or in workers, until a signal ends them. */
export async function serve(environment: Environment, terminal: Terminal): Promise<ExitCode> {
  const config = readProcessConfig(environment);
  terminal.outliveOutput();
  if (config.WORKERS === 1 || isWorker()) return serveHere(withPages(environment), config, terminal);
  return serveInWorkers(config, terminal);
}
