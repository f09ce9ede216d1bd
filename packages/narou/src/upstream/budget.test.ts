import { describe, expect, it } from 'vitest';
import { manualClock } from '../../../kit/test/manual-clock.ts';
import { usableStore } from '../../../kit/test/store/controlled-store.ts';
import { hashKey } from '@mokuroku/kit/store';
import { Budget } from './budget.ts';
import type { BudgetLimits } from './budget.ts';
import { createSharedDebts } from './shared-debts.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** At once: 1,300 requests in all, 150 of a network, 60 of a client. */
const LIMITS: BudgetLimits = { requests: 3_900, bytes: 39_000_000, clientShare: 0.2 };

function budgetWith(limits: Partial<BudgetLimits> = {}) {
  const { time, clock } = manualClock(5_000);
  const budget = new Budget({ ...LIMITS, ...limits }, clock);
  const by = (client: string, background = false) => ({ client, background });
  const spend = (client?: string, background?: boolean) =>
    budget.spend(client === undefined ? undefined : by(client, background)) as Exclude<
      ReturnType<Budget['spend']>,
      Promise<unknown>
    >;
  /** The number of allowed requests among `count`. */
  const allowed = (count: number, client?: string, background?: boolean) =>
    Array.from({ length: count }, () => spend(client, background)).filter(({ spent }) => spent === undefined)
      .length;
  return { budget, time, by, spend, allowed };
}

describe('the budget of all', () => {
  it('allows twelve hours of its refill at once, and then one request at a time', () => {
    const { budget, time, spend, allowed } = budgetWith();
    expect(allowed(2_000)).toBe(1_300);
    const refillMs = (36 * HOUR) / 3_900;
    expect(spend()).toEqual({ spent: 'all', secondsLeft: Math.ceil(refillMs / 1_000) });
    expect([budget.used.requests, budget.usedPart]).toEqual([1_300, 1]);
    time.ms += Math.ceil(refillMs);
    expect(allowed(2)).toBe(1);
    time.ms += 12 * HOUR;
    expect([budget.used.requests, budget.usedPart]).toEqual([0, 0]);
  });

  it.each([1, 2, 7, 30, 300])('of %d requests is kept in any 24 hours', (requests) => {
    const { time, allowed } = budgetWith({ requests });
    const admitted: number[] = [];
    for (const endsAt = time.ms + 3 * DAY; time.ms < endsAt; time.ms += 60_000) {
      admitted.push(...Array.from({ length: allowed(time.ms === 5_000 ? requests : 2) }, () => time.ms));
    }
    expect(admitted.length).toBeGreaterThanOrEqual(requests * 1.9);
    for (const [index, at] of admitted.entries())
      expect((admitted[index + requests] ?? Infinity) - at).toBeGreaterThanOrEqual(DAY);
  });

  it('counts bytes when they have come', () => {
    const { budget, time, spend, allowed } = budgetWith();
    budget.addBytes(12_999_990, undefined);
    expect(allowed(1)).toBe(1);
    budget.addBytes(13_010, undefined);
    const { spent, secondsLeft } = spend();
    expect([spent, secondsLeft]).toEqual(['all', Math.ceil((13_000 * 36 * 3_600) / 39_000_000)]);
    time.ms += secondsLeft * 1_000;
    expect(allowed(1)).toBe(1);
  });

  it('has four fifths for background requests', () => {
    const { spend, allowed } = budgetWith();
    allowed(1_039);
    expect(allowed(2, 'a', true)).toBe(1);
    expect(spend('a', true).spent).toBe('all');
    expect(spend('a').spent).toBeUndefined();
  });
});

