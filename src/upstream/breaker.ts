import type { Clock } from '../process/clock.ts';

/** Leave to make one call. Exactly one of the two is to be told; what comes later is not heard. */
export interface Permit {
  /** The server answered, be it with a "no". */
  succeed(): void;
  /** It failed, or did not answer in time. */
  fail(): void;
}

interface BreakerOptions {
  clock: Clock;
  random: () => number;
  /** Then it stays closed. */
  isDisabled?: boolean;
}

/**
 * So many failures in a row open the circuit, if the first of those calls began so long ago: a burst of quick
 * failures costs little and is often over at once.
 */
const FAILURES_TO_OPEN = 5;
const FAILING_FOR_MS = 1_000;

/** How long it stays open at first; doubled whenever the probe fails. */
const FIRST_OPEN_MS = 2_000;
const LONGEST_OPEN_MS = 30_000;

/** What the others are told while the probe is under way. */
const PROBE_UNDER_WAY_MS = 1_000;

/**
 * Stops calling a server that does not work. Closed: all calls permit. Open, after a row of failures: none does. When
 * its time is over one call permits as a probe: its success closes the circuit, its failure opens it for longer.
 */
export class Breaker {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #isDisabled: boolean;
  #failures = 0;
  /** When the first call was made of those that failed in a row. */
  #failingSince = 0;
  /** Undefined while closed. */
  #openUntil: number | undefined;
  #openMs = FIRST_OPEN_MS;
  #probing = false;
  /** Permits of an earlier state say nothing about this one. */
  #generation = 0;

  constructor({ clock, random, isDisabled = false }: BreakerOptions) {
    this.#clock = clock;
    this.#random = random;
    this.#isDisabled = isDisabled;
  }

  get state(): 'closed' | 'open' | 'probing' {
    if (this.#openUntil === undefined) return 'closed';
    return this.#probing ? 'probing' : 'open';
  }

  /** Milliseconds until a call may permit; 0 when one may now. */
  get refusingForMs(): number {
    if (this.#openUntil === undefined) return 0;
    if (this.#probing) return PROBE_UNDER_WAY_MS;
    return Math.max(0, this.#openUntil - this.#clock.monotonic());
  }

  /** Undefined when no call may permit now. */
  acquire(): Permit | undefined {
    if (this.refusingForMs > 0) return undefined;
    if (this.#openUntil !== undefined) this.#probing = true;
    const generation = this.#generation;
    const acquiredAt = this.#clock.monotonic();
    let told = false;
    const once = (tell: () => void) => {
      if (!told && generation === this.#generation) tell();
      told = true;
    };
    return {
      succeed: () => {
        once(() => {
          this.#close();
        });
      },
      fail: () => {
        once(() => {
          this.#noteFailure(acquiredAt);
        });
      },
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

  #noteFailure(acquiredAt: number): void {
    if (this.#isDisabled) return;
    const now = this.#clock.monotonic();
    this.#failingSince = this.#failures === 0 ? acquiredAt : Math.min(this.#failingSince, acquiredAt);
    this.#failures++;
    const lasts = this.#failures >= FAILURES_TO_OPEN && now - this.#failingSince >= FAILING_FOR_MS;
    if (!this.#probing && !lasts) return;
    if (this.#probing) this.#openMs = Math.min(this.#openMs * 2, LONGEST_OPEN_MS);
    // Up to a tenth less, so that replicas do not probe in step.
    this.#openUntil = now + this.#openMs * (1 - this.#random() / 10);
    this.#probing = false;
    this.#generation++;
  }
}
