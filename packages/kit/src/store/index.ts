// Redis or Valkey, shared by replicas.

export { openStore } from './open-store.ts';
export { storeSettings } from './store-settings.ts';
export type { StoreSettings } from './store-settings.ts';
export type { Store } from './store.ts';
