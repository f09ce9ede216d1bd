import { openService } from '@mokuroku/kit/service';
import { timedOut } from '@mokuroku/narou/live';
import type { RunningService } from '@mokuroku/kit/service';
import { createThrottledLog, systemClock, readConfig } from '@mokuroku/kit/process';
import type { Clock, Environment, Logger } from '@mokuroku/kit/process';
import { createCatalogueApp } from './app.ts';
import { CATALOGUE_CONFIG } from './config.ts';
import type { CatalogueConfig } from './config.ts';
import { responseScope, openSource, sourceScope } from './open-source.ts';
import { addCatalogueMetrics, addGateStats, partsLacking, readinessOf } from './readiness.ts';
import type { SourceProblem } from '@mokuroku/narou/source';

/** Reads the settings, opens the source and listens. Throws ConfigError with every invalid setting. */
export async function startCatalogue(
  environment: Environment,
  clock: Clock = systemClock,
): Promise<RunningService> {
  const config = readConfig(CATALOGUE_CONFIG, environment);
  const { log, store, metrics, http, listen } = await openService({
    name: 'catalogue',
    config,
    scope: responseScope(config),
    budgetScope: sourceScope(config),
    clock,
    loadDeadline: {
      milliseconds: config.UPSTREAM_TIMEOUT_MS,
      timeoutError: () => timedOut(new Error('not loaded before the deadline')),
    },
  });
  warnWithoutContact(config, log.logger);
  const problems = createSourceProblemLog(log.logger, clock);
  const parts = { clock, report: problems.report, store, logger: log.logger };
  const { source, gate, budget, local } = await openSource(config, parts);
  if (gate) addGateStats(metrics, gate, budget);
  if (local) addCatalogueMetrics(metrics, local, () => clock.now());
  metrics.addCounter(
    'upstream_odd_answers_total',
    'Fields and records of the upstream that were not as documented, served all the same',
    'kind',
    () => problems.totals,
  );
  const app = createCatalogueApp({
    ...http,
    source,
    isSample: source.isSample,
    withAdult: config.ADULT === 'on',
    lacking: () => partsLacking({ local, gate }),
    readinessFacts: () => readinessOf({ local, gate, budget }),
  });
  return listen(app, config.CATALOGUE_PORT, source);
}

function warnWithoutContact(config: CatalogueConfig, logger: Logger): void {
  const { CATALOGUE_SOURCE, CATALOGUE_FALLBACK, NAROU_CONTACT } = config;
  const usesUpstream =
    CATALOGUE_SOURCE === 'narou' || (CATALOGUE_SOURCE === 'local' && CATALOGUE_FALLBACK === 'narou');
  if (!usesUpstream || NAROU_CONTACT !== undefined) return;
  logger.warn(
    'NAROU_CONTACT is not set: the upstream cannot see who runs this service, and may refuse requests',
  );
}

const LOG_PERIOD_MS = 3_600_000;

/**
 * Logs unexpected details of upstream responses, each kind once an hour: a field that has changed its type would
 * otherwise be logged with every response.
 */
export function createSourceProblemLog(logger: Logger, clock: Clock) {
  /** Problems so far by kind (`novelapi mistyped_field`), for the metrics. */
  const totals = new Map<string, number>();
  const log = createThrottledLog({ logger, clock, periodMs: LOG_PERIOD_MS });
  return {
    totals,
    report: (problem: SourceProblem): void => {
      const kind = `${problem.upstream} ${problem.problem}`;
      totals.set(kind, (totals.get(kind) ?? 0) + problem.count);
      const message = 'the upstream response differs from the documentation; served anyway';
      log.logOncePerPeriod('warn', `${kind} ${problem.about}`, problem, message);
    },
  };
}
