import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock, Logger } from '@mokuroku/kit/process';
import { ConfigError } from '@mokuroku/kit/process';
import type { OutgoingBudget, Gate } from '@mokuroku/kit/upstream';
import type { Storage } from '@mokuroku/kit/service';
import type { CatalogueConfig } from './config.ts';
import { startNarouServer } from '../../../../test/upstream/index.ts';
import type { CatalogueSource, ReportProblem } from '@mokuroku/narou/source';
import { createEmbeddedCatalogue } from '@mokuroku/narou/sample';
import { withCatalogue, changesSince } from '@mokuroku/narou/scan';
import type { LocalSource } from '@mokuroku/local-catalogue';
import {
  UPSTREAM_MAX_START,
  createNarouSource,
  createNarouGate,
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
  gate: Gate | undefined;
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
  storage: Pick<Storage, 'openBudget'>;
  logger: Logger;
}

/** Opens the source of the settings. */
export async function openSource(config: CatalogueConfig, parts: OpenSourceParts): Promise<OpenedSource> {
  switch (config.CATALOGUE_SOURCE) {
    case 'sample':
      return openSample(config, parts);
    case 'narou':
      return openLive(config, parts);
    case 'local':
      return openLocal(config, parts);
  }
}

/** An invented catalogue behind our own upstream server on a free port, so that it takes the path of the live one. */
async function openSample(config: CatalogueConfig, parts: OpenSourceParts): Promise<OpenedSource> {
  const { clock } = parts;
  const catalogue = createEmbeddedCatalogue({ clock });
  const server = await startNarouServer({ catalogue, clock, switches: { stBeyondWindow: 'serve' } });
  const { source, gate } = openNarou(config, parts, {
    url: server.url,
    maxStart: null,
    budget: undefined,
    hasBreaker: false,
    // The other half is for the call itself, which would otherwise start too late and count as a failure.
    tolerableWaitMs: config.UPSTREAM_TIMEOUT_MS / 2,
  });
  const close = async () => {
    await source.close();
    await server.close();
  };
  const changes: CatalogueSource['changes'] = (query) =>
    changesSince(catalogue.changes(), query, clock.now());
  return {
    source: { ...withCatalogue(source, catalogue), isSample: () => true, changes, close },
    gate,
    budget: undefined,
  };
}

function openLive(config: CatalogueConfig, parts: OpenSourceParts): OpenedSource {
  const limits = budgetLimitsOf(config);
  const budget = limits && parts.storage.openBudget(limits);
  const upstream = { url: config.NAROU_BASE_URL, maxStart: UPSTREAM_MAX_START, budget };
  return { ...openNarou(config, parts, { ...upstream, tolerableWaitMs: TOLERABLE_WAIT_MS }), budget };
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

interface NarouUpstream {
  url: string;
  maxStart: number | null;
  budget: OutgoingBudget | undefined;
  hasBreaker?: boolean | undefined;
  tolerableWaitMs: number;
}

/** A server with the upstream's protocol, behind gate and transport. */
function openNarou(
  config: CatalogueConfig,
  { clock, report, logger }: OpenSourceParts,
  { url, maxStart, budget, hasBreaker, tolerableWaitMs }: NarouUpstream,
) {
  const gate = createNarouGate({
    clock,
    random: Math.random,
    wait,
    budget,
    hasBreaker,
    tolerableWaitMs,
    connections: config.UPSTREAM_CONNECTIONS,
    maxWaiting: MAX_WAITING,
    ...(budget && { onBudget: createBudgetLog(budget, logger) }),
  });
  const transport = createNarouTransport({
    baseUrl: url,
    gate,
    clock,
    ...transportSettings(config),
    connections: config.UPSTREAM_CONNECTIONS,
    countBytes: (count, requester) => budget?.addBytes(count, requester),
  });
  const source = createNarouSource({ transport, report, maxStart, clock });
  return { source: splittingSource(source, report), gate };
}
