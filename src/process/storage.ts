import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { CacheTier } from '../cache/tiers.ts';
import type { Clock } from './clock.ts';
import { ConfigError } from './config.ts';
import type { Logger } from './logger.ts';
import { createLocalBudget } from '../upstream/budget.ts';
import type { BudgetLimits, OutgoingBudget } from '../upstream/budget.ts';
import { createPatientLimiter } from '../limits/patient-limiter.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { SharedFlight } from '../store/shared-flight.ts';
import type { StorageSettings } from './storage-settings.ts';
import { connectStore } from '../store/connect-store.ts';
import { createStoreBudget } from '../upstream/store-budget.ts';
import { createStoreFlight } from '../store/store-flight.ts';
import { createStoreKeys } from '../store/store-keys.ts';
import { createStoreLimiter } from '../limits/store-limiter.ts';
import type { StoreTarget } from '../store/store-url.ts';
import { GuardedStore } from '../store/store.ts';
import { openDiskTier } from '../cache/disk-tier.ts';
import { createStoreTier } from '../cache/store-tier.ts';

export interface StorageOptions {
  settings: StorageSettings;
  /** Service and source: what must never be mixed, as `catalogue:narou`. */
  scope: string;
  /** Nobody waits longer than this for another replica's answer. */
  maxWaitMs: number;
  clock: Clock;
  logger: Logger;
  random: () => number;
}

/** Everything beyond this process's memory. Without CACHE_DIR and STORE_URL it is all local. */
export interface Storage {
  /** For the response cache. */
  tiers: readonly CacheTier[];
  flight: SharedFlight | undefined;
  /** The limiter for all replicas, built on the one for this machine. */
  shareLimiter(local: RateLimiter): RateLimiter;
  /** What one outgoing address may ask of an upstream; `name` names the address. */
  openBudget(name: string, limits: BudgetLimits): OutgoingBudget;
  /** undefined where there is none. */
  readonly figures: { storeUsable: boolean | undefined; diskBytes: number | undefined };
  /** Waits until what was put is kept, but not for long. */
  close(): Promise<void>;
}

/**
 * Opens the tiers that the settings name. A store that cannot be reached does not keep the service from starting;
 * a missing package or an unusable folder does (ConfigError).
 */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { settings, scope, clock, logger } = options;
  const disk =
    settings.CACHE_DIR === undefined
      ? undefined
      : await openDiskTier({
          directory: settings.CACHE_DIR,
          scope: scope.replace(/[^\w.-]+/g, '-'),
          maxBytes: settings.CACHE_DISK_MAX_BYTES,
          clock,
          logger,
        });
  const shared = settings.STORE_URL && (await openShared(settings.STORE_URL, options));
  return {
    tiers: [disk, shared?.tier].filter((tier) => tier !== undefined),
    flight: shared?.flight,
    shareLimiter: (local) => createPatientLimiter(shared?.shareLimiter(local) ?? local, wait),
    openBudget: (name, limits) => shared?.openBudget(name, limits) ?? createLocalBudget(limits, clock),
    get figures() {
      return { storeUsable: shared?.store.usable, diskBytes: disk?.figures.bytes };
    },
    close: async () => {
      await Promise.all([disk?.close(), shared?.store.close()]);
    },
  };
}

async function openShared(target: StoreTarget, options: StorageOptions) {
  const { settings, scope, clock, logger, random, maxWaitMs } = options;
  const link = await connectStore(target).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError([
      `STORE_URL: needs the package ioredis: install it (npm install ioredis), or leave STORE_URL empty (${reason})`,
    ]);
  });
  const keys = createStoreKeys(settings.STORE_PREFIX, scope);
  const timeoutMs = settings.STORE_TIMEOUT_MS;
  const store = new GuardedStore({ link, probeKey: keys.probe, timeoutMs, clock, logger });
  await store.settled;
  const stem = randomBytes(9).toString('base64url');
  let tokens = 0;
  const makeToken = () => `${stem}.${(tokens++).toString(36)}`;
  return {
    store,
    tier: createStoreTier({ store, keys, clock }),
    flight: createStoreFlight({ store, keys, clock, makeToken, random, wait, maxWaitMs }),
    shareLimiter: (local: RateLimiter) => createStoreLimiter({ store, keys, clock, local }),
    openBudget: (name: string, limits: BudgetLimits) =>
      createStoreBudget({ store, keys, clock, name, limits }),
  };
}
