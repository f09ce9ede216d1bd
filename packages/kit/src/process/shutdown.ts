import closeWithGrace from 'close-with-grace';

/** Maximum time for running requests after the drain; then the process exits. */
const GRACE_MS = 9_500;

/**
 * After SIGTERM a service keeps accepting requests for this long, while /readyz responds 503 and every response
 * closes its connection: proxies and orchestrators switch to other replicas before the port closes.
 */
const DRAIN_MS = 1_000;

export interface HowToClose {
  /** Keep accepting requests for this long first. */
  drainMs: number;
}

/**
 * Runs all closers concurrently on SIGINT (at once), SIGTERM (after draining) or an unexpected error, then exits.
 * `report` is called with an error that caused the exit.
 */
export function closeOnSignals(
  closers: readonly ((how: HowToClose) => Promise<void>)[],
  report: (error: unknown) => void,
): void {
  closeWithGrace({ delay: GRACE_MS, logger: false }, async ({ err, signal }) => {
    if (err) report(err);
    const how = { drainMs: signal === 'SIGTERM' ? DRAIN_MS : 0 };
    await Promise.all(closers.map((close) => close(how)));
  });
}
