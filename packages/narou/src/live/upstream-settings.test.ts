import { describe, expect, it } from 'vitest';
import { createLogger } from '@mokuroku/kit/process';
import { Budget } from '../upstream/index.ts';
import { budgetLimitsOf, budgetState, createBudgetLog, upstreamScope } from './upstream-settings.ts';

const LIVE = { NAROU_BASE_URL: 'https://api.syosetu.com', UPSTREAM_CLIENT_SHARE_PERCENT: 20 };
const OTHER = { ...LIVE, NAROU_BASE_URL: 'http://127.0.0.1:3000' };
const share = { clientShare: 0.2 };

describe('the daily budget', () => {
  it('applies to the live upstream only', () => {
    expect(budgetLimitsOf({ ...LIVE })).toEqual({ requests: 80_000, bytes: 400_000_000, ...share });
    expect(budgetLimitsOf({ ...OTHER })).toBeUndefined();
  });

  it('follows the settings, 0 for no limit', () => {
    const limitsOf = (of: object, base = LIVE) => budgetLimitsOf({ ...base, ...of });
    const limits = { requests: 7, bytes: Number.MAX_SAFE_INTEGER, ...share };
    expect(limitsOf({ UPSTREAM_DAILY_REQUESTS: 7 }, OTHER)).toEqual(limits);
    expect(limitsOf({ UPSTREAM_DAILY_REQUESTS: 0, UPSTREAM_DAILY_BYTES: 0 })).toBeUndefined();
    expect(limitsOf({ UPSTREAM_DAILY_BYTES: 5 })).toEqual({ requests: 80_000, bytes: 5, ...share });
  });

  it.each([
    [0.79, 'ok'],
    [0.8, 'low'],
    [0.99, 'low'],
    [1, 'spent'],
  ])('of which %d is used is %s', (usedPart, state) => {
    expect(budgetState({ usedPart })).toBe(state);
  });

  it('is logged as low once and as spent once, until it has been refilled', () => {
    const time = { ms: 0 };
    const limits = { requests: 30, bytes: 1_000, clientShare: 1 };
    const budget = new Budget(limits, { now: () => time.ms, monotonic: () => time.ms });
    const lines: { level: number; requests: number }[] = [];
    const write = (line: string) => lines.push(JSON.parse(line) as (typeof lines)[number]);
    const note = createBudgetLog(budget, createLogger('test', 'info', { write }).logger);
    const spend = (requests: number) => {
      for (let i = 0; i < requests; i++) {
        void budget.spend(undefined);
        note();
      }
    };
    spend(15);
    time.ms += 12 * 3_600_000;
    spend(9);
    expect(lines.map(({ level, requests }) => [level, requests])).toEqual([
      [40, 8],
      [50, 10],
      [40, 8],
    ]);
  });
});

it.each([
  ['https://api.syosetu.com', 'api.syosetu.com'],
  ['https://api.syosetu.com/', 'api.syosetu.com'],
  ['http://127.0.0.1:3002', '127.0.0.1:3002'],
  ['http://127.0.0.1/a', '127.0.0.1/a'],
])('counts and cached responses of %s are those of its host, port and path', (baseUrl, scope) => {
  expect(upstreamScope(baseUrl)).toBe(`catalogue:${scope}`);
});
