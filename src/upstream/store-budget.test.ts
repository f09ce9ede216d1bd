import { describe, expect, it } from 'vitest';
import { usableStore } from '../../test/store/controlled-store.ts';
import { systemClock } from '../process/clock.ts';
import { createLocalBudget } from './outgoing-budget.ts';
import { createStoreBudget } from './store-budget.ts';

describe('the outgoing budget', () => {
  it('is spent from what was known of it while the store is out of reach', async () => {
    const { store, controls } = await usableStore();
    const limits = { requests: 2, bytes: 1_000, windowSeconds: 86_400 };
    const budget = createStoreBudget({
      store,
      keys: store.keys,
      clock: systemClock,
      name: 'default',
      limits,
    });
    controls.onTrouble(new Error('gone'), true);
    expect(await budget.takeRequest()).toMatchObject({ allowed: true });
    budget.addBytes(1_000);
    const refused = await budget.takeRequest();
    expect(refused.allowed).toBe(false);
    expect(refused.retryAfterSeconds).toBeGreaterThan(86_000);
    await store.close();
  });

  it('begins a new window only when the old one is over', () => {
    const time = { ms: 5_000 };
    const clock = { now: () => time.ms, monotonic: () => time.ms };
    const budget = createLocalBudget({ requests: 1, bytes: 10, windowSeconds: 60 }, clock);
    expect(budget.takeRequest().allowed).toBe(true);
    time.ms += 59_999;
    expect(budget.takeRequest()).toEqual({ allowed: false, retryAfterSeconds: 1 });
    time.ms += 1;
    expect(budget.takeRequest().allowed).toBe(true);
  });
});
