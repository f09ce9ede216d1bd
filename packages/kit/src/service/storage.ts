import type { CacheTier } from '../cache/tiers.ts';
import { Budget } from '../upstream/budget.ts';
import type { BudgetLimits, OutgoingBudget } from '../upstream/budget.ts';
import { createSharedDebts } from '../upstream/shared-debts.ts';
import type { StoreSettings } from '../store/connect-store.ts';
import { createStoreKeys, openStore } from '../store/store.ts';
import type { OpenStoreParts, Store } from '../store/store.ts';
import { openDiskTier } from '../cache/disk-tier.ts';
import type { DiskTier } from '../cache/disk-tier.ts';
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
  disk: DiskTier | undefined;
  /** The daily quota of the outgoing address. */
  openBudget(limits: BudgetLimits): OutgoingBudget;
  /** Waits until pending writes are done, but not for long. */
  close(): Promise<void>;
}

/** Opens the tiers and the store of the settings. */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { settings, scope, budgetScope = scope, clock, logger } = options;
  const { CACHE_DIR: directory, CACHE_DISK_MAX_BYTES: maxBytes } = settings;
  const disk =
    directory === undefined ? undefined : await openDiskTier({ directory, scope, maxBytes, clock, logger });
  const store = await openStore(settings, { scope, clock, logger });
  const storeTier = store && createStoreTier(store, clock);
  return {
    tiers: [disk, storeTier].filter((tier) => tier !== undefined),
    store,
    disk,
    openBudget: (limits) => {
      const keys = createStoreKeys(settings.STORE_PREFIX, budgetScope);
      return new Budget(limits, clock, store && createSharedDebts(store, keys.budget));
    },
    close: async () => {
      await Promise.all([disk?.close(), store?.close()]);
    },
  };
}
