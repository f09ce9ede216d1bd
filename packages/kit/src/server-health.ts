import type { Clock } from './process/clock.ts';

/** A burst of quick failures costs little, and often ends at once. */
const FAILURES_TO_SHUT = 5;
const FAILING_FOR_MS = 1_000;
const FIRST_SHUT_MS = 2_000;
const MAX_SHUT_MS = 30_000;
/** After that, one call in this time is a probe, until one is answered. */
const PROBE_MS = 1_000;

/**
 * What calls to a server say of it. After five failures in a row that span a second no call is made for two seconds,
 * twice as long after each further failure, until a call is answered.
 */
export class ServerHealth {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #failures = 0;
  /** When the first of the failed calls in a row began. */
  #failingSince = 0;
  #shuts = 0;
  #shutAt = -Infinity;
  #shutUntil = -Infinity;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  get isFailing(): boolean {
    return this.#shuts > 0;
  }

  /** Milliseconds in which no call is to be made. */
  get shutForMs(): number {
    return Math.max(0, this.#shutUntil - this.#clock.monotonic());
  }

  /** Call when a call begins. Returns its beginning. */
  begin(): number {
    const now = this.#clock.monotonic();
    if (this.isFailing) this.#shutUntil = now + PROBE_MS;
    return now;
  }

  /** Call if the server answered, even with an error. */
  answered(): void {
    this.#failures = 0;
    this.#shuts = 0;
    this.#shutUntil = -Infinity;
  }

  /** Call if the call that began then failed. */
  failed(begunAt: number): void {
    // It says nothing that was not known when the server was shut.
    if (begunAt <= this.#shutAt) return;
    this.#failingSince = this.#failures === 0 ? begunAt : Math.min(this.#failingSince, begunAt);
    this.#failures++;
    const now = this.#clock.monotonic();
    if (this.#failures < FAILURES_TO_SHUT || now - this.#failingSince < FAILING_FOR_MS) return;
    this.#shutAt = now;
    this.#shutUntil = now + Math.min(FIRST_SHUT_MS * 2 ** this.#shuts, MAX_SHUT_MS);
    this.#shuts++;
  }
}
