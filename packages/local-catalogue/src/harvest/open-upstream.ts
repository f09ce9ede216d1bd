import type { Clock, Logger } from '@mokuroku/kit/process';
import { openStore } from '@mokuroku/kit/store';
import type { StoreSettings } from '@mokuroku/kit/store';
import { Budget, createSharedDebts } from '@mokuroku/narou/upstream';
import type { BudgetLimits, Usage } from '@mokuroku/narou/upstream';
import type { ReportProblem } from '@mokuroku/narou/source';
import {
  createNarouSource,
  NarouGate,
  createNarouTransport,
  budgetLimitsOf,
  transportSettings,
  upstreamScope,
} from '@mokuroku/narou/live';
import type { UpstreamConfig } from '@mokuroku/narou/live';
import { HARVESTER } from './retrying-fetch.ts';

const HARVEST_REQUESTER = { client: HARVESTER, background: true };
const UNLIMITED = { requests: Number.MAX_SAFE_INTEGER, bytes: Number.MAX_SAFE_INTEGER };

type UpstreamSetting =
  | ('NAROU_BASE_URL' | 'NAROU_CONTACT' | 'UPSTREAM_TIMEOUT_MS')
  | ('UPSTREAM_DAILY_REQUESTS' | 'UPSTREAM_DAILY_BYTES');

export interface HarvestConfig extends Pick<UpstreamConfig, UpstreamSetting>, StoreSettings {
  /** Per cent of the daily quota. */
  readonly HARVEST_SHARE_PERCENT: number;
  readonly HARVEST_PAUSE_MS: number;
}

/** What a harvest has used of its share and is not refilled yet, stored across restarts. */
export interface SpentQuota extends Usage {
  /** Unix milliseconds. */
  readonly at: number;
}

interface OpenUpstreamParts {
  clock: Clock;
  wait: (milliseconds: number) => Promise<unknown>;
  random: () => number;
  logger: Logger;
  report: ReportProblem;
  /** The values stored by the previous run. */
  spentBefore: SpentQuota;
  isSampleBefore: boolean | undefined;
}

/**
 * The upstream as the service queries it, but with one connection and within a share of the budget. With a store, all
 * replicas behind this address count together; otherwise the harvest counts alone, and its count survives a restart.
 */
export async function openUpstream(config: HarvestConfig, parts: OpenUpstreamParts) {
  const { clock, logger, report, spentBefore, isSampleBefore } = parts;
  const scope = upstreamScope(config.NAROU_BASE_URL);
  const store = await openStore(config, { scope, clock, logger });
  const budget = new Budget(limitsOf(config), clock, store && createSharedDebts(store));
  if (!store) budget.addUsage(spentBefore, HARVEST_REQUESTER, Math.max(0, clock.now() - spentBefore.at));
  const gate = new NarouGate({ ...parts, budget, connections: 1, maxWaiting: 0, tolerableWaitMs: 0 });
  let bytes = 0;
  const transport = createNarouTransport({
    baseUrl: config.NAROU_BASE_URL,
    ...transportSettings(config),
    connections: 1,
    isSample: isSampleBefore,
    gate,
    clock,
    budget: {
      addBytes: (count, requester) => {
        bytes += count;
        budget.addBytes(count, requester);
      },
    },
  });
  const source = createNarouSource({ transport, report, clock, keepsEveryRow: true });
  return {
    source,
    /** Requests and bytes that a harvest may send at once. They are refilled in `UPSTREAM_HOURS.client`. */
    share: budget.remainingOf(HARVEST_REQUESTER),
    spent: (): SpentQuota => ({ ...budget.usedBy(HARVEST_REQUESTER), at: clock.now() }),
    /** Since the start of this process. */
    total: (): Usage => ({ requests: gate.stats().calls, bytes }),
    close: async () => {
      await source.close();
      await store?.close();
    },
  };
}

export type Upstream = Awaited<ReturnType<typeof openUpstream>>;

function limitsOf(config: HarvestConfig): BudgetLimits {
  const limits = budgetLimitsOf({ ...config, UPSTREAM_CLIENT_SHARE_PERCENT: config.HARVEST_SHARE_PERCENT });
  return limits ?? { ...UNLIMITED, clientShare: config.HARVEST_SHARE_PERCENT / 100 };
}
