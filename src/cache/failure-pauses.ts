import type { Clock } from '../process/clock.ts';

/** After a failure, stale entries are served this long before the next load. */
const PAUSE_MS = 5_000;
const MAX_KEYS = 10_000;

/** Keys whose load has just failed. */
export class FailurePauses {
  readonly #clock: Clock;
  readonly #until = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  has(key: string): boolean {
    return this.#clock.monotonic() < (this.#until.get(key) ?? 0);
  }

  begin(key: string): void {
    if (this.#until.size >= MAX_KEYS) this.#until.clear();
    this.#until.set(key, this.#clock.monotonic() + PAUSE_MS);
  }

  end(key: string): void {
    this.#until.delete(key);
  }
}
