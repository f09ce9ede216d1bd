import { describe, expect, it } from 'vitest';
import { regained, usableStore } from '../../test/store/controlled-store.ts';
import { hashKey } from '../store/store-keys.ts';
import type { Requester } from './budget.ts';
import { StoreBudget } from './store-budget.ts';

const DAY_MS = 86_400_000;
const LIMITS = { requests: 1_000, bytes: 1_000_000, windowSeconds: 86_400, clientShare: 0.2 };
const requester: Requester = { client: '203.0.113.7', background: false };
const name = hashKey(requester.client);

async function open(limits = LIMITS) {
  const time = { ms: 1_000_000_000_000 };
  const clock = { now: () => time.ms, monotonic: () => time.ms };
  const { store, controls } = await usableStore({ clock });
  const budget = new StoreBudget({ store, keys: store.keys, clock, name: 'default', limits });
  return { budget, controls, store, time };
}

describe('the outgoing budget of all replicas', () => {
  it('reports requests to the store, and uses the total of all replicas', async () => {
    const { budget, controls, time } = await open();
    controls.scriptReplies = [['', 40, 5_000, DAY_MS / 2, 3, 700]];
    expect(await budget.spend(requester)).toEqual({ spent: undefined, secondsLeft: 43_200 });
    expect(controls.scripts[0]).toEqual([1_000, 1_000_000, DAY_MS, 0.2, 0.8, 0, 0, 0, 0, 0, name, 0, 0, 0]);
    expect(budget.used).toEqual({ requests: 40, bytes: 5_000 });
    expect(budget.usedPart).toBe(0.04);
    time.ms += 1_000;
    budget.addBytes(300, requester);
    expect(budget.used.bytes).toBe(5_300);
    await budget.spend({ ...requester, background: true });
    expect(controls.scripts[1]).toEqual([
      ...[1_000, 1_000_000, DAY_MS, 0.2, 0.8, 1, 300, 40, 5_000, DAY_MS / 2 - 1_000],
      ...[name, 3, 700, 300],
    ]);
    await budget.spend(requester);
    expect(controls.scripts[2]?.slice(6, 8)).toEqual([0, 40]);
    expect(controls.scripts[2]?.at(-1)).toBe(0);
  });

  it.each(['all', 'client'] as const)('is spent if the store says so: %s', async (spent) => {
    const { budget, controls } = await open();
    controls.scriptReplies = [[spent, 1_000, 0, 1_001, 200, 0]];
    expect(await budget.spend(requester)).toEqual({ spent, secondsLeft: 2 });
  });

  it('counts bytes that arrive during a query, and reports them with the next one', async () => {
    const { budget, controls } = await open();
    let reply: (value: unknown) => void = () => undefined;
    controls.scriptReplies = [new Promise((resolve) => (reply = resolve)), ['', 2, 500, DAY_MS, 2, 500]];
    const taking = budget.spend(requester);
    budget.addBytes(200, requester);
    budget.addBytes(100, undefined);
    reply(['', 1, 1_000, DAY_MS, 1, 1_000]);
    await taking;
    expect(budget.used).toEqual({ requests: 1, bytes: 1_300 });
    await budget.spend(requester);
    const [, , , , , , addedBytes, requests, bytes, , , ownRequests, ownBytes, ownAddedBytes] =
      controls.scripts[1] ?? [];
    expect({ addedBytes, requests, bytes, ownRequests, ownBytes, ownAddedBytes }).toEqual({
      addedBytes: 300,
      requests: 1,
      bytes: 1_000,
      ownRequests: 1,
      ownBytes: 1_000,
      ownAddedBytes: 200,
    });
  });

  it('reports again what a failed store did not confirm', async () => {
    const { budget, controls, store } = await open();
    budget.addBytes(300, requester);
    controls.mood = 'gone';
    expect(await budget.spend(requester)).toMatchObject({ spent: undefined });
    controls.mood = 'answering';
    controls.onReady();
    await regained(store);
    controls.scriptReplies = [['', 1, 300, DAY_MS, 1, 300]];
    await budget.spend(requester);
    expect(controls.scripts[1]?.[6]).toBe(300);
    expect(controls.scripts[1]?.at(-1)).toBe(300);
  });

  it('starts a new window if the other replicas have', async () => {
    const { budget, controls, time } = await open();
    const other: Requester = { client: '203.0.113.8', background: false };
    controls.scriptReplies = [['', 500, 0, DAY_MS / 2, 150, 0]];
    await budget.spend(requester);
    await budget.spend(other);
    // Only a message delay, not a new window.
    time.ms += 1_000;
    await budget.spend(requester);
    await budget.spend(other);
    expect(controls.scripts.at(-1)?.[11]).toBe(150);
    controls.scriptReplies = [['', 1, 0, DAY_MS, 1, 0]];
    await budget.spend(requester);
    await budget.spend(other);
    expect(controls.scripts.at(-1)?.[11]).toBe(0);
  });

  it('distinguishes no clients if one may use all', async () => {
    const { budget, controls } = await open({ ...LIMITS, clientShare: 1 });
    controls.scriptReplies = [['', 1, 0, DAY_MS, 0, 0]];
    budget.addBytes(300, requester);
    await budget.spend(requester);
    await budget.spend(undefined);
    expect(controls.scripts[0]?.slice(10)).toEqual(['', 0, 0, 0]);
    expect(controls.scripts[1]?.slice(10)).toEqual(['', 0, 0, 0]);
  });

  it('continues from the last known use while the store is unreachable', async () => {
    const { budget, controls, store } = await open({ ...LIMITS, requests: 2, bytes: 1_000, clientShare: 1 });
    controls.onTrouble(new Error('gone'), true);
    expect(await budget.spend(undefined)).toMatchObject({ spent: undefined });
    budget.addBytes(1_000, undefined);
    expect(await budget.spend(undefined)).toEqual({ spent: 'all', secondsLeft: 86_400 });
    await store.close();
  });
});
