import type { CacheTier } from '../cache/tiers.ts';
import { Budget } from '../upstream/budget.ts';
import type { BudgetLimits, OutgoingBudget } from '../upstream/budget.ts';
import { createSharedDebts } from '../upstream/shared-debts.ts';
import type { StoreSettings } from '../store/connect-store.ts';
import { createStoreKeys, openStore } from '../store/store.ts';
import type { OpenStoreParts, Store } from '../store/store.ts';
import { openDiskTier } from '../cache/disk-tier.ts';
import { createStoreTier } from '../cache/store-tier.ts';
import type { ServiceSettings } from './settings.ts';

interface StorageOptions extends OpenStoreParts {
  settings: StoreSettings & Pick<ServiceSettings, 'CACHE_DIR' | 'CACHE_DISK_MAX_BYTES'>;
  /** Scope of the budgets; default: `scope`. All users of one upstream count together. */
  budgetScope?: string | undefined;
}

/** Storage beyond this process's memory. Without CACHE_DIR and STORE_URL there is none. */
export interface Storage {
  /** The further tiers of the response cache. */
  tiers: readonly CacheTier[];
  store: Store | undefined;
  /** The daily quota of one outgoing address; `name` names the address. */
  openBudget(limits: BudgetLimits): OutgoingBudget;
  /** undefined if there is no store or no disk tier. */
  readonly stats: { storeUsable: boolean | undefined; diskBytes: number | undefined };
  /** Waits until pending writes are done, but not for long. */
  close(): Promise<void>;
}

/** Opens the tiers and the store of the settings. */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { settings, scope, budgetScope = scope, clock, logger } = options;
  const disk =
    settings.CACHE_DIR === undefined
      ? undefined
      : await openDiskTier({
          directory: settings.CACHE_DIR,
          scope,
          maxBytes: settings.CACHE_DISK_MAX_BYTES,
          clock,
          logger,
        });
  const store = await openStore(settings, { scope, clock, logger });
  const storeTier = store && createStoreTier(store, clock);
  return {
    tiers: [disk, storeTier].filter((tier) => tier !== undefined),
    store,
    openBudget: (limits) => {
      const keys = createStoreKeys(settings.STORE_PREFIX, budgetScope);
      return new Budget(limits, clock, store && createSharedDebts(store, keys.budget));
    },
    get stats() {
      return { storeUsable: store?.isUsable, diskBytes: disk?.stats.bytes };
    },
    close: async () => {
      await Promise.all([disk?.close(), store?.close()]);
    },
  };
}
