import { createLocalBudget } from './outgoing-budget.ts';
import type { BudgetDecision, BudgetLimits, OutgoingBudget } from './outgoing-budget.ts';
import type { Clock } from '../process/clock.ts';
import type { StoreKeys } from '../store/store-keys.ts';
import { runScript, storeScript } from '../store/store-script.ts';
import type { Store } from '../store/store.ts';

/**
 * One hash an upstream and outgoing address: requests and bytes of the present window, whose end is the key's own
 * expiry. ARGV: limits (requests, bytes), window in ms, requests to take (0 or 1), bytes to add, and what this
 * replica knows to have been used, with the rest of that window in ms: a store that has lost its memory is told.
 */
const SPEND = storeScript(`
local function number(text) return tonumber(text) or 0 end
local left = redis.call('PTTL', KEYS[1])
if left <= 0 then
  left = number(ARGV[8])
  if left <= 0 then left = number(ARGV[3]) end
end
local requests = math.max(number(redis.call('HGET', KEYS[1], 'requests')), number(ARGV[6]))
local bytes = math.max(number(redis.call('HGET', KEYS[1], 'bytes')), number(ARGV[7])) + number(ARGV[5])
local allowed = 0
if requests < number(ARGV[1]) and bytes < number(ARGV[2]) then
  allowed = 1
  requests = requests + number(ARGV[4])
end
redis.call('HSET', KEYS[1], 'requests', string.format('%.0f', requests), 'bytes', string.format('%.0f', bytes))
redis.call('PEXPIRE', KEYS[1], left)
return {allowed, requests, bytes, left}
`);

export interface StoreBudgetOptions {
  store: Store;
  keys: StoreKeys;
  clock: Clock;
  /** Names the outgoing address: replicas behind one address share a budget. */
  name: string;
  limits: BudgetLimits;
}

/** One budget for all replicas behind one address. Without the store each goes on from what it knew last. */
export function createStoreBudget({ store, keys, clock, name, limits }: StoreBudgetOptions): OutgoingBudget {
  const key = keys.budget(name);
  const local = createLocalBudget(limits, clock);
  /** Received since the store was last told. */
  let untoldBytes = 0;

  async function spend(): Promise<BudgetDecision> {
    const telling = untoldBytes;
    untoldBytes = 0;
    const known = local.used;
    let reply: unknown;
    try {
      reply = await runScript(store, SPEND, key, [
        ...[limits.requests, limits.bytes, limits.windowSeconds * 1000, 1, telling],
        ...[known.requests, Math.max(0, known.bytes - telling), Math.ceil(local.windowLeftMs)],
      ]);
    } catch {
      untoldBytes += telling;
      return local.takeRequest();
    }
    const [allowed, requests, bytes, leftMs] = reply as [number, number, number, number];
    local.correct({ requests, bytes: bytes + untoldBytes }, leftMs);
    return { allowed: allowed === 1, retryAfterSeconds: allowed === 1 ? 0 : Math.ceil(leftMs / 1000) };
  }

  return {
    takeRequest: () => (store.usable ? spend() : local.takeRequest()),
    addBytes: (count) => {
      untoldBytes += count;
      local.addBytes(count);
    },
    get used() {
      return local.used;
    },
  };
}
