import type { Logger } from '@mokuroku/kit/process';
import { LOW_FROM } from '@mokuroku/kit/upstream';
import type { BudgetLimits, OutgoingBudget } from '@mokuroku/kit/upstream';
import type { UpstreamConfig } from './upstream-settings.ts';

/**
 * The live upstream's limits per address and 24 hours (dev.syosetu.com/man/api/, "利用制限",
 * read in 2026). The page says that they are suspended, but may return.
 */
const LIVE_HOST = 'api.syosetu.com';
const LIVE_LIMITS = { requests: 80_000, bytes: 400_000_000 };

type BudgetConfig = Pick<
  UpstreamConfig,
  'NAROU_BASE_URL' | 'UPSTREAM_DAILY_REQUESTS' | 'UPSTREAM_DAILY_BYTES' | 'UPSTREAM_CLIENT_SHARE_PERCENT'
>;

/** undefined: no quota. Upstreams other than the live one have a quota only by the settings. */
export function budgetLimitsOf(config: BudgetConfig): BudgetLimits | undefined {
  const isLive = new URL(config.NAROU_BASE_URL).hostname === LIVE_HOST;
  const requests = config.UPSTREAM_DAILY_REQUESTS ?? (isLive ? LIVE_LIMITS.requests : 0);
  const bytes = config.UPSTREAM_DAILY_BYTES ?? (isLive ? LIVE_LIMITS.bytes : 0);
  if (requests === 0 && bytes === 0) return undefined;
  return {
    requests: unlimitedIfZero(requests),
    bytes: unlimitedIfZero(bytes),
    clientShare: config.UPSTREAM_CLIENT_SHARE_PERCENT / 100,
  };
}

const unlimitedIfZero = (limit: number) => (limit === 0 ? Number.MAX_SAFE_INTEGER : limit);

type BudgetState = 'ok' | 'low' | 'spent';

/** `low`: no background refreshes, and the shares of clients shrink. */
export function budgetState({ usedPart }: Pick<OutgoingBudget, 'usedPart'>): BudgetState {
  if (usedPart >= 1) return 'spent';
  return usedPart >= LOW_FROM ? 'low' : 'ok';
}

/** Logs once when the budget gets low, and once when it is spent. Call it after every request. */
export function createBudgetLog(budget: OutgoingBudget, logger: Logger): () => void {
  let logged: BudgetState = 'ok';
  return () => {
    const state = budgetState(budget);
    if (state === logged) return;
    logged = state;
    if (state === 'low') {
      logger.warn(
        budget.used,
        'the daily upstream quota is low: cached responses are no longer refreshed in the background',
      );
    }
    if (state === 'spent') {
      logger.error(budget.used, 'the daily upstream quota is used up: only cached responses are served');
    }
  };
}
