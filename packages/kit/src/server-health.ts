import type { Clock } from './process/clock.ts';
import { waitSeconds } from './requests.ts';

/** A burst of quick failures costs little, and often ends at once. */
const FAILURES_TO_SHUT = 5;
const FAILING_FOR_MS = 1_000;
const FIRST_SHUT_MS = 2_000;
const MAX_SHUT_MS = 30_000;
/** After that, one call in this time is a probe, until one is answered. */
const PROBE_MS = 1_000;
/** During a pause, one call about something else in this time is a probe. */
const PAUSE_PROBE_MS = 60_000;

/**
 * What calls to a server say of it. After five failures in a row that span a second no call is made for two seconds,
 * twice as long after each further failure, until a call is answered. A pause that the server demands lasts as long as
 * it says.
 */
export class ServerHealth {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #failures = 0;
  /** When the call began that failed first of those in a row. */
  #failingSince = 0;
  #shuts = 0;
  #shutAt = -Infinity;
  #shutUntil = -Infinity;
  #pausedUntil = -Infinity;
  /** What the call was about to which the server responded with the pause. */
  #pausedSubject: string | undefined;
  #pauseProbeAt = -Infinity;
  /** Of the last call, if none was answered since. */
  #timedOutAt = -Infinity;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  get isFailing(): boolean {
    return this.#shuts > 0;
  }

  /** Milliseconds in which no call is to be made, as calls fail. */
  get shutForMs(): number {
    return Math.max(0, this.#shutUntil - this.#clock.monotonic());
  }

  /** Milliseconds in which no call about `subject` is to be made, as the server demands. */
  pausedForMs(subject = this.#pausedSubject): number {
    const probeAt = subject === this.#pausedSubject ? Infinity : this.#pauseProbeAt;
    return Math.max(0, Math.min(this.#pausedUntil, probeAt) - this.#clock.monotonic());
  }

  /** Whether a call timed out within this time, and none was answered since. */
  timedOutWithin(ms: number): boolean {
    return this.#timedOutAt + ms > this.#clock.monotonic();
  }

  /** Call when a call begins. Returns its beginning. */
  begin(): number {
    const now = this.#clock.monotonic();
    if (this.isFailing) this.#shutUntil = now + PROBE_MS;
    this.#pauseProbeAt = now + PAUSE_PROBE_MS;
    return now;
  }

  /** Call if the server answered, even with an error. */
  answered(): void {
    this.#failures = 0;
    this.#shuts = 0;
    this.#shutUntil = -Infinity;
    this.#timedOutAt = -Infinity;
  }

  /** Call if the call that began then failed. */
  failed(begunAt: number, isTimeout = false): void {
    const now = this.#clock.monotonic();
    if (isTimeout) this.#timedOutAt = now;
    // It says nothing that was not known when the server was shut.
    if (begunAt <= this.#shutAt) return;
    if (this.#failures++ === 0) this.#failingSince = begunAt;
    if (this.#failures < FAILURES_TO_SHUT || now - this.#failingSince < FAILING_FOR_MS) return;
    this.#shutAt = now;
    this.#shutUntil = now + Math.min(FIRST_SHUT_MS * 2 ** this.#shuts, MAX_SHUT_MS);
    this.#shuts++;
  }

  /** Call if the server demands a pause, in its answer to a call about `subject`. */
  pause(seconds: number, subject?: string): void {
    const now = this.#clock.monotonic();
    this.#pausedUntil = now + waitSeconds(seconds) * 1_000;
    this.#pausedSubject = subject;
    this.#pauseProbeAt = now + PAUSE_PROBE_MS;
  }

  /** Call if the server serves us again: ends the pause. */
  resume(): void {
    this.#pausedUntil = -Infinity;
  }
}
