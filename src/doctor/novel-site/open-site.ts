import type { CatalogueConfig } from '../../catalogue/config.ts';
import { transportSettings } from '../../catalogue/config.ts';
import { openNarouSocket } from '../../catalogue/narou/transport.ts';
import { sourceScope } from '../../catalogue/open-source.ts';
import { budgetLimitsOf } from '../../catalogue/upstream-budget.ts';
import { silentLogger } from '../../process/logger.ts';
import { openStore } from '../../store/open-store.ts';
import { LocalBudget } from '../../upstream/budget.ts';
import { StoreBudget } from '../../upstream/store-budget.ts';
import type { PaceParts } from '../pace.ts';
import { openSite } from './site.ts';
import type { NovelSite } from './site.ts';

interface OpenSiteParts extends PaceParts {
  readonly signal: AbortSignal;
}

/** The novel site as `serve --live` queries it, within the same daily budget: with a store, that of all replicas. */
export async function openConfiguredSite(
  config: CatalogueConfig,
  parts: OpenSiteParts,
): Promise<{ site: NovelSite; close: () => Promise<void> }> {
  const { clock } = parts;
  const scope = sourceScope({ ...config, CATALOGUE_SOURCE: 'narou' });
  // A missing ioredis is reported by another check.
  const store = await openStore(config, { scope, clock, logger: silentLogger() }).catch(() => undefined);
  const limits = budgetLimitsOf(config);
  const name = config.OUTGOING_ADDRESS;
  const shared = limits && store && new StoreBudget({ store, keys: store.keys, clock, name, limits });
  const budget = shared ?? (limits && new LocalBudget(limits, clock));
  const settings = transportSettings(config);
  const { deadlineMs, maxBodyBytes } = settings;
  const socket = openNarouSocket({
    baseUrl: config.NAROU_BASE_URL,
    connections: 1,
    clock,
    ...settings,
  });
  return {
    site: openSite({ ...parts, deadlineMs, maxBodyBytes, socket, budget }),
    close: async () => {
      await socket.close();
      await store?.close();
    },
  };
}
