export interface LoadDeadline {
  milliseconds: number;
  timeoutError: () => Error;
}

/** The result of the call. At the deadline it rejects with `timeoutError()`, and aborts the call's signal with it. */
export async function withDeadline<T>(
  deadline: LoadDeadline | undefined,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const called = call(controller.signal);
  if (!deadline) return called;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const error = deadline.timeoutError();
      reject(error);
      controller.abort(error);
    }, deadline.milliseconds);
  });
  try {
    return await Promise.race([called, late]);
  } finally {
    clearTimeout(timer);
  }
}
