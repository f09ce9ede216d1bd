import { LRUCache } from 'lru-cache';
import type { Clock } from '../process/clock.ts';
import { refusal } from './rate-limiter.ts';
import type { LimitDecision, RateLimiter } from './rate-limiter.ts';
import type { StoreKeys } from '../store/store-keys.ts';
import { runScript, storeScript } from '../store/store-script.ts';
import type { Store } from '../store/store.ts';

/**
 * The exact sliding window: one list a client with the microsecond of each admission, oldest first, by the store's
 * own clock. Not longer than the limit, gone when the window is over. Gives whether admitted, how many are left,
 * and the microseconds until the oldest admission no longer counts. An admission counts up to and including the
 * window's last microsecond.
 */
const TAKE = storeScript(`
local limit, span = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local oldest = redis.call('LINDEX', KEYS[1], 0)
while oldest and now - oldest > span do
  redis.call('LPOP', KEYS[1])
  oldest = redis.call('LINDEX', KEYS[1], 0)
end
local wait = oldest and (oldest + span - now) or span
local count = redis.call('LLEN', KEYS[1])
if count >= limit then return {0, 0, wait} end
redis.call('RPUSH', KEYS[1], string.format('%.0f', now))
redis.call('PEXPIRE', KEYS[1], math.ceil(span / 1000) + 1)
return {1, limit - count - 1, wait}
`);

/** Clients whose refusal is remembered here, so that insisting costs the store nothing. */
const MAX_REMEMBERED_REFUSALS = 10_000;

export interface StoreLimiterOptions {
  store: Store;
  keys: StoreKeys;
  clock: Clock;
  /** Counts this replica's admissions too, and alone while the store is out of reach. */
  local: RateLimiter;
}

/** One limit for all replicas. Without the store, each replica holds it for itself. */
export function createStoreLimiter({ store, keys, clock, local }: StoreLimiterOptions): RateLimiter {
  const { limit, windowSeconds } = local;
  const spanMicroseconds = windowSeconds * 1_000_000;
  /** Until when (monotonic): nothing that happens elsewhere can make a window free sooner. */
  const refusedUntil = new LRUCache<string, number>({ max: MAX_REMEMBERED_REFUSALS });

  async function askStore(client: string, here: LimitDecision): Promise<LimitDecision> {
    let reply: unknown;
    try {
      reply = await runScript(store, TAKE, keys.limit(client), [limit, spanMicroseconds]);
    } catch {
      return here;
    }
    const [allowed, left, waitMicroseconds] = reply as [number, number, number];
    const waitMs = waitMicroseconds / 1000;
    if (allowed === 1) {
      return {
        allowed: true,
        remaining: Math.min(left, here.remaining),
        resetSeconds: Math.ceil(waitMs / 1000),
      };
    }
    local.giveBack(client);
    refusedUntil.set(client, clock.monotonic() + waitMs);
    return refusal(waitMs);
  }

  function decide(client: string, here: LimitDecision): LimitDecision | Promise<LimitDecision> {
    return here.allowed && store.usable ? askStore(client, here) : here;
  }

  return {
    limit,
    windowSeconds,
    take: (client) => {
      const stillRefusedMs = (refusedUntil.get(client) ?? 0) - clock.monotonic();
      if (stillRefusedMs >= 0) return refusal(stillRefusedMs);
      const here = local.take(client);
      return here instanceof Promise
        ? here.then((decision) => decide(client, decision))
        : decide(client, here);
    },
    giveBack: (client) => {
      local.giveBack(client);
    },
  };
}
