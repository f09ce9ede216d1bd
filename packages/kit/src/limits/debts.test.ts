import { expect, it } from 'vitest';
import { Debts } from './debts.ts';

it('of the buckets that were charged, the last half of the maximum have their debts, and at most all of it', () => {
  const debts = new Debts({ now: () => 0, monotonic: () => 0 }, 10);
  for (let name = 0; name < 100; name++) {
    debts.add(`${name}`, 7);
    const withDebts = Array.from({ length: 100 }, (_, each) => each).filter(
      (each) => debts.of(`${each}`) > 0,
    );
    expect(withDebts).toEqual(Array.from(withDebts, (_, at) => name - withDebts.length + 1 + at));
    expect(withDebts.length).toBeGreaterThanOrEqual(Math.min(name + 1, 5));
    expect(withDebts.length).toBeLessThanOrEqual(10);
  }
});
