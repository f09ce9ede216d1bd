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
import type { Terminal } from './terminal.ts';

/** Where one service listens, as it is shown when it starts. */
export interface ServiceAddress {
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
  return METRICS_PORT === undefined ? undefined : startMetricsServer(read, METRICS_HOST, METRICS_PORT);
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

/** Starts the workers and waits for signals. The addresses are told once: all workers share them. */
export async function serveInWorkers(config: ProcessConfig, terminal: Terminal): Promise<void> {
  const log = createLogger('primary', 'info');
  const windows = createPrimaryWindows(['catalogue', 'registration'], {
    requestsPerMinute: config.RATE_LIMIT,
    clock: systemClock,
  });
  let announced = false;
  const group = startWorkers({
    count: config.WORKERS,
    clock: systemClock,
    sleep: systemSleep,
    logger: log.logger,
    onMessage: (message, answer) => {
      const taken = answerTake(windows, message);
      if (taken) answer(taken);
      if (announced || !isListening(message)) return;
      announced = true;
      announce(message.services, terminal);
    },
  });
  const closers = [group.close];
  const registry = new AggregatorRegistry();
  const metrics = await openMetrics(config, () => registry.clusterMetrics());
  if (metrics) {
    terminal.out(`metrics       ${metrics.url}\n`);
    closers.push(metrics.close);
  }
  closers.push(() => {
    log.flush();
    return Promise.resolve();
  });
  closeOnSignals(closers, (error) => log.logger.error({ err: error }, 'the primary ends'));
}
