import type { Clock } from '../process/clock.ts';

/** However lively the store is otherwise (other nodes of a cluster), a command waits no longer than so many time-outs. */
const MAX_TIMEOUTS_PER_COMMAND = 2;

/**
 * A timer that is late by so much of the time-out: the machine is busy, and the store may be slow for that reason
 * alone. So often in a row it is then given another half of the time-out.
 */
const BUSY_SHARE = 0.25;
const MAX_EXTENSIONS = 3;

interface Waiting {
  sentAt: number;
  giveUp: (error: Error) => void;
}

export interface AwaitedRepliesOptions {
  clock: Clock;
  /** Silence, with commands waiting, after which no more answers are expected. */
  timeoutMs: number;
  onSilence: (error: Error) => void;
}

/**
 * Watches over the commands that wait for a reply, with one timer for all. What counts is silence, not the age of
 * a command: under a burst replies are late, but they keep coming.
 */
export class AwaitedReplies {
  readonly #options: AwaitedRepliesOptions;
  /** In the order of sending. */
  readonly #waiting = new Set<Waiting>();
  #lastReplyAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #extensions = 0;

  constructor(options: AwaitedRepliesOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#waiting.size;
  }

  /** The reply; or a rejection, from `giveUpAll`, when none is expected any more. */
  async expect<T>(reply: Promise<T>): Promise<T> {
    const { clock, timeoutMs } = this.#options;
    const entry: Waiting = { sentAt: clock.monotonic(), giveUp: () => undefined };
    const givenUp = new Promise<never>((_resolve, reject) => {
      entry.giveUp = reject;
    });
    this.#waiting.add(entry);
    this.#watch(timeoutMs);
    try {
      return await Promise.race([reply, givenUp]);
    } finally {
      this.#waiting.delete(entry);
      this.#lastReplyAt = clock.monotonic();
      this.#extensions = 0;
    }
  }

  giveUpAll(error: Error): void {
    for (const { giveUp } of this.#waiting) giveUp(error);
    this.#waiting.clear();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #watch(milliseconds: number): void {
    if (this.#timer) return;
    const { clock, timeoutMs } = this.#options;
    const dueAt = clock.monotonic() + milliseconds;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const isMachineBusy = clock.monotonic() - dueAt > timeoutMs * BUSY_SHARE;
      // What has arrived while this process was busy itself is read before anything is judged.
      setImmediate(() => {
        this.#judge(isMachineBusy);
      });
    }, milliseconds);
  }

  #judge(isMachineBusy: boolean): void {
    const { timeoutMs, onSilence } = this.#options;
    const left = this.#patience();
    if (left === undefined) return;
    if (left > 0) this.#watch(left);
    else if (isMachineBusy && this.#extensions++ < MAX_EXTENSIONS) this.#watch(timeoutMs / 2);
    else onSilence(new Error(`no answer within ${timeoutMs} ms`));
  }

  /** Milliseconds until silence is certain; undefined when nothing is waited for. */
  #patience(): number | undefined {
    const [oldest] = this.#waiting;
    if (!oldest) return undefined;
    const { clock, timeoutMs } = this.#options;
    const now = clock.monotonic();
    const silence = now - Math.max(this.#lastReplyAt, oldest.sentAt);
    const age = now - oldest.sentAt;
    return Math.min(timeoutMs - silence, timeoutMs * MAX_TIMEOUTS_PER_COMMAND - age);
  }
}
