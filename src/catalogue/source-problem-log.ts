import type { Clock } from '../process/clock.ts';
import type { Logger } from '../process/logger.ts';
import type { ReportProblem } from './catalogue-source.ts';

const SAY_AGAIN_AFTER_MS = 3_600_000;
const MAX_KINDS = 1_000;

export interface SourceProblemLog {
  report: ReportProblem;
  /** Problems so far by kind (`novelapi mistyped_field`), for the metrics. */
  totals: ReadonlyMap<string, number>;
}

/**
 * Odd answers of the upstream go to the log once an hour and kind: a field that has changed its type would
 * otherwise be said with every answer.
 */
export function createSourceProblemLog(logger: Logger, clock: Clock): SourceProblemLog {
  const totals = new Map<string, number>();
  const saidAt = new Map<string, number>();
  return {
    totals,
    report: (problem) => {
      const kind = `${problem.upstream} ${problem.problem}`;
      totals.set(kind, (totals.get(kind) ?? 0) + problem.count);
      const key = `${kind} ${problem.about}`;
      const now = clock.monotonic();
      const said = saidAt.get(key);
      if (said !== undefined && now - said < SAY_AGAIN_AFTER_MS) return;
      if (saidAt.size >= MAX_KINDS) saidAt.clear();
      saidAt.set(key, now);
      logger.warn(problem, 'the upstream answered oddly; served all the same');
    },
  };
}
