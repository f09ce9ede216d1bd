/**
 * The promise, or a rejection with `late()` when it has not settled after so many milliseconds. What it does goes
 * on; its late failure is nobody's.
 */
export async function withDeadline<T>(
  promise: Promise<T>,
  milliseconds: number,
  late: () => Error,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(late());
    }, milliseconds);
  });
  try {
    return await Promise.race([promise, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
