import type { Clock } from '../process/clock.ts';

const PAUSE_MS = 1_000;

/** How a run waits: by its clock, and until its signal aborts. */
export interface PaceParts {
  readonly clock: Clock;
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

/** Runs calls to others with a second between the end of one and the start of the next. */
export function createPace({ clock, pause }: PaceParts) {
  let lastEndedAt = -Infinity;
  return async function atPace<Result>(call: () => Promise<Result>): Promise<Result> {
    const restMs = lastEndedAt + PAUSE_MS - clock.monotonic();
    if (restMs > 0) await pause(restMs);
    try {
      return await call();
    } finally {
      lastEndedAt = clock.monotonic();
    }
  };
}
