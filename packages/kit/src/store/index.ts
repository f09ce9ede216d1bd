// Redis or Valkey, shared by replicas.

export { hashKey, openStore, storeScript } from './store.ts';
export { storeSettings } from './connect-store.ts';
export type { StoreSettings } from './connect-store.ts';
export type { Store } from './store.ts';
