import { LRUCache } from 'lru-cache';
import type { Clock } from '../process/clock.ts';
import { isCount, runScript, storeScript } from '../store/store-script.ts';
import type { Store } from '../store/store.ts';
import { createRefusal } from './rate-limiter.ts';
import type { LimitDecision, RateLimiter, SlidingWindow } from './rate-limiter.ts';

/**
 * An exact sliding window: one list per client with the microseconds of its admissions, oldest first, by the store's
 * clock. The list expires with the window. An admission counts up to and including the window's last microsecond.
 * ARGV: the limit (0 only reports), the span, and the ages of admissions made while the store was unreachable.
 * Returns whether admitted, how many are left, and the microseconds until one more is allowed.
 */
const ADMIT = storeScript(
  `
local limit, span = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local lifetime = math.ceil(span / 1000) + 1
if #ARGV > 2 then
  local all = redis.call('LRANGE', KEYS[1], 0, -1)
  for i = 3, #ARGV do all[#all + 1] = string.format('%.0f', now - tonumber(ARGV[i])) end
  table.sort(all)
  redis.call('DEL', KEYS[1])
  for _, at in ipairs(all) do redis.call('RPUSH', KEYS[1], at) end
  redis.call('PEXPIRE', KEYS[1], lifetime)
end
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

/** Maximum number of clients with a cached refusal, or with unreported admissions. */
const MAX_CLIENTS = 10_000;

/** Maximum unreported admissions of one client: beyond usual limits, more have no effect. */
const MAX_UNREPORTED = 1_000;

interface StoreLimiterOptions {
  store: Store;
  clock: Clock;
  /** Counts this machine's admissions beside the store, and decides alone while the store is unreachable. */
  local: SlidingWindow;
}

/** Whether admitted (1), how many are left, microseconds. */
type Reply = [number, number, number];

/**
 * One limit for all replicas. While the store is unreachable, each replica applies the limit by itself, and reports
 * its admissions when the store is back.
 */
export class StoreLimiter implements RateLimiter {
  readonly limit: number;
  readonly windowSeconds: number;
  readonly #options: StoreLimiterOptions;
  /** End of a refusal (monotonic). No other replica can end it earlier. */
  readonly #refusedUntil = new LRUCache<string, number>({ max: MAX_CLIENTS });
  /** Admissions (monotonic times) that the store does not know. */
  readonly #unreported = new LRUCache<string, number[]>({ max: MAX_CLIENTS });

  constructor(options: StoreLimiterOptions) {
    this.#options = options;
    this.limit = options.local.limit;
    this.windowSeconds = options.local.windowSeconds;
    options.store.onUsable(() => {
      for (const client of [...this.#unreported.keys()]) this.#run(client, 0).catch(() => undefined);
    });
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
    const { clock, local } = this.#options;
    const admittedAt = clock.monotonic();
    let reply: Reply;
    try {
      reply = await this.#run(client, this.limit);
    } catch {
      // The store may have counted it or not: counting twice is better than not at all.
      this.#addUnreported(client, [admittedAt]);
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

  /** Runs the script, and reports the client's unreported admissions. */
  async #run(client: string, admitUpTo: number): Promise<Reply> {
    const { store, clock } = this.#options;
    const moments = this.#unreported.get(client) ?? [];
    this.#unreported.delete(client);
    const ages = moments.map((at) => Math.round((clock.monotonic() - at) * 1000));
    const span = this.windowSeconds * 1_000_000;
    try {
      return await runScript(store, ADMIT, store.keys.limit(client), [admitUpTo, span, ...ages]);
    } catch (error) {
      this.#addUnreported(client, moments);
      throw error;
    }
  }

  #addUnreported(client: string, moments: readonly number[]): void {
    if (moments.length === 0) return;
    this.#unreported.set(
      client,
      [...(this.#unreported.get(client) ?? []), ...moments].slice(-MAX_UNREPORTED),
    );
  }
}
