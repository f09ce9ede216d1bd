import { AggregatorRegistry } from 'prom-client';
import type { Registry } from 'prom-client';
import { answerTake } from '../limits/worker-limiter.ts';
import { createPrimaryWindows } from '../limits/create-limiter.ts';
import { systemClock, systemSleep } from '../process/clock.ts';
import { createLogger } from '../process/logger.ts';
import { startMetricsServer } from '../process/metrics.ts';
import type { ProcessConfig } from '../service/settings.ts';
import { closeOnSignals } from '../process/shutdown.ts';
import { startWorkers } from '../process/workers.ts';
import { cannotListen } from './cannot-listen.ts';
import { EXIT } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

/** Where one service listens, as it is shown when it starts. */
interface ServiceAddress {
  name: string;
  address: string;
  isSample: boolean;
}

const SAMPLE_NOTICE = `
  **************************************************************************
  *  SAMPLE MODE: every novel, user, ranking and domain here is invented.  *
  *  Nothing is asked of the outside world. For the real ones: --live      *
  **************************************************************************

`;

/** Says where everything is. */
export function announce(running: readonly ServiceAddress[], terminal: Terminal): void {
  if (running.every(({ isSample }) => isSample)) terminal.err(SAMPLE_NOTICE);
  for (const { name, address, isSample } of running) {
    terminal.out(`${name.padEnd(12)}  ${address}${isSample ? '  (sample)' : ''}\n`);
  }
}

/** Serves the figures where a port for them is set. */
export async function openMetrics(
  { METRICS_HOST, METRICS_PORT }: ProcessConfig,
  read: () => Promise<string>,
): Promise<{ url: string; close: () => Promise<void> } | undefined> {
  if (METRICS_PORT === undefined) return undefined;
  return startMetricsServer(read, METRICS_HOST, METRICS_PORT).catch((error: unknown) => {
    throw cannotListen('The metrics', error, { host: 'METRICS_HOST', port: 'METRICS_PORT' });
  });
}

interface ListeningMessage {
  kind: 'mokuroku:listening';
  services: ServiceAddress[];
}

function isListening(message: unknown): message is ListeningMessage {
  return (message as Partial<ListeningMessage> | null)?.kind === 'mokuroku:listening';
}

/** A worker says that it serves, and puts its figures where the primary's metrics find them. */
export function tellPrimary(services: ServiceAddress[], registries: Registry[]): void {
  AggregatorRegistry.setRegistries(registries);
  // Making one is what makes a worker answer the primary's question for figures.
  new AggregatorRegistry();
  process.send?.({ kind: 'mokuroku:listening', services } satisfies ListeningMessage);
}

/** Starts the workers, which serve until a signal ends them. The addresses are told once: all workers share them. */
export async function serveInWorkers(config: ProcessConfig, terminal: Terminal): Promise<ExitCode> {
  const log = createLogger('primary', 'info');
  const windows = createPrimaryWindows(['catalogue', 'registration'], {
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
      const taken = answerTake(windows, message);
      if (taken) answer(taken);
      if (isListening(message)) start(message.services);
    },
  });
  const first = await Promise.race([started, group.failed]);
  if (typeof first === 'number') return first === EXIT.usage ? EXIT.usage : EXIT.failed;
  group.fill();
  const registry = new AggregatorRegistry();
  const metrics = await openMetrics(config, () => registry.clusterMetrics()).catch(async (error: unknown) => {
    await group.close();
    throw error;
  });
  const close = async () => {
    await Promise.all([group.close(), metrics?.close()]);
    await log.close();
  };
  closeOnSignals([close], (error) => log.logger.error({ err: error }, 'the primary ends'));
  announce(first, terminal);
  if (metrics) terminal.out(`metrics       ${metrics.url}\n`);
  return EXIT.done;
}
