import { createEntryStore } from '../cache/entry-store.ts';
import type { EntryStore } from '../cache/entry-store.ts';
import type { StoreSettings } from '../store/connect-store.ts';
import { createStoreKeys, openStore } from '../store/store.ts';
import type { OpenStoreParts, Store } from '../store/store.ts';

interface StorageOptions extends OpenStoreParts {
  settings: StoreSettings;
  /** Scope of the budgets; default: `scope`. All users of one upstream count together. */
  budgetScope?: string | undefined;
}

/** Storage shared by replicas. Without STORE_URL there is none. */
export interface Storage {
  store: Store | undefined;
  /** Cached responses. */
  entries: EntryStore | undefined;
  /** The key of the counts of outgoing requests. */
  budgetKey: string;
  /** Waits until pending writes are done, but not for long. */
  close(): Promise<void>;
}

/** Opens the store of the settings. */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { settings, scope, budgetScope = scope, clock, logger } = options;
  const store = await openStore(settings, { scope, clock, logger });
  return {
    store,
    entries: store && createEntryStore(store, clock),
    budgetKey: createStoreKeys(settings.STORE_PREFIX, budgetScope).budget,
    close: async () => {
      await store?.close();
    },
  };
}