describe('the share of a client', () => {
  it('is two hours of the refill of a fifth, and refused for that client alone', () => {
    const { time, spend, allowed } = budgetWith();
    expect(allowed(100, 'a')).toBe(60);
    const { spent, secondsLeft } = spend('a');
    expect([spent, secondsLeft]).toEqual(['client', 120]);
    expect(allowed(100, 'b')).toBe(60);
    time.ms += secondsLeft * 1_000;
    expect(allowed(100, 'a')).toBe(1);
  });

  it('is a fifth of the bytes', () => {
    const { budget, by, allowed } = budgetWith();
    budget.addBytes(599_000, by('a'));
    expect(allowed(1, 'a')).toBe(1);
    budget.addBytes(1_100, by('a'));
    expect([allowed(1, 'a'), allowed(1, 'b')]).toEqual([0, 1]);
  });

  it('of 1 distinguishes neither clients nor networks', () => {
    const { allowed } = budgetWith({ clientShare: 1 });
    expect(allowed(2_000, 'a')).toBe(1_300);
  });

  it('is refused for an hour at most, however much has come, also while the budget is low', () => {
    const { budget, time, by, spend, allowed } = budgetWith();
    budget.addBytes(12_900_000, by('a'));
    const { spent, secondsLeft } = spend('a');
    expect(spent).toBe('client');
    expect(secondsLeft).toBeGreaterThan(3_000);
    expect(secondsLeft).toBeLessThanOrEqual(3_600);
    time.ms += secondsLeft * 1_000;
    expect(allowed(1, 'a')).toBe(1);
  });

  it('is less while the budget is low, so that those that have used most are refused first', () => {
    const { allowed } = budgetWith();
    expect([allowed(46, '192.0.2.1'), allowed(30, '198.51.100.1')]).toEqual([46, 30]);
    expect(allowed(1_290 - 76)).toBe(1_290 - 76);
    expect(['192.0.2.1', '198.51.100.1', '203.0.113.1'].map((client) => allowed(1, client))).toEqual([
      0, 1, 1,
    ]);
  });
});

describe('the share of a network', () => {
  const client = (index: number) => `2001:db8:7:${index.toString(16)}::/64`;

  it('is two hours of the refill of a half, however many clients it has', () => {
    const { spend, allowed } = budgetWith();
    let admitted = 0;
    for (let index = 0; index < 40; index++) admitted += allowed(12, client(index));
    expect(admitted).toBe(150);
    expect(spend(client(50))).toEqual({ spent: 'network', secondsLeft: 48 });
    for (let index = 0; index < 120; index++) expect(allowed(1, `203.0.${index}.1`)).toBe(1);
  });

  it('is at least that of a client', () => {
    const { allowed } = budgetWith({ clientShare: 0.9 });
    expect(allowed(2_000, client(1))).toBe(270);
  });
});

it('what was used before a restart counts, less what was refilled since', () => {
  const { budget, by, allowed } = budgetWith();
  budget.addUsage({ requests: 40, bytes: 10 }, by('a'), HOUR / 2);
  expect(budget.usedBy(by('a'))).toEqual({ requests: 25, bytes: 0 });
  expect(allowed(100, 'a')).toBe(35);
  expect(budget.remainingOf(by('a'))).toEqual({ requests: 60, bytes: 600_000 });
});

/** A request is 36 s of the refill in all, 52 s for a network, 130 s for a client. */
const SHARED: BudgetLimits = { requests: 3_600, bytes: 3_600_000, clientShare: 0.2 };
const requester = { client: '192.0.2.7', background: false };
const names = ['all ', 'network 192.0.2.0', 'client 192.0.2.7'].map((owner) => ({
  requests: hashKey(`${owner} requests`),
  bytes: hashKey(`${owner} bytes`),
}));

/** The arguments of a script that adds to the requests of each row, known before. */
const added = (known: readonly number[], more: readonly number[]) =>
  names.flatMap(({ requests, bytes }, row) => [
    ...[requests, (known[row] ?? 0) * 1e6, (more[row] ?? 0) * 1e6],
    ...[bytes, 0, 0],
  ]);

async function openShared(limits = SHARED) {
  const { store, controls, time, clock } = await usableStore();
  const budget = new Budget(limits, clock, createSharedDebts(store));
  return { budget, controls, store, time };
}

