import closeWithGrace from 'close-with-grace';

/** A request in flight has this long to end; then the process goes all the same. */
const GRACE_MS = 9_000;

/**
 * Runs the closers, last opened first, on SIGINT, SIGTERM or an unforeseen error, and then ends the process.
 * `report` is told of an error that caused the end.
 */
export function closeOnSignals(
  closers: readonly (() => Promise<void> | void)[],
  report: (error: unknown) => void,
): void {
  closeWithGrace({ delay: GRACE_MS, logger: false }, async ({ err }) => {
    if (err) report(err);
    for (const close of [...closers].reverse()) await close();
  });
}
