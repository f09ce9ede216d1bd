import { describe, expect, it } from 'vitest';
import { usableStore } from '../../test/store/controlled-store.ts';
import { systemClock } from '../process/clock.ts';
import { StoreBudget } from './store-budget.ts';

describe('the outgoing budget', () => {
  it('is spent from what was known of it while the store is out of reach', async () => {
    const { store, controls } = await usableStore();
    const limits = { requests: 2, bytes: 1_000, windowSeconds: 86_400, clientShare: 1 };
    const budget = new StoreBudget({
      store,
      keys: store.keys,
      clock: systemClock,
      name: 'default',
      limits,
    });
    controls.onTrouble(new Error('gone'), true);
    expect(await budget.take(undefined)).toMatchObject({ spent: undefined });
    budget.addBytes(1_000, undefined);
    const refused = await budget.take(undefined);
    expect(refused.spent).toBe('all');
    expect(refused.secondsLeft).toBeGreaterThan(86_000);
    await store.close();
  });
});
