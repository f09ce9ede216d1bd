import { describe, expect, it } from 'vitest';
import { usableStore } from '../../test/store/controlled-store.ts';
import { hashKey } from '../store/store.ts';
import { Budget } from './budget.ts';
import type { BudgetLimits } from './budget.ts';
import { createSharedDebts } from './shared-debts.ts';

const HOUR = 3_600_000;
/** A request is 36 s of the refill in all, 52 s for a network, 130 s for a client. */
const LIMITS: BudgetLimits = { requests: 3_600, bytes: 3_600_000, clientShare: 0.2 };
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

async function open(limits = LIMITS) {
  const { store, controls, time, clock } = await usableStore();
  const budget = new Budget(limits, clock, createSharedDebts(store, store.keys.budget));
  return { budget, controls, store, time };
}

/** A reply: the debts of the requests of each row. */
const debts = (...seconds: number[]) => seconds.flatMap((each) => [each * 1e6, 0]);

describe('the budget of all replicas', () => {
  it('adds a request to what this replica knows, and adopts what all have used', async () => {
    const { budget, controls } = await open();
    controls.scriptReplies = [debts(3_600, 52, 130), debts(3_636, 104, 260)];
    expect(await budget.spend(requester)).toEqual({ spent: undefined, secondsLeft: 0 });
    expect(budget.used.requests).toBe(100);
    expect(controls.scripts[0]).toEqual(added([0, 0, 0], [36, 52, 130]));
    await budget.spend(requester);
    expect(controls.scripts[1]).toEqual(added([3_600, 52, 130], [36, 52, 130]));
  });

  it('adds bytes as they come', async () => {
    const { budget, controls } = await open();
    budget.addBytes(1_000, undefined);
    expect(controls.scripts).toEqual([[names[0]?.requests, 0, 0, names[0]?.bytes, 0, 36e6]]);
    expect(budget.used.bytes).toBe(1_000);
  });

  it('takes a request back that other replicas have left no room for', async () => {
    const { budget, controls } = await open();
    controls.scriptReplies = [debts(12 * 3_600 + 36, 52, 130), debts(12 * 3_600, 0, 0)];
    expect(await budget.spend(requester)).toEqual({ spent: 'all', secondsLeft: 36 });
    expect(controls.scripts[1]).toEqual(added([43_236, 52, 130], [-36, -52, -130]));
    // From now on this replica knows.
    expect(budget.spend(requester)).toEqual({ spent: 'all', secondsLeft: 36 });
    expect(controls.scripts).toHaveLength(2);
  });

  it('adds requests that are sent at once, in the order of their scripts', async () => {
    const { budget, controls } = await open();
    controls.scriptReplies = [debts(36, 52, 130), debts(72, 104, 260)];
    await Promise.all([budget.spend(requester), budget.spend(requester)]);
    expect(controls.scripts[1]?.slice(0, 3)).toEqual([names[0]?.requests, 36e6, 36e6]);
    expect(budget.used.requests).toBe(2);
  });

  it('continues from what it knows while the store does not reply', async () => {
    const { budget, controls, time } = await open({ ...LIMITS, clientShare: 1 });
    controls.scriptReplies = [debts(12 * 3_600 - 36)];
    await budget.spend(undefined);
    controls.mood = 'gone';
    expect(await budget.spend(undefined)).toMatchObject({ spent: undefined });
    controls.disconnect();
    expect(budget.spend(undefined)).toEqual({ spent: 'all', secondsLeft: 36 });
    time.ms += HOUR;
    expect(budget.spend(undefined)).toMatchObject({ spent: undefined });
  });
});
