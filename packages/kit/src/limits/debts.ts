import type { Clock } from '../process/clock.ts';

/**
 * Buckets that refill, each stored as one number: the moment at which its use is paid (the generic cell rate
 * algorithm). A debt is the milliseconds until then. Of `maxNames` buckets the half that was not charged for longest is
 * dropped, which forgives its debts.
 */
export class Debts {
  readonly #clock: Clock;
  readonly #maxNames: number;
  // Two maps that grow: a cache that allocates space for all names at once takes 40 ms at each start.
  #recent = new Map<string, number>();
  #older: ReadonlyMap<string, number> = new Map();

  constructor(clock: Clock, maxNames: number) {
    this.#clock = clock;
    this.#maxNames = maxNames;
  }

  of(name: string): number {
    const paidAt = this.#recent.get(name) ?? this.#older.get(name) ?? -Infinity;
    return Math.max(0, paidAt - this.#clock.monotonic());
  }

  set(name: string, milliseconds: number): void {
    if (this.#recent.size >= this.#maxNames / 2) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(name, this.#clock.monotonic() + milliseconds);
  }

  add(name: string, milliseconds: number): void {
    this.set(name, this.of(name) + milliseconds);
  }
}
