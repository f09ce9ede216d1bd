/**
 * Tells a call that it must end. What the guard needs of an AbortSignal, at a twentieth of its price: one is made
 * for every call to an upstream, and listened to in three places (Node 20.20: 20 us of a small answer's 500).
 */
export class CallEnd {
  #reason: Error | undefined;
  readonly #listeners = new Set<() => void>();

  /** Why the call must end; undefined while it may go on. */
  get reason(): Error | undefined {
    return this.#reason;
  }

  throwIfOver(): void {
    if (this.#reason) throw this.#reason;
  }

  /** Calls `listener` once when the call must end. */
  listen(listener: () => void): void {
    this.#listeners.add(listener);
  }

  forget(listener: () => void): void {
    this.#listeners.delete(listener);
  }

  end(reason: Error): void {
    if (this.#reason) return;
    this.#reason = reason;
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener();
  }
}
