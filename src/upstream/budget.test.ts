import { describe, expect, it } from 'vitest';
import { LocalBudget, spentFor } from './budget.ts';
import type { BudgetLimits } from './budget.ts';

const LIMITS: BudgetLimits = { requests: 100, bytes: 1_000, windowSeconds: 86_400, clientShare: 0.2 };

function budgetWith(limits: Partial<BudgetLimits> = {}) {
  const time = { ms: 5_000 };
  const clock = { now: () => time.ms, monotonic: () => time.ms };
  const budget = new LocalBudget({ ...LIMITS, ...limits }, clock);
  const by = (client: string, background = false) => ({ client, background });
  /** The number of allowed requests among `count`. */
  const allowed = (count: number, client: string, background = false) =>
    Array.from({ length: count }, () => budget.spend(by(client, background))).filter(
      ({ spent }) => spent === undefined,
    ).length;
  return { budget, time, by, allowed };
}

describe('the budget of all', () => {
  it('allows its requests in a window that begins with the first, and states when it ends', () => {
    const { budget, time } = budgetWith({ requests: 2, windowSeconds: 60 });
    time.ms += 1_000_000;
    for (let i = 0; i < 2; i++) expect(budget.spend(undefined).spent).toBeUndefined();
    expect(budget.spend(undefined)).toEqual({ spent: 'all', secondsLeft: 60 });
    expect(budget.usedPart).toBe(1);
    time.ms += 59_999;
    expect(budget.spend(undefined)).toEqual({ spent: 'all', secondsLeft: 1 });
    time.ms += 1;
    expect(budget.used).toEqual({ requests: 0, bytes: 0 });
    expect(budget.usedPart).toBe(0);
    expect(budget.spend(undefined).spent).toBeUndefined();
  });

  it('starts a new window if a clock set back would extend the present one', () => {
    const { budget, time } = budgetWith({ requests: 2, windowSeconds: 60 });
    time.ms += 1_000_000;
    for (let i = 0; i < 2; i++) budget.spend(undefined);
    time.ms -= 1;
    expect(budget.spend(undefined)).toEqual({ spent: undefined, secondsLeft: 60 });
  });

  it('allows its bytes', () => {
    const { budget } = budgetWith();
    budget.spend(undefined);
    budget.addBytes(999, undefined);
    expect(budget.spend(undefined).spent).toBeUndefined();
    budget.addBytes(1, undefined);
    expect(budget.spend(undefined).spent).toBe('all');
    expect(budget.used).toEqual({ requests: 2, bytes: 1_000 });
  });
});

describe('the share of a client', () => {
  it('is a fifth of the requests, refused for that client alone until the window is over', () => {
    const { budget, time, by, allowed } = budgetWith();
    expect(allowed(30, 'a')).toBe(20);
    expect(budget.spend(by('a'))).toEqual({ spent: 'client', secondsLeft: 86_400 });
    expect(allowed(30, 'b')).toBe(20);
    time.ms += 86_400_000;
    expect(allowed(30, 'a')).toBe(20);
  });

  it('is a fifth of the bytes', () => {
    const { budget, by, allowed } = budgetWith();
    budget.spend(by('a'));
    budget.addBytes(199, by('a'));
    expect(allowed(1, 'a')).toBe(1);
    budget.addBytes(1, by('a'));
    expect(allowed(1, 'a')).toBe(0);
    expect(allowed(1, 'b')).toBe(1);
  });

  it('of 1 does not distinguish clients', () => {
    const { allowed } = budgetWith({ clientShare: 1 });
    expect(allowed(200, 'a')).toBe(100);
  });

  it('leaves a part for others: two clients cannot spend a budget of 40', () => {
    const { allowed } = budgetWith({ requests: 40 });
    expect([allowed(100, 'a'), allowed(100, 'b')]).toEqual([8, 8]);
    expect(allowed(1, 'c')).toBe(1);
  });
});

