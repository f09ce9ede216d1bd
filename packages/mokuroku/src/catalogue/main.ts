import { openService, addGateStats } from '@mokuroku/kit/service';
import type { RunningService } from '@mokuroku/kit/service';
import { systemClock, readConfig } from '@mokuroku/kit/process';
import type { Clock, Environment, Logger } from '@mokuroku/kit/process';
import { createCatalogueApp } from './app.ts';
import { CATALOGUE_CONFIG } from './config.ts';
import type { CatalogueConfig } from './config.ts';
import { responseScope, openSource, sourceScope } from './open-source.ts';
import { addCatalogueMetrics, readinessOf } from './readiness.ts';
import type { CatalogueSource } from '@mokuroku/narou/source';
import { createSourceProblemLog } from './source-problem-log.ts';

/** Reads the settings, opens the source and listens. Throws ConfigError with every invalid setting. */
export async function startCatalogue(
  environment: Environment,
  clock: Clock = systemClock,
): Promise<RunningService> {
  const config = readConfig(CATALOGUE_CONFIG, environment);
  const opened: { source?: CatalogueSource } = {};
  const { log, storage, metrics, http, listen } = await openService({
    name: 'catalogue',
    config,
    scope: responseScope(config),
    budgetScope: sourceScope(config),
    isSample: () => opened.source?.isSample() ?? config.CATALOGUE_SOURCE === 'sample',
    clock,
    loadTimeoutMs: config.UPSTREAM_TIMEOUT_MS,
    timeoutCode: 'upstream_timeout',
  });
  warnWithoutContact(config, log.logger);
  const problems = createSourceProblemLog(log.logger, clock);
  const parts = { clock, report: problems.report, storage, logger: log.logger };
  const { source, gate, budget, local } = await openSource(config, parts);
  opened.source = source;
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
    withAdult: config.ADULT === 'on',
    readinessFacts: () => readinessOf({ local, gate, budget }),
  });
  return listen(app, config.CATALOGUE_PORT, () => source.close());
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
