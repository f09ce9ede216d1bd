import path from 'node:path';
import type { Clock, Logger } from '@mokuroku/kit/process';
import { ConfigError, systemSleep } from '@mokuroku/kit/process';
import { Budget, createSharedDebts } from '@mokuroku/narou/upstream';
import type { OutgoingBudget } from '@mokuroku/narou/upstream';
import type { Store } from '@mokuroku/kit/store';
import type { CatalogueConfig } from './config.ts';
import type { CatalogueSource, ReportProblem } from '@mokuroku/narou/source';
import { createEmbeddedCatalogue, createSampleSource } from '@mokuroku/narou/sample';
import type { LocalSource } from '@mokuroku/local-catalogue';
import {
  createNarouSource,
  NarouGate,
  createNarouTransport,
  budgetLimitsOf,
  createBudgetLog,
  splittingSource,
  transportSettings,
  upstreamScope,
} from '@mokuroku/narou/live';

/** A request with a longer expected wait in the upstream queue is refused. */
const TOLERABLE_WAIT_MS = 500;

/** Requests that may wait for a connection, half as many of one network. */
const MAX_WAITING = 1_000;

interface OpenedSource {
  source: CatalogueSource;
  /** undefined if the source sends no requests. */
  gate: NarouGate | undefined;
  /** undefined without a daily quota. */
  budget: OutgoingBudget | undefined;
  /** The local catalogue, if there is one. */
  local?: LocalSource;
}

type ScopeConfig = Pick<CatalogueConfig, 'CATALOGUE_SOURCE' | 'NAROU_BASE_URL'>;

/** Cache entries and counts of one upstream are not used for another. */
export function sourceScope({ CATALOGUE_SOURCE, NAROU_BASE_URL }: ScopeConfig): string {
  return CATALOGUE_SOURCE === 'sample' ? 'catalogue:sample' : upstreamScope(NAROU_BASE_URL);
}

/** Responses of a local catalogue are cached separately from those of its upstream: they may differ. */
export function responseScope(config: ScopeConfig & Pick<CatalogueConfig, 'CATALOGUE_DIR'>): string {
  const { CATALOGUE_SOURCE, CATALOGUE_DIR } = config;
  return CATALOGUE_SOURCE === 'local'
    ? `catalogue:local:${path.resolve(CATALOGUE_DIR ?? '')}`
    : sourceScope(config);
}

interface OpenSourceParts {
  clock: Clock;
  report: ReportProblem;
  store: Store | undefined;
  logger: Logger;
}

/** Opens the source of the settings. */
export async function openSource(config: CatalogueConfig, parts: OpenSourceParts): Promise<OpenedSource> {
  switch (config.CATALOGUE_SOURCE) {
    case 'sample': {
      const { clock } = parts;
      const source = createSampleSource(createEmbeddedCatalogue({ clock }), clock);
      return { source, gate: undefined, budget: undefined };
    }
    case 'narou':
      return openLive(config, parts);
    case 'local':
      return openLocal(config, parts);
  }
}

/** The upstream, behind gate and transport. */
function openLive(config: CatalogueConfig, parts: OpenSourceParts): OpenedSource {
  const { clock, report, logger, store } = parts;
  const limits = budgetLimitsOf(config);
  const budget = limits && new Budget(limits, clock, store && createSharedDebts(store));
  const gate = new NarouGate({
    clock,
    random: Math.random,
    wait: systemSleep,
    budget,
    tolerableWaitMs: TOLERABLE_WAIT_MS,
    connections: config.UPSTREAM_CONNECTIONS,
    maxWaiting: MAX_WAITING,
    ...(budget && { onBudget: createBudgetLog(budget, logger) }),
  });
  const transport = createNarouTransport({
    baseUrl: config.NAROU_BASE_URL,
    gate,
    clock,
    ...transportSettings(config),
    connections: config.UPSTREAM_CONNECTIONS,
    budget,
  });
  const source = createNarouSource({ transport, report, clock });
  return { source: splittingSource(source, report), gate, budget };
}

async function openLocal(config: CatalogueConfig, parts: OpenSourceParts): Promise<OpenedSource> {
  const { clock, logger } = parts;
  const dir = config.CATALOGUE_DIR;
  if (dir === undefined) {
    throw new ConfigError(['CATALOGUE_DIR="": must be set when CATALOGUE_SOURCE is local']);
  }
  const live = config.CATALOGUE_FALLBACK === 'narou' ? openLive(config, parts) : undefined;
  // Loaded on use: most services have no local catalogue.
  const { openLocalCatalogue } = await import('@mokuroku/local-catalogue');
  const local = openLocalCatalogue({ dir, upstream: live?.source, clock, logger });
  return { source: local, gate: live?.gate, budget: live?.budget, local };
}
