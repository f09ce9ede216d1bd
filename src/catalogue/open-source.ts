import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../process/clock.ts';
import type { Logger } from '../process/logger.ts';
import type { OutgoingBudget } from '../upstream/budget.ts';
import type { Storage } from '../service/storage.ts';
import type { Gate } from '../upstream/gate.ts';
import { userAgentOf } from './config.ts';
import type { CatalogueConfig } from './config.ts';
import { startNarouServer } from './narou-server/server.ts';
import type { CatalogueSource, ReportProblem } from './catalogue-source.ts';
import { createEmbeddedCatalogue } from '../sample/novels/embedded-catalogue.ts';
import { createNarouGate } from './narou/narou-gate.ts';
import { UPSTREAM_MAX_START, createNarouSource } from './narou/narou-source.ts';
import { createNarouTransport } from './narou/transport.ts';
import { budgetLimitsOf, createBudgetLog } from './upstream-budget.ts';

/** A request that would probably wait longer than this for its turn at the upstream is refused. */
const TOLERABLE_WAIT_MS = 500;

export interface OpenedSource {
  source: CatalogueSource;
  gate: Gate;
  /** undefined where nothing limits us. */
  budget: OutgoingBudget | undefined;
}

/** What is kept or counted for one upstream is not for another. */
export function scopeOf(config: Pick<CatalogueConfig, 'CATALOGUE_SOURCE' | 'NAROU_BASE_URL'>): string {
  if (config.CATALOGUE_SOURCE === 'sample') return 'catalogue:sample';
  const { host, pathname } = new URL(config.NAROU_BASE_URL);
  return `catalogue:${host}${pathname === '/' ? '' : pathname}`;
}

/** The upstream of this run: the live one, or our own server with an invented catalogue on a free port. */
async function startUpstream(config: CatalogueConfig, clock: Clock) {
  if (config.CATALOGUE_SOURCE === 'narou') {
    return { url: config.NAROU_BASE_URL, maxStart: UPSTREAM_MAX_START, close: () => Promise.resolve() };
  }
  const catalogue = createEmbeddedCatalogue({ clock });
  const server = await startNarouServer({ catalogue, clock, switches: { stBeyondWindow: 'serve' } });
  return { url: server.url, maxStart: null, close: () => server.close() };
}

export interface OpenSourceParts {
  clock: Clock;
  report: ReportProblem;
  storage: Pick<Storage, 'openBudget'>;
  logger: Logger;
}

/** Sample and live pass through the same gate and transport: one path, whatever stands at its end. */
export async function openSource(
  config: CatalogueConfig,
  { clock, report, storage, logger }: OpenSourceParts,
): Promise<OpenedSource> {
  const upstream = await startUpstream(config, clock);
  const isSample = config.CATALOGUE_SOURCE === 'sample';
  const limits = isSample ? undefined : budgetLimitsOf(config);
  const budget = limits && storage.openBudget(config.OUTGOING_ADDRESS, limits);
  const gate = createNarouGate({
    clock,
    random: Math.random,
    wait,
    connections: config.UPSTREAM_CONNECTIONS,
    maxWaiting: config.UPSTREAM_MAX_WAITING,
    tolerableWaitMs: isSample ? config.UPSTREAM_TIMEOUT_MS : TOLERABLE_WAIT_MS,
    budget,
    ...(budget && { onBudget: createBudgetLog(budget, logger) }),
  });
  const transport = createNarouTransport({
    baseUrl: upstream.url,
    userAgent: userAgentOf(config),
    connectTimeoutMs: config.UPSTREAM_CONNECT_TIMEOUT_MS,
    headersTimeoutMs: config.UPSTREAM_HEADERS_TIMEOUT_MS,
    bodyTimeoutMs: config.UPSTREAM_BODY_TIMEOUT_MS,
    deadlineMs: config.UPSTREAM_TIMEOUT_MS,
    maxBodyBytes: config.UPSTREAM_MAX_BODY_BYTES,
    connections: config.UPSTREAM_CONNECTIONS,
    gate,
    clock,
    countBytes: (count, asker) => budget?.addBytes(count, asker),
  });
  const source = createNarouSource({ transport, report, maxStart: upstream.maxStart, clock });
  const close = async () => {
    await source.close();
    await upstream.close();
  };
  return { source: { ...source, close }, gate, budget };
}
