import { hashKey, storeScript } from '@mokuroku/kit/store';
import type { Store } from '@mokuroku/kit/store';
import type { AddShared } from './budget.ts';

/**
 * `Debts` of all replicas, by the store's clock: a sorted set with the microsecond at which each is paid. ARGV: name,
 * debt that this replica knows (in case the store lost its data) and debt to add, in microseconds, for each. Returns
 * the debts. What is allowed, `Budget` alone decides.
 */
const addInStore = storeScript(
  `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
local debts, last = {}, redis.call('PTTL', KEYS[1])
for i = 1, #ARGV, 3 do
  local paid = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[i])) or now
  local debt = math.max(0, math.max(paid - now, tonumber(ARGV[i + 1])) + tonumber(ARGV[i + 2]))
  if debt > 0 then redis.call('ZADD', KEYS[1], string.format('%.0f', now + debt), ARGV[i]) end
  debts[#debts + 1] = debt
  last = math.max(last, math.ceil(debt / 1000))
end
if last > 0 then redis.call('PEXPIRE', KEYS[1], last) end
return debts
`,
);

const toMicroseconds = (milliseconds: number) => Math.round(milliseconds * 1_000);

/** The debts of the store's budget. */
export function createSharedDebts(store: Store): AddShared {
  return (charges) => {
    const values = charges.flatMap(({ name, knownMs, addedMs }) => [
      hashKey(name),
      toMicroseconds(knownMs),
      toMicroseconds(addedMs),
    ]);
    const most = charges.map(({ mostMs }) => toMicroseconds(mostMs));
    return addInStore(store, store.keys.budget, values, most).then((debts) =>
      debts.map((microseconds) => microseconds / 1_000),
    );
  };
}
