import type { Clock } from '../process/clock.ts';

export interface BreakerOptions {
  clock: Clock;
  random: () => number;
  /** Failures in a row that open the circuit, if they also go back to calls made so long ago. */
  failuresToOpen?: number;
  failingForMs?: number;
  /** How long it stays open at first; doubled whenever the probe fails. */
  firstOpenMs?: number;
  longestOpenMs?: number;
}

/** Leave to make one call. Exactly one of the two is to be told; what comes later is not heard. */
export interface Pass {
  /** The upstream answered, be it with a "no". */
  succeed(): void;
  /** It failed; `leaveAloneMs` when it said for how long: an open circuit stays open for that time. */
  fail(leaveAloneMs?: number): void;
}

/** A burst of quick failures costs little and is often over at once; only what lasts opens the circuit. */
const FAILURES_TO_OPEN = 5;
const FAILING_FOR_MS = 1_000;
const FIRST_OPEN_MS = 2_000;
const LONGEST_OPEN_MS = 30_000;
/** An upstream that asks for more is asked again all the same. */
const LONGEST_ASKED_FOR_MS = 600_000;

/** What the others are told while the probe is under way. */
const PROBE_UNDER_WAY_MS = 1_000;

/**
 * Stops calling an upstream that does not work. Closed: all calls pass. Open, after a row of failures: none does.
 * When its time is over one call passes as a probe: its success closes the circuit, its failure opens it for
 * longer.
 */
export class Breaker {
  readonly #options: Required<BreakerOptions>;
  #failures = 0;
  /** When the first call was made of those that failed in a row. */
  #failingSince = 0;
  /** Undefined while closed. */
  #openUntil: number | undefined;
  #openMs: number;
  #probing = false;
  /** Passes of an earlier state say nothing about this one. */
  #era = 0;

  constructor(options: BreakerOptions) {
    this.#options = {
      failuresToOpen: FAILURES_TO_OPEN,
      failingForMs: FAILING_FOR_MS,
      firstOpenMs: FIRST_OPEN_MS,
      longestOpenMs: LONGEST_OPEN_MS,
      ...options,
    };
    this.#openMs = this.#options.firstOpenMs;
  }

  get state(): 'closed' | 'open' | 'probing' {
    if (this.#openUntil === undefined) return 'closed';
    return this.#probing ? 'probing' : 'open';
  }

  /** Milliseconds until a call may pass; 0 when one may now. */
  get refusingForMs(): number {
    if (this.#openUntil === undefined) return 0;
    if (this.#probing) return PROBE_UNDER_WAY_MS;
    return Math.max(0, this.#openUntil - this.#options.clock.monotonic());
  }

  /** Undefined when no call may pass now. */
  enter(): Pass | undefined {
    if (this.refusingForMs > 0) return undefined;
    if (this.#openUntil !== undefined) this.#probing = true;
    const era = this.#era;
    const enteredAt = this.#options.clock.monotonic();
    let told = false;
    const once = (tell: () => void) => {
      if (!told && era === this.#era) tell();
      told = true;
    };
    return {
      succeed: () => {
        once(() => {
          this.#close();
        });
      },
      fail: (leaveAloneMs) => {
        once(() => {
          this.#noteFailure(enteredAt, leaveAloneMs);
        });
      },
    };
  }

  #close(): void {
    this.#failures = 0;
    if (this.#openUntil === undefined) return;
    this.#openUntil = undefined;
    this.#openMs = this.#options.firstOpenMs;
    this.#probing = false;
    this.#era++;
  }

  #noteFailure(enteredAt: number, leaveAloneMs = 0): void {
    const { clock, random, failuresToOpen, failingForMs, longestOpenMs } = this.#options;
    const now = clock.monotonic();
    this.#failingSince = this.#failures === 0 ? enteredAt : Math.min(this.#failingSince, enteredAt);
    this.#failures++;
    const lasts = this.#failures >= failuresToOpen && now - this.#failingSince >= failingForMs;
    if (!this.#probing && !lasts) return;
    if (this.#probing) this.#openMs = Math.min(this.#openMs * 2, longestOpenMs);
    // Up to a tenth less, so that replicas do not probe in step.
    const ownMs = this.#openMs * (1 - random() / 10);
    this.#openUntil = now + Math.max(ownMs, Math.min(leaveAloneMs, LONGEST_ASKED_FOR_MS));
    this.#probing = false;
    this.#era++;
  }
}
