import { LRUCache } from 'lru-cache';
import type { Clock } from '../process/clock.ts';

/**
 * Buckets that refill, each stored as one number: the moment at which its use is paid (the generic cell rate
 * algorithm). A debt is the milliseconds until then. Of more than `maxNames` buckets the one that was not charged for
 * longest is dropped, which forgives its debt.
 */
export class Debts {
  readonly #clock: Clock;
  readonly #paidAt: LRUCache<string, number>;

  constructor(clock: Clock, maxNames: number) {
    this.#clock = clock;
    // With `max` it would allocate space for all names at once.
    this.#paidAt = new LRUCache({ maxSize: maxNames, sizeCalculation: () => 1 });
  }

  of(name: string): number {
    return Math.max(0, (this.#paidAt.peek(name) ?? -Infinity) - this.#clock.monotonic());
  }

  set(name: string, milliseconds: number): void {
    this.#paidAt.set(name, this.#clock.monotonic() + milliseconds);
  }

  add(name: string, milliseconds: number): void {
    this.set(name, this.of(name) + milliseconds);
  }
}
