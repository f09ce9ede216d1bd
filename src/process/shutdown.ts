import closeWithGrace from 'close-with-grace';

/** A request in flight has this long to end; then the process goes all the same. */
const GRACE_MS = 9_500;

/**
 * After SIGTERM a service goes on accepting for this long while /readyz says no and every answer closes its
 * connection, so that proxies and orchestrators turn to other replicas before the port is gone.
 */
const DRAIN_MS = 1_000;

export interface HowToClose {
  /** Go on accepting for this long first. */
  drainMs: number;
}

/**
 * Runs the closers side by side on SIGINT (at once), SIGTERM (after draining) or an unforeseen error, and then ends
 * the process. `report` is told of an error that caused the end.
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
