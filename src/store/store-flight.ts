import type { Clock } from '../process/clock.ts';
import { ERROR_TABLE, ServiceError, asServiceError } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import { isCount, runScript, storeScript } from './store-script.ts';
import type { Store } from './store.ts';

/** Lets one of several processes do the work of all. */
export interface SharedFlight {
  /**
   * Runs `lead` unless another process does already; else calls `awaitLeader` repeatedly until it returns a value. If the
   * other process dies, a waiting one takes over. If it fails, the waiting ones fail too, or take over if the failure
   * does not concern them. Without the store, `lead` simply runs.
   */
  load<T>(
    key: string,
    lead: () => Promise<T>,
    awaitLeader: () => Promise<T | undefined>,
    concernsOthers?: (failure: unknown) => boolean,
  ): Promise<T>;
}

/** A leader that has not renewed its lease for this long is dead, and a waiting process takes over. */
const LEASE_MS = 2_000;
const RENEW_EVERY_MS = 500;

/** A failure is kept this long for waiting processes. */
const FAILURE_TTL_MS = 2_000;

/** Polls after 5 ms at first, then ever later. */
const FIRST_PAUSE_MS = 5;
const MAX_PAUSE_MS = 50;

/**
 * The lock of a key holds its leader's token, or, after a failure, `token!failure`. ARGV: own token, lease in ms, the
 * token waited for so far (or ''). Returns the own token if the lock was acquired, else the lock's value. A failure
 * that we have not waited for is ignored: we retry.
 */
const ACQUIRE = storeScript(
  `
local lock = redis.call('GET', KEYS[1])
if lock then
  local mark = string.find(lock, '!', 1, true)
  if not mark then return lock end
  if string.sub(lock, 1, mark - 1) == ARGV[3] then return lock end
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

/** ARGV: own token, the failure ('' after a success), its lifetime in ms. */
const RELEASE = storeScript(
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
  /** Unique per call, without `!`. */
  makeToken: () => string;
  random: () => number;
  wait: (milliseconds: number) => Promise<unknown>;
  /** Maximum wait for another replica. */
  maxWaitMs: number;
}

/** One replica queries the source; the others wait for its response in the store. */
export function createStoreFlight(options: StoreFlightOptions): SharedFlight {
  const { store, clock, random, wait } = options;

  async function lead<T>(
    lock: string,
    token: string,
    act: () => Promise<T>,
    concernsOthers: (failure: unknown) => boolean,
  ): Promise<T> {
    const renewal = setInterval(() => {
      runScript(store, RENEW, lock, [token, LEASE_MS]).catch(() => undefined);
    }, RENEW_EVERY_MS);
    const release = (failure: string) => {
      clearInterval(renewal);
      runScript(store, RELEASE, lock, [token, failure, FAILURE_TTL_MS]).catch(() => undefined);
    };
    try {
      const result = await act();
      release('');
      return result;
    } catch (error) {
      release(concernsOthers(error) ? writeFailure(error) : '');
      throw error;
    }
  }

  return {
    load: async (key, act, awaitLeader, concernsOthers = () => true) => {
      const lock = store.keys.flight(key);
      const token = options.makeToken();
      const waitUntil = clock.monotonic() + options.maxWaitMs;
      let waitedFor = '';
      for (let pause = FIRST_PAUSE_MS; store.isUsable; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
        const lockValue = await runScript(store, ACQUIRE, lock, [token, LEASE_MS, waitedFor]).catch(
          () => undefined,
        );
        if (lockValue === undefined) break;
        // Also after acquiring the lock: the response may have arrived between the check and the lock.
        const arrived = await awaitLeader();
        if (lockValue === token) {
          return lead(lock, token, () => (arrived ? Promise.resolve(arrived) : act()), concernsOthers);
        }
        if (arrived) return arrived;
        const mark = lockValue.indexOf('!');
        if (mark >= 0) throw readFailure(lockValue.slice(mark + 1));
        if (clock.monotonic() >= waitUntil) break;
        waitedFor = lockValue;
        await wait(pause * (0.5 + random() / 2));
      }
      return act();
    },
  };
}

/** The failure as other replicas see it: only what a client may see. */
function writeFailure(error: unknown): string {
  const { code, message, details, retryAfterSeconds } = asServiceError(error);
  return JSON.stringify({ code, message, details, retryAfterSeconds });
}

function readFailure(json: string): ServiceError {
  const cause = new Error('another replica had this failure');
  try {
    const { code, ...rest } = JSON.parse(json) as {
      code: ErrorCode;
      message: string;
      retryAfterSeconds?: number;
    };
    if (Object.hasOwn(ERROR_TABLE, code)) return new ServiceError(code, { ...rest, cause });
  } catch {
    // not our table: an unknown failure
  }
  return new ServiceError('internal', { cause });
}
