import { withSignal } from '../net/with-signal.ts';

interface SharedCall<Result> {
  promise: Promise<Result>;
  controller: AbortController;
  waiting: number;
}

/**
 * Callers with the same key share one call. Each can leave by its own signal; when all have left, the call's signal is
 * aborted.
 */
export function createSharedCalls<Result>() {
  const running = new Map<string, SharedCall<Result>>();

  return async function share(
    key: string,
    call: (signal: AbortSignal) => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    signal?.throwIfAborted();
    let shared = running.get(key);
    if (shared === undefined) {
      const controller = new AbortController();
      const promise = call(controller.signal).finally(() => {
        if (running.get(key)?.controller === controller) running.delete(key);
      });
      shared = { promise, controller, waiting: 0 };
      running.set(key, shared);
    }
    shared.waiting++;
    try {
      return await (signal ? withSignal(shared.promise, signal) : shared.promise);
    } finally {
      shared.waiting--;
      if (shared.waiting === 0 && running.get(key) === shared) {
        running.delete(key);
        shared.controller.abort(signal?.reason);
      }
    }
  };
}
