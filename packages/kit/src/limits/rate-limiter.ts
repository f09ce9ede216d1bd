import { LRUCache } from 'lru-cache';
import type { Clock } from '../process/clock.ts';
import { storeScript } from '../store/store.ts';
import type { Store } from '../store/store.ts';
import { Debts } from './debts.ts';
import { NETWORK_CLIENTS, networkOf } from './rules.ts';

/** The limiter's decision on one request. */
export type LimitDecision = {
  /** Requests left in the window after this one. */
  remaining: number;
  /** Seconds until a request is allowed (if refused), or until one more is (if allowed). */
  resetSeconds: number;
} & ({ isAllowed: true } | { isAllowed: false; /** Until a request is allowed. */ waitMs: number });

/** The limit of each client. */
interface Limit {
  /** Requests in any span of `windowSeconds`. */
  limit: number;
  windowSeconds: number;
}

export interface RateLimiter extends Readonly<Limit> {
  /** Counts one request of a client. A refused request is not counted, so obeying Retry-After always succeeds. */
  admit(client: string): LimitDecision | Promise<LimitDecision>;
}

/** The wait of a refusal is rounded up, so that a client that obeys it is admitted. */
const createRefusal = (waitMs: number): LimitDecision => ({
  isAllowed: false,
  remaining: 0,
  resetSeconds: Math.floor(waitMs / 1000) + 1,
  waitMs,
});

/** A client's admissions, oldest first; those before `first` have expired. */
interface Admissions {
  times: number[];
  first: number;
}

/** Maximum number of clients per process: 40 MB if each has used up a limit of 60. The least recently seen is dropped. */
const MAX_CLIENTS = 100_000;

interface SlidingWindow extends RateLimiter {
  admit(client: string): LimitDecision;
  /** Removes the client's youngest admission: another limiter refused the request. */
  cancelAdmission(client: string): void;
}

/**
 * An exact sliding window in memory: never more than `limit` admissions in any span of `windowSeconds`, whatever the
 * arrival pattern. An IPv6 /48 has a bucket of `NETWORK_CLIENTS` limits, which refills. Memory is bounded by
 * `MAX_CLIENTS` lists of at most twice `limit` times.
 */
function createSlidingWindow({ limit, windowSeconds }: Limit, clock: Clock): SlidingWindow {
  const spanMs = windowSeconds * 1000;
  // With `max` it would allocate space for all clients at once.
  const windows = new LRUCache<string, Admissions>({ maxSize: MAX_CLIENTS, sizeCalculation: () => 1 });
  // An IPv4 /24 is bounded by the number of its clients.
  const networks = new Debts(clock, MAX_CLIENTS);
  const stepMs = spanMs / (limit * NETWORK_CLIENTS);
  const addToNetwork = (client: string, milliseconds: number) => {
    if (client.includes(':')) networks.add(networkOf(client), milliseconds);
  };

  /** The client's admissions, without those older than the span. */
  function admissionsOf(client: string, now: number): Admissions {
    let admissions = windows.get(client);
    if (!admissions) windows.set(client, (admissions = { times: [], first: 0 }));
    const { times } = admissions;
    while (admissions.first < times.length && now - (times[admissions.first] ?? 0) > spanMs)
      admissions.first++;
    // Only sometimes, so that the cost per request does not grow with the limit.
    if (admissions.first > times.length / 2) {
      times.splice(0, admissions.first);
      admissions.first = 0;
    }
    return admissions;
  }

  return {
    limit,
    windowSeconds,
    admit: (client) => {
      const now = clock.monotonic();
      const { times, first } = admissionsOf(client, now);
      const waitMs = spanMs - (now - (times[first] ?? now));
      if (times.length - first >= limit) return createRefusal(waitMs);
      const networkMs = client.includes(':') ? networks.of(networkOf(client)) : 0;
      if (networkMs > spanMs - stepMs) return createRefusal(networkMs - spanMs + stepMs);
      times.push(now);
      addToNetwork(client, stepMs);
      const ofNetwork = Math.floor((spanMs - networkMs) / stepMs) - 1;
      const remaining = Math.min(limit - (times.length - first), ofNetwork);
      return { isAllowed: true, remaining, resetSeconds: Math.ceil(waitMs / 1000) };
    },
    cancelAdmission: (client) => {
      if (windows.get(client)?.times.pop() !== undefined) addToNetwork(client, -stepMs);
    },
  };
}

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

  return {
    limit,
    windowSeconds,
    admit: async (client) => {
      const here = local.admit(client);
      if (!here.isAllowed) return here;
      const values = [limit, windowSeconds * 1_000_000];
      const key = store.keys.limit(client);
      const reply = await admitInStore(store, key, values, [1, ...values]).catch(() => []);
      const [admitted, remaining = 0, waitMicroseconds = 0] = reply;
      if (admitted === undefined) return here;
      const waitMs = waitMicroseconds / 1000;
      if (admitted === 1) {
        const resetSeconds = Math.ceil(waitMs / 1000);
        return { isAllowed: true, remaining: Math.min(remaining, here.remaining), resetSeconds };
      }
      local.cancelAdmission(client);
      return createRefusal(waitMs);
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
