import type { ZodObject } from 'zod';
import { ConfigError, faultsOf, readConfig } from '../process/config.ts';
import { PROCESS_CONFIG } from '../service/settings.ts';
import type { ProcessConfig } from '../service/settings.ts';
import { gatherMetrics, processRegistry, startMetricsServer } from '../process/metrics.ts';
import { closeOnSignals } from '../process/shutdown.ts';
import type { RunningService } from '../service/open-service.ts';
import { isWorker } from '../process/workers.ts';
import { UsageError, defineCommand } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { serveInWorkers, tellPrimary } from './serve-workers.ts';
import type { ServiceAddress } from './serve-workers.ts';
import type { Terminal } from './terminal.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface Service {
  name: string;
  /** Of the names of its own settings. */
  prefix: string;
  settings: () => Promise<ZodObject>;
  start: (environment: Environment) => Promise<RunningService>;
}

// What a service is made of is loaded only when it is served.
const SERVICES: readonly Service[] = [
  {
    name: 'catalogue',
    prefix: 'CATALOGUE',
    settings: async () => (await import('../catalogue/config.ts')).CATALOGUE_CONFIG,
    start: async (environment) => (await import('../catalogue/main.ts')).startCatalogue(environment),
  },
  {
    name: 'registration',
    prefix: 'REGISTRATION',
    settings: async () => (await import('../registration/config.ts')).REGISTRATION_CONFIG,
    start: async (environment) => (await import('../registration/main.ts')).startRegistration(environment),
  },
];

const SAMPLE_NOTICE = `
  **************************************************************************
  *  SAMPLE MODE: every novel, user, ranking and domain here is invented.  *
  *  Nothing is asked of the outside world. For the real ones: --live      *
  **************************************************************************

`;

async function startService(service: Service, environment: Environment): Promise<RunningService> {
  try {
    return await service.start(environment);
  } catch (error) {
    if (error instanceof ConfigError) throw new UsageError(error.message);
    const { code, port } = error as NodeJS.ErrnoException & { port?: number };
    if (code === 'EADDRINUSE') {
      const where = `port ${port ?? '?'} is taken`;
      throw new UsageError(
        `The ${service.name} service cannot listen: ${where}. Set ${service.prefix}_PORT.`,
      );
    }
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL') {
      const why =
        code === 'EACCES' ? 'the port needs more rights' : 'this machine does not have that address';
      throw new UsageError(
        `The ${service.name} service cannot listen: ${why}. Set HOST or ${service.prefix}_PORT.`,
      );
    }
    throw error;
  }
}

/** On the sample each page is at the port of its service: nobody is expected to put a proxy before it. */
async function withPages(environment: Environment): Promise<Environment> {
  const pages: Record<string, string> = {};
  for (const { prefix, settings } of SERVICES) {
    const config: Readonly<Record<string, unknown>> = readConfig(await settings(), environment);
    if (config[`${prefix}_SOURCE`] !== 'sample') return environment;
    const port = Number(config[`${prefix}_PORT`]);
    if (port !== 0) pages[`${prefix}_PAGE`] = `:${port}`;
  }
  return { ...pages, ...environment };
}

async function startAll(environment: Environment): Promise<(RunningService & { name: string })[]> {
  const running: (RunningService & { name: string })[] = [];
  try {
    for (const service of SERVICES) {
      running.push({ ...(await startService(service, environment)), name: service.name });
    }
    return running;
  } catch (error) {
    await Promise.all(running.map((service) => service.close()));
    throw error;
  }
}

/** Every bad setting of the process and of both services is named at once. */
async function readProcessConfig(environment: Environment): Promise<ProcessConfig> {
  const schemas = [PROCESS_CONFIG, ...(await Promise.all(SERVICES.map(({ settings }) => settings())))];
  const faults = new Set(schemas.flatMap((schema) => faultsOf(schema, environment)));
  if (faults.size > 0) throw new UsageError(new ConfigError([...faults]).message);
  return readConfig(PROCESS_CONFIG, environment);
}

function announce(running: readonly ServiceAddress[], terminal: Terminal): void {
  if (running.every(({ isSample }) => isSample)) terminal.err(SAMPLE_NOTICE);
  for (const { name, address, isSample } of running) {
    terminal.out(`${name.padEnd(12)}  ${address}${isSample ? '  (sample)' : ''}\n`);
  }
}

/** Both services in this process. */
async function serveHere(environment: Environment, config: ProcessConfig, terminal: Terminal): Promise<void> {
  const running = await startAll(environment);
  const closers = running.map(({ close }) => close);
  const registries = running.map(({ metrics }) => metrics);
  const ofProcess = processRegistry();
  const metrics =
    config.METRICS_PORT === undefined || isWorker()
      ? undefined
      : await startMetricsServer(
          () => gatherMetrics(registries, ofProcess),
          config.METRICS_HOST,
          config.METRICS_PORT,
        );
  if (metrics) closers.push(metrics.close);
  // Who reads the addresses may end us in the same moment.
  closeOnSignals(closers, reportTo(terminal));
  if (isWorker()) {
    const addresses = running.map(({ name, address, isSample }) => ({ name, address, isSample }));
    tellPrimary(addresses, [...registries, ofProcess]);
    return;
  }
  announce(running, terminal);
  if (metrics) terminal.out(`metrics       ${metrics.url}\n`);
}

const reportTo = (terminal: Terminal) => (error: unknown) => {
  terminal.err(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
};

export const serveCommand = defineCommand({
  name: 'serve',
  summary: 'Run both services, on the embedded sample or (--live) on the live upstreams.',
  args: {
    live: { type: 'boolean', description: 'Ask the live upstreams instead of the embedded sample.' },
    catalogue: {
      type: 'string',
      description: 'Serve novels and rankings from a local catalogue, as `mokuroku harvest` fills it.',
      valueHint: 'DIR',
    },
    workers: {
      type: 'string',
      description: 'Processes that serve the same ports together (default: WORKERS, or 1).',
      valueHint: 'N',
    },
  },
  examples: [
    'mokuroku serve',
    'mokuroku serve --workers 4',
    'mokuroku serve --catalogue /srv/novels',
    'CATALOGUE_PORT=8080 REGISTRATION_PORT=0 mokuroku serve --live',
  ],
  run: async (args, terminal) => {
    const live = { CATALOGUE_SOURCE: 'narou', REGISTRATION_SOURCE: 'live' };
    const environment: Environment = {
      ...terminal.environment,
      ...(args.live && live),
      ...(args.catalogue !== undefined && { CATALOGUE_SOURCE: 'local', CATALOGUE_DIR: args.catalogue }),
      ...(args.catalogue !== undefined && args.live && { CATALOGUE_FALLBACK: 'narou' }),
      ...(args.workers !== undefined && { WORKERS: args.workers }),
    };
    const config = await readProcessConfig(environment);
    if (config.WORKERS > 1 && !isWorker()) {
      await serveInWorkers(
        config,
        (services) => {
          announce(services, terminal);
        },
        terminal,
      );
    } else {
      await serveHere(await withPages(environment), config, terminal);
    }
    return EXIT.done;
  },
});
