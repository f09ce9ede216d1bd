import type { Clock } from '../process/clock.ts';
import { ERROR_TABLE, ServiceError, asServiceError } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import { isCount, runScript, storeScript } from './store-script.ts';
import type { Store } from './store.ts';

/** Lets one of several processes do what all of them want. */
export interface SharedFlight {
  /**
   * Runs `lead` unless another process is at it already; then waits for what that one brings about, asking
   * `follow` again and again until it gives something. When the other process dies, one that waits takes over.
   * A failure of the other is this one's failure too. Without contact to the others `lead` simply runs.
   */
  once<T>(key: string, lead: () => Promise<T>, follow: () => Promise<T | undefined>): Promise<T>;
}

/** A leader that has not renewed its lease for so long is dead, and one that waits takes over. */
const LEASE_MS = 2_000;
const RENEW_EVERY_MS = 500;

/** A failure stays this long for those that wait for it. */
const FAILURE_KEPT_MS = 2_000;

/** Those that wait look again after 5 ms at first, then ever later. */
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 50;

/**
 * The lock of a key holds its leader's token, or, after a failure, `token!failure`. ARGV: own token, lease in ms,
 * the token waited for so far (or ''). Gives the own token when the lock is ours now, else what it holds. A failure
 * that we have not waited for is not ours: we try anew.
 */
const ENTER = storeScript(
  `
local held = redis.call('GET', KEYS[1])
if held then
  local mark = string.find(held, '!', 1, true)
  if not mark then return held end
  if string.sub(held, 1, mark - 1) == ARGV[3] then return held end
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return ARGV[1]
`,
  (reply) => typeof reply === 'string',
);

const RENEW = storeScript(
  `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
`,
  isCount,
);

/** ARGV: own token, the failure ('' after a success), how long it is kept in ms. */
const LEAVE = storeScript(
  `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[2] == '' then return redis.call('DEL', KEYS[1]) end
redis.call('SET', KEYS[1], ARGV[1] .. '!' .. ARGV[2], 'PX', ARGV[3])
return 1
`,
  isCount,
);

interface StoreFlightOptions {
  store: Store;
  clock: Clock;
  /** Unique for every call, without `!`. */
  makeToken: () => string;
  random: () => number;
  wait: (milliseconds: number) => Promise<unknown>;
  /** Nobody waits longer than this for another replica. */
  maxWaitMs: number;
}

/** One replica asks the source, the others wait for its answer to arrive in the store. */
export function createStoreFlight(options: StoreFlightOptions): SharedFlight {
  const { store, clock, random, wait } = options;

  async function lead<T>(lock: string, token: string, act: () => Promise<T>): Promise<T> {
    const renewal = setInterval(() => {
      runScript(store, RENEW, lock, [token, LEASE_MS]).catch(() => undefined);
    }, RENEW_EVERY_MS);
    const leave = (failure: string) => {
      clearInterval(renewal);
      runScript(store, LEAVE, lock, [token, failure, FAILURE_KEPT_MS]).catch(() => undefined);
    };
    try {
      const result = await act();
      leave('');
      return result;
    } catch (error) {
      leave(describeFailure(error));
      throw error;
    }
  }

  return {
    once: async (key, act, follow) => {
      const lock = store.keys.flight(key);
      const token = options.makeToken();
      const giveUpAt = clock.monotonic() + options.maxWaitMs;
      let waitedFor = '';
      for (let pause = FIRST_PAUSE_MS; store.usable; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
        const held = await runScript(store, ENTER, lock, [token, LEASE_MS, waitedFor]).catch(() => undefined);
        if (held === undefined) break;
        // Also when the lock is ours: the answer may have arrived between our look and our lock.
        const arrived = await follow();
        if (held === token) return lead(lock, token, () => (arrived ? Promise.resolve(arrived) : act()));
        if (arrived) return arrived;
        const mark = held.indexOf('!');
        if (mark >= 0) throw readFailure(held.slice(mark + 1));
        if (clock.monotonic() >= giveUpAt) break;
        waitedFor = held;
        await wait(pause * (0.5 + random() / 2));
      }
      return act();
    },
  };
}

/** What the other replicas are told: what a client may see, nothing more. */
function describeFailure(error: unknown): string {
  const { code, message, details, retryAfterSeconds } = asServiceError(error);
  return JSON.stringify({ code, message, details, retryAfterSeconds });
}

function readFailure(json: string): ServiceError {
  const cause = new Error('another replica met this failure');
  try {
    const { code, ...rest } = JSON.parse(json) as {
      code: ErrorCode;
      message: string;
      retryAfterSeconds?: number;
    };
    if (Object.hasOwn(ERROR_TABLE, code)) return new ServiceError(code, { ...rest, cause });
  } catch {
    // not ours: told as an unknown failure
  }
  return new ServiceError('internal', { cause });
}
