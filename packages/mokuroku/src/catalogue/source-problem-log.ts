import type { Clock, Logger } from '@mokuroku/kit/process';
import { createThrottledLog } from '@mokuroku/kit/process';
import type { SourceProblem } from '@mokuroku/narou/source';

const LOG_PERIOD_MS = 3_600_000;

/**
 * Logs unexpected details of upstream responses, each kind once an hour: a field that has changed its type would
 * otherwise be logged with every response.
 */
export function createSourceProblemLog(logger: Logger, clock: Clock) {
  /** Problems so far by kind (`novelapi mistyped_field`), for the metrics. */
  const totals = new Map<string, number>();
  const log = createThrottledLog({ logger, clock, periodMs: LOG_PERIOD_MS });
  return {
    totals,
    report: (problem: SourceProblem): void => {
      const kind = `${problem.upstream} ${problem.problem}`;
      totals.set(kind, (totals.get(kind) ?? 0) + problem.count);
      const message = 'the upstream response differs from the documentation; served anyway';
      log.logOncePerPeriod('warn', `${kind} ${problem.about}`, problem, message);
    },
  };
}
