import { describe, expect, it } from 'vitest';
import { usableStore } from '../../test/store/controlled-store.ts';
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
  /** The request that the script received at this call. */
  const sent = (call: number) =>
    JSON.parse(String(controls.scripts.at(call)?.[0])) as Record<string, unknown>;
  return { budget, controls, store, time, sent };
}

describe('the outgoing budget of all replicas', () => {
  it('reports requests to the store, and uses the total of all replicas', async () => {
    const { budget, controls, time, sent } = await open();
    controls.scriptReplies = [['', 40, 5_000, DAY_MS / 2, 3, 700]];
    expect(await budget.spend(requester)).toEqual({ spent: undefined, secondsLeft: 43_200 });
    const limits = { requests: 1_000, bytes: 1_000_000, windowMs: DAY_MS, clientShare: 0.2, lowFrom: 0.8 };
    expect(sent(0)).toEqual({
      limits,
      isBackground: false,
      requests: 0,
      bytes: 0,
      windowLeftMs: 0,
      addedBytes: 0,
      client: { key: name, requests: 0, bytes: 0, addedBytes: 0 },
    });
    expect(budget.used).toEqual({ requests: 40, bytes: 5_000 });
    expect(budget.usedPart).toBe(0.04);
    time.ms += 1_000;
    budget.addBytes(300, requester);
    expect(budget.used.bytes).toBe(5_300);
    await budget.spend({ ...requester, background: true });
    expect(sent(1)).toEqual({
      limits,
      isBackground: true,
      requests: 40,
      bytes: 5_000,
      windowLeftMs: DAY_MS / 2 - 1_000,
      addedBytes: 300,
      client: { key: name, requests: 3, bytes: 700, addedBytes: 300 },
    });
    await budget.spend(requester);
    expect(sent(2)).toMatchObject({ requests: 40, addedBytes: 0, client: { addedBytes: 0 } });
  });

  it.each(['all', 'client'] as const)('is spent if the store says so: %s', async (spent) => {
    const { budget, controls } = await open();
    controls.scriptReplies = [[spent, 1_000, 0, 1_001, 200, 0]];
    expect(await budget.spend(requester)).toEqual({ spent, secondsLeft: 2 });
  });

  it('counts bytes that arrive during a query, and reports them with the next one', async () => {
    const { budget, controls, sent } = await open();
    let reply: (value: unknown) => void = () => undefined;
    controls.scriptReplies = [new Promise((resolve) => (reply = resolve)), ['', 2, 500, DAY_MS, 2, 500]];
    const taking = budget.spend(requester);
    budget.addBytes(200, requester);
    budget.addBytes(100, undefined);
    reply(['', 1, 1_000, DAY_MS, 1, 1_000]);
    await taking;
    expect(budget.used).toEqual({ requests: 1, bytes: 1_300 });
    await budget.spend(requester);
    expect(sent(1)).toMatchObject({
      addedBytes: 300,
      requests: 1,
      bytes: 1_000,
      client: { requests: 1, bytes: 1_000, addedBytes: 200 },
    });
  });

  it('reports again what a failed store did not confirm', async () => {
    const { budget, controls, sent } = await open();
    budget.addBytes(300, requester);
    controls.mood = 'gone';
    expect(await budget.spend(requester)).toMatchObject({ spent: undefined });
    controls.mood = 'answering';
    controls.connect();
    controls.scriptReplies = [['', 1, 300, DAY_MS, 1, 300]];
    await budget.spend(requester);
    expect(sent(1)).toMatchObject({ addedBytes: 300, client: { addedBytes: 300 } });
  });

  it('starts a new window if the other replicas have', async () => {
    const { budget, controls, time, sent } = await open();
    const other: Requester = { client: '203.0.113.8', background: false };
    controls.scriptReplies = [['', 500, 0, DAY_MS / 2, 150, 0]];
    await budget.spend(requester);
    await budget.spend(other);
    // Only a message delay, not a new window.
    time.ms += 1_000;
    await budget.spend(requester);
    await budget.spend(other);
    expect(sent(-1)).toMatchObject({ client: { requests: 150 } });
    controls.scriptReplies = [['', 1, 0, DAY_MS, 1, 0]];
    await budget.spend(requester);
    await budget.spend(other);
    expect(sent(-1)).toMatchObject({ client: { requests: 0 } });
  });

  it('counts nothing of the former window for the client that begins the next', async () => {
    const { budget, controls, time, sent } = await open();
    controls.scriptReplies = [['client', 500, 9_000, 1_000, 200, 9_000]];
    await budget.spend(requester);
    budget.addBytes(300, requester);
    time.ms += 1_001;
    await budget.spend(requester);
    expect(sent(-1)).toMatchObject({ requests: 0, client: { requests: 0, bytes: 0, addedBytes: 0 } });
  });

  it('distinguishes no clients if one may use all', async () => {
    const { budget, controls, sent } = await open({ ...LIMITS, clientShare: 1 });
    controls.scriptReplies = [['', 1, 0, DAY_MS, 0, 0]];
    budget.addBytes(300, requester);
    await budget.spend(requester);
    await budget.spend(undefined);
    expect(sent(0)).not.toHaveProperty('client');
    expect(sent(1)).not.toHaveProperty('client');
  });

  it('continues from the last known use while the store is unreachable', async () => {
    const { budget, controls, store } = await open({ ...LIMITS, requests: 2, bytes: 1_000, clientShare: 1 });
    controls.disconnect();
    expect(await budget.spend(undefined)).toMatchObject({ spent: undefined });
    budget.addBytes(1_000, undefined);
    expect(await budget.spend(undefined)).toEqual({ spent: 'all', secondsLeft: 86_400 });
    await store.close();
  });
});
