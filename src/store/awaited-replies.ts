/** Looked so often within the time-out whether anything has come. */
const TICKS_PER_TIMEOUT = 4;

/** However lively the store is otherwise (other nodes of a cluster), a command waits no longer than so many time-outs. */
const MAX_TIMEOUTS_PER_COMMAND = 2;

interface Waiting {
  /** In ticks. */
  sentAt: number;
  giveUp: (error: Error) => void;
}

/**
 * Watches over the commands that wait for a reply. What counts is silence, not the age of a command: under a burst
 * replies are late, but they keep coming. Silence is counted in ticks of our own timer: when the machine is so busy
 * that the timer itself is late, the store, which may be slow for that reason alone, gets that much more time.
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

  /** Commands that wait for a reply. */
  get count(): number {
    return this.#waiting.size;
  }

  /** The reply; or a rejection, from `giveUpAll`, when none is expected any more. */
  async expect<T>(reply: Promise<T>): Promise<T> {
    const entry: Waiting = { sentAt: this.#ticks, giveUp: () => undefined };
    const givenUp = new Promise<never>((_resolve, reject) => {
      entry.giveUp = reject;
    });
    this.#waiting.add(entry);
    this.#timer ??= setInterval(() => {
      this.#ticks++;
      // What has arrived while this process was busy itself is read before anything is judged.
      setImmediate(() => {
        this.#judge();
      });
    }, this.#timeoutMs / TICKS_PER_TIMEOUT);
    try {
      return await Promise.race([reply, givenUp]);
    } finally {
      this.#waiting.delete(entry);
      this.#lastReplyAt = this.#ticks;
    }
  }

  giveUpAll(error: Error): void {
    for (const { giveUp } of this.#waiting) giveUp(error);
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
