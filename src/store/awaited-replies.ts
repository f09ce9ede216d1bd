/** Checks per timeout whether data have arrived. */
const TICKS_PER_TIMEOUT = 4;

/** Even while other replies arrive (other nodes of a cluster), a command waits no longer than this many timeouts. */
const MAX_TIMEOUTS_PER_COMMAND = 2;

interface Waiting {
  /** In ticks. */
  sentAt: number;
  reject: (error: Error) => void;
}

/**
 * Watches the commands that wait for a reply. Silence counts, not the age of a command: under a burst replies are
 * late, but keep arriving. Silence is measured in ticks of our own timer: on a machine so busy that the timer is
 * late, the store gets that much more time.
 */
export class AwaitedReplies {
  readonly #timeoutMs: number;
  readonly #onSilence: (error: Error) => void;
  /** In the order of sending. */
  readonly #waiting = new Set<Waiting>();
  #ticks = 0;
  #lastReplyAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(timeoutMs: number, onSilence: (error: Error) => void) {
    this.#timeoutMs = timeoutMs;
    this.#onSilence = onSilence;
  }

  /** Number of waiting commands. */
  get count(): number {
    return this.#waiting.size;
  }

  /** Resolves with the reply; `rejectAll` rejects it. */
  async track<T>(reply: Promise<T>): Promise<T> {
    const entry: Waiting = { sentAt: this.#ticks, reject: () => undefined };
    const rejection = new Promise<never>((_resolve, reject) => {
      entry.reject = reject;
    });
    this.#waiting.add(entry);
    this.#timer ??= setInterval(() => {
      this.#ticks++;
      // Data that arrived while this process was busy are read before the check.
      setImmediate(() => this.#judge());
    }, this.#timeoutMs / TICKS_PER_TIMEOUT);
    try {
      return await Promise.race([reply, rejection]);
    } finally {
      this.#waiting.delete(entry);
      this.#lastReplyAt = this.#ticks;
    }
  }

  rejectAll(error: Error): void {
    for (const { reject } of this.#waiting) reject(error);
    this.#waiting.clear();
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #judge(): void {
    const [oldest] = this.#waiting;
    if (!oldest) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    const silence = this.#ticks - Math.max(this.#lastReplyAt, oldest.sentAt);
    const age = this.#ticks - oldest.sentAt;
    if (silence > TICKS_PER_TIMEOUT || age > TICKS_PER_TIMEOUT * MAX_TIMEOUTS_PER_COMMAND) {
      this.#onSilence(new Error(`no answer within ${this.#timeoutMs} ms`));
    }
  }
}
