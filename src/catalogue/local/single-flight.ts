/** Concurrent callers share one run of `work`. */
export function singleFlight<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let underWay: Promise<Result> | undefined;
  return () =>
    (underWay ??= work().finally(() => {
      underWay = undefined;
    }));
}
