import type { Clock } from '../process/clock.ts';

export interface BudgetDecision {
  allowed: boolean;
  /** Seconds until a refused request is allowed. */
  retryAfterSeconds: number;
}

/** What one address may ask of an upstream within a window that begins with its first request. */
export interface OutgoingBudget {
  /** Counts one request, if the budget still has room for it. */
  takeRequest(): BudgetDecision | Promise<BudgetDecision>;
  /** Counts bytes received, as they came over the wire. */
  addBytes(count: number): void;
  /** Used so far in the present window, as far as this process knows. */
  readonly used: { requests: number; bytes: number };
}

export interface BudgetLimits {
  requests: number;
  bytes: number;
  windowSeconds: number;
}

export interface LocalBudget extends OutgoingBudget {
  takeRequest(): BudgetDecision;
  /** Milliseconds that the present window still lasts; 0 when none is under way. */
  readonly windowLeftMs: number;
  /** Takes over what is known to have been used by all. */
  correct(used: { requests: number; bytes: number }, windowLeftMs: number): void;
}

/** The budget of a process that is alone, or cannot reach the others. */
export function createLocalBudget(limits: BudgetLimits, clock: Clock): LocalBudget {
  let used = { requests: 0, bytes: 0 };
  let windowEndsAt = 0;

  function windowLeftMs(): number {
    return Math.max(0, windowEndsAt - clock.now());
  }

  return {
    takeRequest: () => {
      if (windowLeftMs() === 0) {
        used = { requests: 0, bytes: 0 };
        windowEndsAt = clock.now() + limits.windowSeconds * 1000;
      }
      const allowed = used.requests < limits.requests && used.bytes < limits.bytes;
      if (allowed) used.requests++;
      return { allowed, retryAfterSeconds: allowed ? 0 : Math.ceil(windowLeftMs() / 1000) };
    },
    addBytes: (count) => {
      used.bytes += count;
    },
    get used() {
      return windowLeftMs() === 0 ? { requests: 0, bytes: 0 } : { ...used };
    },
    get windowLeftMs() {
      return windowLeftMs();
    },
    correct: (known, leftMs) => {
      used = { ...known };
      windowEndsAt = clock.now() + leftMs;
    },
  };
}
