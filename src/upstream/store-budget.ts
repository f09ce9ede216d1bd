import type { Clock } from '../process/clock.ts';
import { hashKey } from '../store/store-keys.ts';
import type { StoreKeys } from '../store/store-keys.ts';
import { isCount, runScript, storeScript } from '../store/store-script.ts';
import type { Store } from '../store/store.ts';
import { LOW_FROM, LocalBudget } from './budget.ts';
import type { Requester, BudgetDecision, BudgetLimits, OutgoingBudget, Spent, Usage } from './budget.ts';

/**
 * One hash per upstream and outgoing address: requests and bytes of the current window, in total and per client. The
 * key expires with the window. The rule is that of `spentFor`. ARGV[1] is a `SpendRequest` in JSON.
 */
const SPEND = storeScript(
  `
local function field(name) return tonumber(redis.call('HGET', KEYS[1], name)) or 0 end
local function text(value) return string.format('%.0f', value) end
local given = cjson.decode(ARGV[1])
local limits, client = given.limits, given.client
local function part(requests, bytes) return math.max(requests / limits.requests, bytes / limits.bytes) end
local left = redis.call('PTTL', KEYS[1])
if left <= 0 then left = given.windowLeftMs end
if left <= 0 then left = limits.windowMs end
local requests = math.max(field('requests'), given.requests)
local bytes = math.max(field('bytes'), given.bytes) + given.addedBytes
local client_requests, client_bytes = 0, 0
if client then
  client_requests = math.max(field('requests:' .. client.key), client.requests)
  client_bytes = math.max(field('bytes:' .. client.key), client.bytes) + client.addedBytes
end
local used, low, spent = part(requests, bytes), limits.lowFrom, ''
if used >= 1 or (given.isBackground and used >= low) then
  spent = 'all'
elseif client then
  local share = limits.clientShare * math.min(1, (1 - used) / (1 - low))
  if part(client_requests, client_bytes) >= share then spent = 'client' end
end
if spent == '' then
  requests = requests + 1
  client_requests = client_requests + 1
end
redis.call('HSET', KEYS[1], 'requests', text(requests), 'bytes', text(bytes))
if client then
  redis.call('HSET', KEYS[1], 'requests:' .. client.key, text(client_requests), 'bytes:' .. client.key, text(client_bytes))
end
redis.call('PEXPIRE', KEYS[1], left)
return {spent, requests, bytes, left, client_requests, client_bytes}
`,
  (reply): reply is SpendReply => {
    if (!Array.isArray(reply) || reply.length !== 6) return false;
    const [spent, ...counts] = reply as unknown[];
    return (spent === '' || spent === 'all' || spent === 'client') && counts.every(isCount);
  },
);

interface SpendRequest {
  limits: { requests: number; bytes: number; windowMs: number; clientShare: number; lowFrom: number };
  isBackground: boolean;
  /** What this replica has counted, in case the store lost its data, without `addedBytes`. */
  requests: number;
  bytes: number;
  /** Rest of this replica's window. */
  windowLeftMs: number;
  /** Received since the last report. */
  addedBytes: number;
  /** Undefined if clients are not distinguished. */
  client: { key: string; requests: number; bytes: number; addedBytes: number } | undefined;
}

type SpendReply = [
  spent: Spent | '',
  requests: number,
  bytes: number,
  windowLeftMs: number,
  clientRequests: number,
  clientBytes: number,
];

interface StoreBudgetOptions {
  store: Store;
  keys: StoreKeys;
  clock: Clock;
  /** Names the outgoing address: replicas behind one address share a budget. */
  name: string;
  limits: BudgetLimits;
}

/** One budget for all replicas behind one address. Without the store, each continues from the last known usage. */
export class StoreBudget implements OutgoingBudget {
  readonly #options: StoreBudgetOptions;
  readonly #local: LocalBudget;
  /** Bytes not yet reported to the store: in total, and per client as long as `#local` knows its usage. */
  #unreported = 0;
  readonly #unreportedOf = new WeakMap<Usage, number>();

  constructor(options: StoreBudgetOptions) {
    this.#options = options;
    this.#local = new LocalBudget(options.limits, options.clock);
  }

  get used(): Usage {
    return this.#local.used;
  }

  get usedPart(): number {
    return this.#local.usedPart;
  }

  spend(requester: Requester | undefined): BudgetDecision | Promise<BudgetDecision> {
    return this.#options.store.isUsable ? this.#spend(requester) : this.#local.spend(requester);
  }

  addBytes(count: number, requester: Requester | undefined): void {
    this.#unreported += count;
    this.#addUnreportedOf(this.#local.usedBy(requester), count);
    this.#local.addBytes(count, requester);
  }

  #addUnreportedOf(client: Usage | undefined, bytes: number): void {
    if (client) this.#unreportedOf.set(client, this.#unreportedBytes(client) + bytes);
  }

  #unreportedBytes(client: Usage | undefined): number {
    return (client && this.#unreportedOf.get(client)) ?? 0;
  }

  async #spend(requester: Requester | undefined): Promise<BudgetDecision> {
    const client = this.#local.usedBy(requester);
    const report = { all: this.#unreported, client: this.#unreportedBytes(client) };
    const values = [JSON.stringify(this.#spendRequest(requester, report))];
    this.#unreported = 0;
    if (client) this.#unreportedOf.delete(client);
    try {
      const { store, keys, name } = this.#options;
      const reply = await runScript(store, SPEND, keys.budget(name), values);
      return this.#adoptReply(reply, requester, client);
    } catch {
      this.#unreported += report.all;
      this.#addUnreportedOf(client, report.client);
      return this.#local.spend(requester);
    }
  }

  #spendRequest(requester: Requester | undefined, report: { all: number; client: number }): SpendRequest {
    const { limits } = this.#options;
    const { used, windowLeftMs } = this.#local;
    const own = this.#local.usedBy(requester);
    return {
      limits: {
        requests: limits.requests,
        bytes: limits.bytes,
        windowMs: limits.windowSeconds * 1_000,
        clientShare: limits.clientShare,
        lowFrom: LOW_FROM,
      },
      isBackground: requester?.background ?? false,
      requests: used.requests,
      bytes: Math.max(0, used.bytes - report.all),
      windowLeftMs: Math.ceil(windowLeftMs),
      addedBytes: report.all,
      client: own &&
        requester && {
          key: hashKey(requester.client),
          requests: own.requests,
          bytes: Math.max(0, own.bytes - report.client),
          addedBytes: report.client,
        },
    };
  }

  /** Adopts the store's totals, plus the bytes received since. */
  #adoptReply(
    reply: SpendReply,
    requester: Requester | undefined,
    client: Usage | undefined,
  ): BudgetDecision {
    const [spent, requests, bytes, windowLeftMs, clientRequests, clientBytes] = reply;
    const sinceThen = this.#unreportedBytes(client);
    const all = { requests, bytes: bytes + this.#unreported };
    const usage = { all, client: { requests: clientRequests, bytes: clientBytes + sinceThen }, windowLeftMs };
    this.#local.correct(usage, requester);
    return { spent: spent === '' ? undefined : spent, secondsLeft: Math.ceil(windowLeftMs / 1_000) };
  }
}
