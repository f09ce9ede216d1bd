import type { Clock } from '../process/clock.ts';
import type { Logger } from '../process/logger.ts';
import { connectStore } from './connect-store.ts';
import { createStoreKeys } from './store-keys.ts';
import type { StoreSettings } from './store-settings.ts';
import { Store } from './store.ts';

export interface OpenStoreParts {
  /** Service and source, whose data are never mixed: `catalogue:narou`. */
  scope: string;
  clock: Clock;
  logger: Logger;
}

/**
 * Opens the store that the settings name, if any. An unreachable store does not fail the startup; a missing package
 * does (ConfigError).
 */
export async function openStore(
  { STORE_URL, ...settings }: StoreSettings,
  { scope, clock, logger }: OpenStoreParts,
): Promise<Store | undefined> {
  if (!STORE_URL) return undefined;
  const client = await connectStore({ ...settings, STORE_URL });
  const store = new Store({ client, keys: createStoreKeys(settings.STORE_PREFIX, scope), clock, logger });
  await store.ready;
  return store;
}
