/** Says when this process has more work than it gets done. */
export interface OverloadGuard {
  /** True: refuse what costs work; answers from memory and health go on. */
  isOverloaded: () => boolean;
  /** A request went to the router / has been answered. */
  entered: () => void;
  left: () => void;
  stop: () => void;
}

export interface OverloadOptions {
  /** The event loop may be this late, on a running average, before work is refused. */
  maxLagMs: number;
  /** Requests at work at once in this process. */
  maxInFlight: number;
}

const SAMPLE_EVERY_MS = 50;

/** Each new sample weighs this much, so that one long garbage collection alone refuses nobody. */
const SAMPLE_WEIGHT = 0.3;

/** The running average of how late a timer fires. */
export function averageLag(previousMs: number, sampleMs: number): number {
  return previousMs + SAMPLE_WEIGHT * (Math.max(0, sampleMs) - previousMs);
}

/** Watches how late the event loop is and how many requests are at work. */
export function createOverloadGuard(options: OverloadOptions): OverloadGuard {
  let lagMs = 0;
  let inFlight = 0;
  let expected = performance.now() + SAMPLE_EVERY_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    lagMs = averageLag(lagMs, now - expected);
    expected = now + SAMPLE_EVERY_MS;
  }, SAMPLE_EVERY_MS);
  timer.unref();
  return {
    isOverloaded: () => lagMs > options.maxLagMs || inFlight >= options.maxInFlight,
    entered: () => {
      inFlight++;
    },
    left: () => {
      inFlight--;
    },
    stop: () => {
      clearInterval(timer);
    },
  };
}
