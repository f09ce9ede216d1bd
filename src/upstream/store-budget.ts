import type { Clock } from '../process/clock.ts';
import { hashKey } from '../store/store-keys.ts';
import type { StoreKeys } from '../store/store-keys.ts';
import { runScript, storeScript } from '../store/store-script.ts';
import type { Store } from '../store/store.ts';
import { LOW_FROM, createLocalBudget } from './budget.ts';
import type { Asker, BudgetDecision, BudgetLimits, OutgoingBudget, Spent } from './budget.ts';

/**
 * One hash an upstream and outgoing address: requests and bytes of the present window, of all and of each client
 * that has asked for anything, whose end is the key's own expiry. The rule is that of `spentFor`. ARGV: limits
 * (requests, bytes, window in ms, a client's share, where it gets low), whether nobody waits (0 or 1), bytes to add,
 * what this replica knows to have been used with the rest of that window in ms (a store that has lost its memory is
 * told), and the same of the client, whose name is empty where clients are not told apart.
 */
const SPEND = storeScript(`
local function number(text) return tonumber(text) or 0 end
local function field(name) return number(redis.call('HGET', KEYS[1], name)) end
local function text(value) return string.format('%.0f', value) end
local function part(requests, bytes) return math.max(requests / number(ARGV[1]), bytes / number(ARGV[2])) end
local left = redis.call('PTTL', KEYS[1])
if left <= 0 then left = number(ARGV[10]) end
if left <= 0 then left = number(ARGV[3]) end
local requests = math.max(field('requests'), number(ARGV[8]))
local bytes = math.max(field('bytes'), number(ARGV[9])) + number(ARGV[7])
local client, client_requests, client_bytes = ARGV[11], 0, 0
if client ~= '' then
  client_requests = math.max(field('requests:' .. client), number(ARGV[12]))
  client_bytes = math.max(field('bytes:' .. client), number(ARGV[13])) + number(ARGV[14])
end
local used, low, spent = part(requests, bytes), number(ARGV[5]), ''
if used >= 1 or (ARGV[6] == '1' and used >= low) then
  spent = 'all'
elseif client ~= '' then
  local share = number(ARGV[4]) * math.min(1, (1 - used) / (1 - low))
  if part(client_requests, client_bytes) >= share then spent = 'client' end
end
if spent == '' then
  requests = requests + 1
  client_requests = client_requests + 1
end
redis.call('HSET', KEYS[1], 'requests', text(requests), 'bytes', text(bytes))
if client ~= '' then
  redis.call('HSET', KEYS[1], 'requests:' .. client, text(client_requests), 'bytes:' .. client, text(client_bytes))
end
redis.call('PEXPIRE', KEYS[1], left)
return {spent, requests, bytes, left, client_requests, client_bytes}
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
  /** Received since the store was last told: by all, and by each client. */
  let untold = 0;
  const untoldOf = new Map<string, number>();

  function addUntold(bytes: number, client: string | undefined): void {
    untold += bytes;
    if (client !== undefined) untoldOf.set(client, (untoldOf.get(client) ?? 0) + bytes);
  }

  async function spend(asker: Asker | undefined): Promise<BudgetDecision> {
    const own = local.usedBy(asker);
    const client = own === undefined ? undefined : asker?.client;
    const telling = untold;
    const tellingOf = client === undefined ? 0 : (untoldOf.get(client) ?? 0);
    const { used, windowLeftMs } = local;
    untold = 0;
    if (client !== undefined) untoldOf.delete(client);
    let reply: unknown;
    try {
      reply = await runScript(store, SPEND, key, [
        ...[limits.requests, limits.bytes, limits.windowSeconds * 1_000, limits.clientShare, LOW_FROM],
        ...[asker?.background ? 1 : 0, telling],
        ...[used.requests, Math.max(0, used.bytes - telling), Math.ceil(windowLeftMs)],
        ...[client === undefined ? '' : hashKey(client), own?.requests ?? 0],
        ...[Math.max(0, (own?.bytes ?? 0) - tellingOf), tellingOf],
      ]);
    } catch {
      addUntold(telling, undefined);
      if (client !== undefined) untoldOf.set(client, (untoldOf.get(client) ?? 0) + tellingOf);
      return local.take(asker);
    }
    const [spent, requests, bytes, leftMs, clientRequests, clientBytes] = reply as [
      Spent | '',
      ...[number, number, number, number, number],
    ];
    const sinceThen = client === undefined ? 0 : (untoldOf.get(client) ?? 0);
    local.correct(
      {
        all: { requests, bytes: bytes + untold },
        client: { requests: clientRequests, bytes: clientBytes + sinceThen },
        windowLeftMs: leftMs,
      },
      asker,
    );
    return { spent: spent === '' ? undefined : spent, secondsLeft: Math.ceil(leftMs / 1_000) };
  }

  return {
    take: (asker) => (store.usable ? spend(asker) : local.take(asker)),
    addBytes: (count, asker) => {
      addUntold(count, local.usedBy(asker) && asker?.client);
      local.addBytes(count, asker);
    },
    get used() {
      return local.used;
    },
    get usedPart() {
      return local.usedPart;
    },
  };
}
