import { LRUCache } from 'lru-cache';
import type { Clock } from '../../process/clock.ts';

/** After this, a paused server may be queried for another name: the throttling may concern only the first name. */
const PROBE_AFTER_MS = 60_000;
const MAX_SERVERS = 1_000;

interface ServerPause {
  began: number;
  until: number;
  /** When another name may be queried. */
  probeAt: number;
  /** The name whose query was throttled. */
  name: string;
}

/** Servers that throttled our queries. Times are monotonic milliseconds. */
export class Pauses {
  readonly #clock: Clock;
  readonly #pauses = new LRUCache<string, ServerPause>({ max: MAX_SERVERS });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  pauseServer(server: string, seconds: number, name: string): void {
    const began = this.#clock.monotonic();
    const until = Math.max(began + seconds * 1_000, this.#pauses.get(server)?.until ?? 0);
    this.#pauses.set(server, { began, until, probeAt: began + PROBE_AFTER_MS, name });
  }

  /** Ends an older pause after an answered call, which started at `calledAt`. */
  endOlderPause(server: string, calledAt: number): void {
    const pause = this.#pauses.get(server);
    if (pause !== undefined && pause.began < calledAt) this.#pauses.delete(server);
  }

  /** Milliseconds until the server may be queried for the name; 0: now. */
  refusingForMs(server: string, name: string): number {
    const pause = this.#pauses.get(server);
    if (pause === undefined) return 0;
    const openAt = name === pause.name ? pause.until : Math.min(pause.until, pause.probeAt);
    return Math.max(0, openAt - this.#clock.monotonic());
  }

  /** Call before a query to a paused server: the next other name waits for the same time. */
  noteProbe(server: string): void {
    const pause = this.#pauses.get(server);
    if (pause !== undefined) pause.probeAt = this.#clock.monotonic() + PROBE_AFTER_MS;
  }
}
