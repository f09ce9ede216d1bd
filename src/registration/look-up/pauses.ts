import { LRUCache } from 'lru-cache';
import type { Clock } from '../../process/clock.ts';

/** After so long a paused server may be asked about another name: what it said may have been about the first alone. */
const PROBE_AFTER_MS = 60_000;
const MAX_SERVERS = 1_000;

interface ServerPause {
  began: number;
  until: number;
  /** When the next other name may be asked for. */
  probeAt: number;
  /** What was asked for when the server throttled our queries. */
  name: string;
}

/** Servers that throttled our queries. Times are monotonic milliseconds. */
export class Pauses {
  readonly #clock: Clock;
  readonly #pauses = new LRUCache<string, ServerPause>({ max: MAX_SERVERS });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  begin(server: string, seconds: number, name: string): void {
    const began = this.#clock.monotonic();
    const until = Math.max(began + seconds * 1_000, this.#pauses.get(server)?.until ?? 0);
    this.#pauses.set(server, { began, until, probeAt: began + PROBE_AFTER_MS, name });
  }

  /** A call made at `calledAt` was answered: a pause that was older is over. */
  end(server: string, calledAt: number): void {
    const pause = this.#pauses.get(server);
    if (pause !== undefined && pause.began < calledAt) this.#pauses.delete(server);
  }

  /** Milliseconds until the server may be asked about the name; 0: now. */
  refusingForMs(server: string, name: string): number {
    const pause = this.#pauses.get(server);
    if (pause === undefined) return 0;
    const openAt = name === pause.name ? pause.until : Math.min(pause.until, pause.probeAt);
    return Math.max(0, openAt - this.#clock.monotonic());
  }

  /** The server is about to be asked while it is paused: the next other name waits as long again. */
  noteProbe(server: string): void {
    const pause = this.#pauses.get(server);
    if (pause !== undefined) pause.probeAt = this.#clock.monotonic() + PROBE_AFTER_MS;
  }
}
