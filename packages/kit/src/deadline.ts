// Imports nothing: the build bundles this file into the packages that have no dependency on the kit.

/** Node runs a longer timer after a millisecond. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A deadline passed. Named like the reason of `AbortSignal.timeout`. */
export class DeadlineError extends Error {
  override name = 'TimeoutError';
}

/** The promise's result, or a rejection with the signal's reason as soon as it aborts. */
export function withSignal<T>(promise: T | Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    Promise.resolve(promise)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort));
  });
}

/**
 * The result of `use`, whose signal aborts after `ms`, or with `signal`. Rejects at that moment, even if `use` ignores
 * its signal: with `timeoutError`, or with the reason of `signal`. The timer holds both signals: Node 20 collects those
 * of `AbortSignal.any([signal, AbortSignal.timeout(ms)])`, which then never abort (nodejs/node#57736).
 */
export async function withDeadline<T>(
  ms: number,
  signal: AbortSignal | undefined,
  use: (signal: AbortSignal) => T | Promise<T>,
  timeoutError: () => Error = () => new DeadlineError(`not done in ${ms} ms`),
): Promise<T> {
  signal?.throwIfAborted();
  const ending = new AbortController();
  const end = () => ending.abort(signal?.aborted ? signal.reason : timeoutError());
  const timer = setTimeout(end, Math.min(ms, MAX_TIMER_MS));
  signal?.addEventListener('abort', end);
  try {
    return await withSignal(use(ending.signal), ending.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

/** Resolves after the milliseconds; rejects with the signal's reason. */
export async function systemSleep(ms: number, signal?: AbortSignal): Promise<void> {
  await withDeadline(ms, signal, () => new Promise<void>(() => undefined)).catch(() =>
    signal?.throwIfAborted(),
  );
  if (ms > MAX_TIMER_MS) await systemSleep(ms - MAX_TIMER_MS, signal);
}
