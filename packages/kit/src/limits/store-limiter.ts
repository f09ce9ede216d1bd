import { LRUCache } from 'lru-cache';
import type { Clock } from '../process/clock.ts';
import { isCount, runScript, storeScript } from '../store/store-script.ts';
import type { Store } from '../store/store.ts';
import { createRefusal } from './rate-limiter.ts';
import type { LimitDecision, RateLimiter, SlidingWindow } from './rate-limiter.ts';

/**
 * An exact sliding window: one list per client with the microseconds of its admissions, oldest first, by the store's
 * clock. The list expires with the window. An admission counts up to and including the window's last microsecond.
 * ARGV: the limit and the span. Returns whether admitted, how many are left, and the microseconds until one more is allowed.
 */
const ADMIT = storeScript(
  `
local limit, span = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local lifetime = math.ceil(span / 1000) + 1
local oldest = redis.call('LINDEX', KEYS[1], 0)
while oldest and now - oldest > span do
  redis.call('LPOP', KEYS[1])
  oldest = redis.call('LINDEX', KEYS[1], 0)
end
local count = redis.call('LLEN', KEYS[1])
if count >= limit then
  local due = redis.call('LINDEX', KEYS[1], count - limit)
  return {0, 0, due and due + span - now or span}
end
redis.call('RPUSH', KEYS[1], string.format('%.0f', now))
redis.call('PEXPIRE', KEYS[1], lifetime)
return {1, limit - count - 1, oldest and oldest + span - now or span}
`,
  (reply): reply is Reply => Array.isArray(reply) && reply.length === 3 && reply.every(isCount),
);

/** Maximum number of clients with a cached refusal. */
const MAX_CLIENTS = 10_000;

interface StoreLimiterOptions {
  store: Store;
  clock: Clock;
  /** Counts this machine's admissions beside the store, and decides alone while the store is unreachable. */
  local: SlidingWindow;
}

/** Whether admitted (1), how many are left, microseconds. */
type Reply = [number, number, number];

/**
 * One limit for all replicas. While the store is unreachable, each replica applies the limit by itself; the store
 * never learns of those admissions.
 */
export class StoreLimiter implements RateLimiter {
  readonly limit: number;
  readonly windowSeconds: number;
  readonly #options: StoreLimiterOptions;
  /** End of a refusal (monotonic). No other replica can end it earlier. */
  readonly #refusedUntil = new LRUCache<string, number>({ max: MAX_CLIENTS });

  constructor(options: StoreLimiterOptions) {
    this.#options = options;
    this.limit = options.local.limit;
    this.windowSeconds = options.local.windowSeconds;
  }

  async admit(client: string): Promise<LimitDecision> {
    const { clock, local } = this.#options;
    const stillRefusedMs = (this.#refusedUntil.get(client) ?? -Infinity) - clock.monotonic();
    if (stillRefusedMs >= 0) return createRefusal(stillRefusedMs);
    const here = local.admit(client);
    return here.isAllowed ? this.#admitByStore(client, here) : here;
  }

  /** For a request that the local limiter admitted. */
  async #admitByStore(client: string, here: LimitDecision): Promise<LimitDecision> {
    const { store, clock, local } = this.#options;
    const span = this.windowSeconds * 1_000_000;
    let reply: Reply;
    try {
      reply = await runScript(store, ADMIT, store.keys.limit(client), [this.limit, span]);
    } catch {
      return here;
    }
    const [admitted, remainingPermits, waitMicroseconds] = reply;
    // The store's own clock may have been set back.
    const waitMs = Math.min(waitMicroseconds / 1000, this.windowSeconds * 1000);
    if (admitted === 1) {
      const remaining = Math.min(remainingPermits, here.remaining);
      return { isAllowed: true, remaining, resetSeconds: Math.ceil(waitMs / 1000) };
    }
    local.cancelAdmission(client);
    this.#refusedUntil.set(client, clock.monotonic() + waitMs);
    return createRefusal(waitMs);
  }
}
