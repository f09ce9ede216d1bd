import { z } from 'zod';
import { headerText, httpAddress, milliseconds, wholeNumberSetting, VERSION } from '@mokuroku/kit/process';
import type { Logger } from '@mokuroku/kit/process';
import { LOW_FROM } from '../upstream/index.ts';
import type { BudgetLimits, OutgoingBudget } from '../upstream/index.ts';

/** Settings of the connection to the live upstream, for the service and the harvest. */
export const UPSTREAM_SETTINGS = z.object({
  NAROU_BASE_URL: httpAddress().default('https://api.syosetu.com').describe('Base address of the upstream.'),
  NAROU_CONTACT: headerText()
    .optional()
    .describe('Contact of the operator (an address or a page), sent to the upstream in the User-Agent.'),
  UPSTREAM_TIMEOUT_MS: milliseconds()
    .prefault('10000')
    .describe('Timeout for a whole upstream request, including the wait for a connection.'),
  UPSTREAM_CONNECTIONS: wholeNumberSetting(1, 256)
    .prefault('8')
    .describe('Connections to the upstream, each with one request at a time.'),
  UPSTREAM_DAILY_REQUESTS: wholeNumberSetting(0, 1_000_000_000)
    .optional()
    .describe(
      'Upstream requests in 24 hours; 0 means no limit. Not set: 80000, the rule of api.syosetu.com; no limit for another NAROU_BASE_URL.',
    ),
  UPSTREAM_DAILY_BYTES: wholeNumberSetting(0, 1_000_000_000_000)
    .optional()
    .describe('Bytes received from the upstream in 24 hours. Not set: 400000000, or no limit, as above.'),
  UPSTREAM_CLIENT_SHARE_PERCENT: wholeNumberSetting(1, 100)
    .prefault('20')
    .describe(
      'Per cent of the daily requests and bytes that one client may use; then cached responses or 429. 100 means no limit.',
    ),
});

export type UpstreamConfig = Readonly<z.output<typeof UPSTREAM_SETTINGS>>;

/** Counts of one upstream are not used for another. */
export function upstreamScope(baseUrl: string): string {
  const { host, pathname } = new URL(baseUrl);
  return `catalogue:${host}${pathname === '/' ? '' : pathname}`;
}

/** Largest accepted body, both compressed and decompressed. */
export const MAX_BODY_BYTES = 4_500_000;

/** Options of the transport to the upstream, which rejects clients without a User-Agent (dev.syosetu.com/man/sample02). */
export const transportSettings = ({
  NAROU_CONTACT: contact = 'not configured',
  UPSTREAM_TIMEOUT_MS: deadlineMs,
}: Pick<UpstreamConfig, 'NAROU_CONTACT' | 'UPSTREAM_TIMEOUT_MS'>) => ({
  userAgent: `mokuroku/${VERSION} (novel catalogue query API; contact: ${contact})`,
  deadlineMs,
  maxBodyBytes: MAX_BODY_BYTES,
});

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
