import type { Clock } from '../process/clock.ts';
import { storeScript } from '../store/store.ts';
import type { Store } from '../store/store.ts';
import { createRefusal, createSlidingWindow } from './rate-limiter.ts';
import type { LimitDecision, RateLimiter, SlidingWindow } from './rate-limiter.ts';

/**
 * An exact sliding window: one list per client with the microseconds of its admissions, oldest first, by the store's
 * clock. The list expires with the window. An admission counts up to and including the window's last microsecond.
 * ARGV: the limit and the span. Returns whether admitted (1), how many are left, and the microseconds until one more is
 * allowed.
 */
const admitInStore = storeScript(
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
);

/**
 * One limit for all replicas. `local` counts this replica's admissions beside the store, and decides alone while the
 * store is unreachable, which never learns of those admissions.
 */
function createSharedLimiter(store: Store, local: SlidingWindow): RateLimiter {
  const { limit, windowSeconds } = local;

  /** For a request that the local limiter admitted. */
  async function admitByStore(client: string, here: LimitDecision): Promise<LimitDecision> {
    const values = [limit, windowSeconds * 1_000_000];
    const reply = await admitInStore(store, store.keys.limit(client), values, [1, ...values]).catch(() => []);
    const [admitted, remaining = 0, waitMicroseconds = 0] = reply;
    if (admitted === undefined) return here;
    const waitMs = waitMicroseconds / 1000;
    if (admitted === 1) {
      const resetSeconds = Math.ceil(waitMs / 1000);
      return { isAllowed: true, remaining: Math.min(remaining, here.remaining), resetSeconds };
    }
    local.cancelAdmission(client);
    return createRefusal(waitMs);
  }

  return {
    limit,
    windowSeconds,
    admit: async (client) => {
      const here = local.admit(client);
      return here.isAllowed ? admitByStore(client, here) : here;
    },
  };
}

interface LimiterOptions {
  /** RATE_LIMIT: requests per minute of each client; 0 means no limit. */
  requestsPerMinute: number;
  windowSeconds?: number;
  clock: Clock;
  /** Set if processes share a store: they share the limit. */
  store: Store | undefined;
}

/** The rate limiter for this process, and for all that share its store; undefined without a limit. */
export function createLimiter(options: LimiterOptions): RateLimiter | undefined {
  const { requestsPerMinute: limit, windowSeconds = 60, clock, store } = options;
  if (limit === 0) return undefined;
  const local = createSlidingWindow({ limit, windowSeconds }, clock);
  return store ? createSharedLimiter(store, local) : local;
}
