import type { Clock } from './clock.ts';

/** Permission for one call. Report success or failure once; later reports are ignored. */
export interface Permit {
  /** The server responded, even with an error of the client's. */
  succeed(): void;
  /** The server failed, or timed out. */
  fail(): void;
}

interface BreakerOptions {
  clock: Clock;
  random: () => number;
}

/**
 * Opens after 5 consecutive failures that span at least 1 s: a burst of quick failures costs little, and often ends at
 * once.
 */
const FAILURES_TO_OPEN = 5;
const FAILING_FOR_MS = 1_000;

/** How long the circuit stays open at first; doubled by each failed probe. */
const FIRST_OPEN_MS = 2_000;
const MAX_OPEN_MS = 30_000;

/** Retry time for other calls during a probe. */
const PROBE_UNDER_WAY_MS = 1_000;

/**
 * Stops calls to a failing server. Closed: permits all calls. Open, after consecutive failures: permits none. Then it
 * permits one call as a probe: its success closes the circuit, its failure opens it for longer.
 */
export class Breaker {
  readonly #clock: Clock;
  readonly #random: () => number;
  #failures = 0;
  /** Start of the first of the consecutive failed calls. */
  #failingSince = 0;
  /** Undefined while closed. */
  #openUntil: number | undefined;
  #openMs = FIRST_OPEN_MS;
  #probing = false;
  /** Reports of permits from an earlier state are ignored. */
  #generation = 0;

  constructor({ clock, random }: BreakerOptions) {
    this.#clock = clock;
    this.#random = random;
  }

  get state(): 'closed' | 'open' | 'probing' {
    if (this.#openUntil === undefined) return 'closed';
    return this.#probing ? 'probing' : 'open';
  }

  /** Milliseconds until the next call is permitted; 0 if one is permitted now. */
  get refusingForMs(): number {
    if (this.#openUntil === undefined) return 0;
    if (this.#probing) return PROBE_UNDER_WAY_MS;
    return Math.max(0, this.#openUntil - this.#clock.monotonic());
  }

  /** Undefined if no call is permitted now. */
  acquire(): Permit | undefined {
    if (this.refusingForMs > 0) return undefined;
    if (this.#openUntil !== undefined) this.#probing = true;
    const generation = this.#generation;
    const acquiredAt = this.#clock.monotonic();
    let isReported = false;
    const reportOnce = (report: () => void) => {
      if (!isReported && generation === this.#generation) report();
      isReported = true;
    };
    return {
      succeed: () => reportOnce(() => this.#close()),
      fail: () => reportOnce(() => this.#recordFailure(acquiredAt)),
    };
  }

  #close(): void {
    this.#failures = 0;
    if (this.#openUntil === undefined) return;
    this.#openUntil = undefined;
    this.#openMs = FIRST_OPEN_MS;
    this.#probing = false;
    this.#generation++;
  }

  #recordFailure(acquiredAt: number): void {
    const now = this.#clock.monotonic();
    this.#failingSince = this.#failures === 0 ? acquiredAt : Math.min(this.#failingSince, acquiredAt);
    this.#failures++;
    const lasts = this.#failures >= FAILURES_TO_OPEN && now - this.#failingSince >= FAILING_FOR_MS;
    if (!this.#probing && !lasts) return;
    if (this.#probing) this.#openMs = Math.min(this.#openMs * 2, MAX_OPEN_MS);
    // Up to a tenth less, so that replicas do not probe in step.
    this.#openUntil = now + this.#openMs * (1 - this.#random() / 10);
    this.#probing = false;
    this.#generation++;
  }
}
