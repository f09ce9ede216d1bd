/** Each first call earns this much of a retry, so that in the long run calls grow by a tenth at most. */
const EARNED_BY_CALL = 0.1;

/** Retries saved up for a bad moment. */
const MOST_SAVED = 5;

/** Keeps retries from adding to the load of an upstream that is failing. */
export class RetryBudget {
  #saved = 0;

  noteCall(): void {
    this.#saved = Math.min(MOST_SAVED, this.#saved + EARNED_BY_CALL);
  }

  /** True when a retry may be made, which is then spent. */
  take(): boolean {
    if (this.#saved < 1) return false;
    this.#saved--;
    return true;
  }
}
