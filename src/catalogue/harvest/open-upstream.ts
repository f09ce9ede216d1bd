import type { Clock } from '../../process/clock.ts';
import type { Logger } from '../../process/logger.ts';
import { openStore } from '../../store/open-store.ts';
import type { Store } from '../../store/store.ts';
import { LocalBudget } from '../../upstream/budget.ts';
import type { BudgetLimits, OutgoingBudget, Usage } from '../../upstream/budget.ts';
import { StoreBudget } from '../../upstream/store-budget.ts';
import type { CatalogueSource, ReportProblem } from '../source/catalogue-source.ts';
import { transportSettings } from '../config.ts';
import { UPSTREAM_MAX_START, createNarouSource } from '../narou/narou-source.ts';
import { createNarouGate, createNarouTransport } from '../narou/transport.ts';
import { sourceScope } from '../open-source.ts';
import { budgetLimitsOf } from '../upstream-budget.ts';
import type { HarvestConfig } from './config.ts';
import { HARVESTER } from './retrying-fetch.ts';

const DAY_SECONDS = 86_400;
const UNLIMITED = { requests: Number.MAX_SAFE_INTEGER, bytes: Number.MAX_SAFE_INTEGER };

/** The part of the daily budget that a harvest has used, stored across restarts. */
export interface SpentToday extends Usage {
  /** Unix milliseconds. */
  readonly windowEndsAt: number;
}

export interface Upstream {
  readonly source: CatalogueSource;
  /** Daily requests and bytes of a harvest: its share of the upstream's quota. */
  readonly share: Usage;
  /** Used by this harvest in the current window. */
  spent(): SpentToday;
  /** Since the start of this process. */
  readonly total: Usage;
  /** Whether its data are invented; undefined before the first response. */
  isSample(): boolean | undefined;
  close(): Promise<void>;
}

interface OpenUpstreamParts {
  clock: Clock;
  wait: (milliseconds: number) => Promise<unknown>;
  random: () => number;
  logger: Logger;
  report: ReportProblem;
  /** The value stored by the previous run. */
  spentBefore: SpentToday | undefined;
}

/** The budget of all replicas behind one address (with a store), and the part used by the harvest. */
interface HarvestBudget {
  readonly outgoing: OutgoingBudget;
  readonly own: LocalBudget;
}

function openBudget(
  config: HarvestConfig,
  limits: BudgetLimits,
  store: Store | undefined,
  { clock, spentBefore }: OpenUpstreamParts,
): HarvestBudget {
  const own = new LocalBudget(limits, clock);
  if (spentBefore) continueBudget(own, spentBefore, clock);
  if (store === undefined) return { outgoing: own, own };
  const name = config.OUTGOING_ADDRESS;
  return { outgoing: new StoreBudget({ store, keys: store.keys, clock, name, limits }), own };
}

/** Counts admitted requests in `total` and in the harvest's own budget. */
function withRequestCount({ outgoing, own }: HarvestBudget, total: Usage): OutgoingBudget {
  return {
    spend: async (requester) => {
      const decision = await outgoing.spend(requester);
      if (decision.spent !== undefined) return decision;
      total.requests++;
      if (outgoing !== own) own.spend(requester);
      return decision;
    },
    addBytes: (count, requester) => {
      total.bytes += count;
      outgoing.addBytes(count, requester);
      if (outgoing !== own) own.addBytes(count, requester);
    },
    get used() {
      return outgoing.used;
    },
    get usedPart() {
      return outgoing.usedPart;
    },
  };
}

/**
 * The upstream as the service queries it, but with one connection and within a share of the budget. With a store, all
 * replicas behind this address count together; otherwise the harvest counts alone, and its count survives a restart.
 */
export async function openUpstream(config: HarvestConfig, parts: OpenUpstreamParts): Promise<Upstream> {
  const { clock, wait, random, logger, report } = parts;
  const scope = sourceScope({ ...config, CATALOGUE_SOURCE: 'narou' });
  const store = await openStore(config, { scope, clock, logger });
  const limits = limitsOf(config);
  const budgets = openBudget(config, limits, store, parts);
  const { own } = budgets;
  const total = { requests: 0, bytes: 0 };
  let isSample: boolean | undefined;
  const budget = withRequestCount(budgets, total);
  const gate = createNarouGate({
    clock,
    random,
    wait,
    budget,
    connections: 1,
    maxWaiting: 0,
    tolerableWaitMs: 0,
  });
  const transport = createNarouTransport({
    baseUrl: config.NAROU_BASE_URL,
    ...transportSettings(config),
    connections: 1,
    gate,
    clock,
    countBytes: (count, requester) => budget.addBytes(count, requester),
    onResponse: (response) => {
      if (response.status < 300) ({ isSample } = response);
    },
  });
  const part = config.HARVEST_SHARE_PERCENT / 100;
  return {
    source: createNarouSource({ transport, report, maxStart: UPSTREAM_MAX_START, clock }),
    share: { requests: limits.requests * part, bytes: limits.bytes * part },
    spent: () => ({ ...own.used, windowEndsAt: clock.now() + own.windowLeftMs }),
    total,
    isSample: () => isSample,
    close: async () => {
      await transport.close();
      await store?.close();
    },
  };
}

function limitsOf(config: HarvestConfig): BudgetLimits {
  const limits = budgetLimitsOf({ ...config, UPSTREAM_CLIENT_SHARE_PERCENT: config.HARVEST_SHARE_PERCENT });
  const clientShare = config.HARVEST_SHARE_PERCENT / 100;
  return limits ?? { ...UNLIMITED, windowSeconds: DAY_SECONDS, clientShare };
}

function continueBudget(
  budget: LocalBudget,
  { requests, bytes, windowEndsAt }: SpentToday,
  clock: Clock,
): void {
  const windowLeftMs = windowEndsAt - clock.now();
  if (windowLeftMs <= 0) return;
  const used = { requests, bytes };
  budget.correct({ all: used, client: { ...used }, windowLeftMs }, { client: HARVESTER, background: true });
}