/** A reply: the debts of the requests of each row. */
const debts = (...seconds: number[]) => seconds.flatMap((each) => [each * 1e6, 0]);

describe('the budget of all replicas', () => {
  it('adds a request to what this replica knows, and adopts what all have used', async () => {
    const { budget, controls } = await openShared();
    controls.scriptReplies = [debts(3_600, 52, 130), debts(3_636, 104, 260)];
    expect(await budget.spend(requester)).toEqual({ spent: undefined, secondsLeft: 0 });
    expect(budget.used.requests).toBe(100);
    expect(controls.scripts[0]).toEqual(added([0, 0, 0], [36, 52, 130]));
    await budget.spend(requester);
    expect(controls.scripts[1]).toEqual(added([3_600, 52, 130], [36, 52, 130]));
  });

  it('adds bytes as they come', async () => {
    const { budget, controls } = await openShared();
    budget.addBytes(1_000, undefined);
    expect(controls.scripts).toEqual([[names[0]?.requests, 0, 0, names[0]?.bytes, 0, 36e6]]);
    expect(budget.used.bytes).toBe(1_000);
  });

  it('takes a request back that other replicas have left no room for', async () => {
    const { budget, controls } = await openShared();
    controls.scriptReplies = [debts(12 * 3_600 + 36, 52, 130), debts(12 * 3_600, 0, 0)];
    expect(await budget.spend(requester)).toEqual({ spent: 'all', secondsLeft: 36 });
    expect(controls.scripts[1]).toEqual(added([43_236, 52, 130], [-36, -52, -130]));
    // From now on this replica knows.
    expect(budget.spend(requester)).toEqual({ spent: 'all', secondsLeft: 36 });
    expect(controls.scripts).toHaveLength(2);
  });

  it('adds requests that are sent at once, in the order of their scripts', async () => {
    const { budget, controls } = await openShared();
    controls.scriptReplies = [debts(36, 52, 130), debts(72, 104, 260)];
    await Promise.all([budget.spend(requester), budget.spend(requester)]);
    expect(controls.scripts[1]?.slice(0, 3)).toEqual([names[0]?.requests, 36e6, 36e6]);
    expect(budget.used.requests).toBe(2);
  });

  it.each([0, 1, 2])('does not believe a debt that no row can have: row %d', async (row) => {
    const { budget, controls } = await openShared();
    const year = [12 * 3_600, 52, 130].with(row, 365 * 24 * 3_600);
    controls.scriptReplies = [debts(...year), debts(3_636, 104, 260)];
    expect(await budget.spend(requester)).toMatchObject({ spent: undefined });
    expect(budget.used.requests).toBe(1);
    expect(controls.deletedKeys).toEqual(controls.scriptKeys);
    await budget.spend(requester);
    expect(controls.scripts[1]).toEqual(added([36, 52, 130], [36, 52, 130]));
    expect(budget.used.requests).toBe(101);
  });

  it('believes what a row can have, also one request in more than a day', async () => {
    const { budget, controls } = await openShared({ ...SHARED, requests: 1, clientShare: 1 });
    controls.scriptReplies = [debts(35 * 3_600)];
    expect(await budget.spend(requester)).toMatchObject({ spent: undefined });
    expect(budget.spend(requester)).toEqual({ spent: 'all', secondsLeft: 35 * 3_600 });
  });

  it('continues from what it knows while the store does not reply', async () => {
    const { budget, controls, time } = await openShared({ ...SHARED, clientShare: 1 });
    controls.scriptReplies = [debts(12 * 3_600 - 36)];
    await budget.spend(undefined);
    controls.mood = 'gone';
    expect(await budget.spend(undefined)).toMatchObject({ spent: undefined });
    controls.disconnect();
    expect(await budget.spend(undefined)).toEqual({ spent: 'all', secondsLeft: 36 });
    time.ms += HOUR;
    expect(await budget.spend(undefined)).toMatchObject({ spent: undefined });
  });
});
