import { ConfigError } from '../kit/config.ts';
import { closeOnSignals } from '../kit/shutdown.ts';
import { UsageError, defineCommand } from './command.ts';
import { EXIT } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface RunningService {
  address: string;
  isSample: boolean;
  close: () => Promise<void>;
}

interface Service {
  name: string;
  /** The setting that says where it listens. */
  portSetting: string;
  start: (environment: Environment) => Promise<RunningService>;
}

// What a service is made of is loaded only when it is served.
const SERVICES: readonly Service[] = [
  {
    name: 'catalogue',
    portSetting: 'CATALOGUE_PORT',
    start: async (environment) => (await import('../catalogue/main.ts')).startCatalogue(environment),
  },
  {
    name: 'registration',
    portSetting: 'REGISTRATION_PORT',
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
        `The ${service.name} service cannot listen: ${where}. Set ${service.portSetting}.`,
      );
    }
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL') {
      const why =
        code === 'EACCES' ? 'the port needs more rights' : 'this machine does not have that address';
      throw new UsageError(
        `The ${service.name} service cannot listen: ${why}. Set HOST or ${service.portSetting}.`,
      );
    }
    throw error;
  }
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

function announce(running: readonly (RunningService & { name: string })[], terminal: Terminal): void {
  if (running.some(({ isSample }) => isSample)) terminal.err(SAMPLE_NOTICE);
  for (const { name, address, isSample } of running) {
    terminal.out(`${name.padEnd(12)}  ${address}${isSample ? '  (sample)' : ''}\n`);
  }
}

export const serveCommand = defineCommand({
  name: 'serve',
  summary: 'Run both services, on the embedded sample or (--live) on the live upstreams.',
  args: {
    live: { type: 'boolean', description: 'Ask the live upstreams instead of the embedded sample.' },
  },
  examples: ['mokuroku serve', 'CATALOGUE_PORT=8080 REGISTRATION_PORT=0 mokuroku serve --live'],
  run: async (args, terminal) => {
    const live = { CATALOGUE_SOURCE: 'narou', REGISTRATION_SOURCE: 'live' };
    const environment = { ...terminal.environment, ...(args.live && live) };
    const running = await startAll(environment);
    announce(running, terminal);
    closeOnSignals(
      running.map(({ close }) => close),
      (error) => {
        terminal.err(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
      },
    );
    return EXIT.done;
  },
});