describe('a low budget', () => {
  const spend = (requests: number) => {
    const set = budgetWith();
    for (let i = 0; i < requests; i++) set.budget.spend(undefined);
    return set;
  };

  it('first rejects background requests, from four fifths on', () => {
    expect(spend(79).allowed(1, 'a', true)).toBe(1);
    const { budget, by, allowed } = spend(80);
    expect(budget.spend(by('a', true)).spent).toBe('all');
    expect(allowed(1, 'a')).toBe(1);
  });

  it('then rejects the clients that have used most', () => {
    const { budget, allowed } = budgetWith();
    for (const [client, count] of [
      ['large', 18],
      ['middle', 9],
      ['small', 2],
    ] as const) {
      expect(allowed(count, client)).toBe(count);
    }
    for (let i = 29; i < 85; i++) budget.spend(undefined);
    expect(['large', 'middle', 'small', 'new'].map((client) => allowed(1, client))).toEqual([0, 1, 1, 1]);
    for (let i = 88; i < 95; i++) budget.spend(undefined);
    expect(['large', 'middle', 'small', 'new'].map((client) => allowed(1, client))).toEqual([0, 0, 1, 1]);
    for (let i = 97; i < 99; i++) budget.spend(undefined);
    expect(['large', 'middle', 'small', 'new'].map((client) => allowed(1, client))).toEqual([0, 0, 0, 0]);
    expect([allowed(1, 'newer'), allowed(1, 'newest')]).toEqual([1, 0]);
  });
});

describe('the usage of other processes', () => {
  it('is adopted, with the window that they use', () => {
    const { budget, time, by, allowed } = budgetWith();
    allowed(3, 'a');
    time.ms += 1_000;
    const all = { requests: 50, bytes: 10 };
    budget.correct({ all, client: { requests: 19, bytes: 10 }, windowLeftMs: 86_399_000 }, by('a'));
    expect(budget.used).toEqual(all);
    expect(allowed(5, 'a')).toBe(1);
    expect(allowed(5, 'b')).toBe(5);
    // The other replicas have started a new window.
    time.ms += 80_000_000;
    const none = { requests: 0, bytes: 0 };
    budget.correct({ all: none, client: none, windowLeftMs: 86_400_000 }, by('b'));
    expect(allowed(30, 'a')).toBe(20);
    expect(budget.windowLeftMs).toBe(86_400_000);
  });

  it('is adopted also without a client', () => {
    const { budget } = budgetWith();
    const all = { requests: 7, bytes: 70 };
    budget.correct({ all, client: { requests: 1, bytes: 1 }, windowLeftMs: 1_000 }, undefined);
    expect(budget.used).toEqual(all);
  });

  it('is remembered for a bounded number of clients, the newest', () => {
    const { budget, by, allowed } = budgetWith({ requests: 1_000_000_000, clientShare: 2e-9 });
    expect(allowed(3, 'first')).toBe(2);
    for (let i = 1; i < 100_000; i++) budget.spend(by(`client ${i}`));
    expect(allowed(3, 'first')).toBe(0);
    budget.spend(by('one more'));
    expect(allowed(3, 'first')).toBe(2);
  });
});

describe('the rule', () => {
  const none = { requests: 0, bytes: 0 };
  it.each([
    [{ requests: 0, bytes: 1_000 }, none, 'all'],
    [{ requests: 100, bytes: 0 }, none, 'all'],
    [{ requests: 90, bytes: 0 }, { requests: 10, bytes: 0 }, 'client'],
    [{ requests: 90, bytes: 0 }, { requests: 9, bytes: 99 }, undefined],
    [{ requests: 0, bytes: 900 }, { requests: 0, bytes: 100 }, 'client'],
  ])('with %o used by all and %o by the client returns %s', (all, client, spent) => {
    expect(spentFor(LIMITS, all, client, false)).toBe(spent);
  });
});
