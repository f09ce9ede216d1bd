import { ServiceError } from '../errors.ts';
import type { Clock } from '../process/clock.ts';
import type { Logger } from '../process/logger.ts';
import { createRecurringLog, describeFailure } from '../process/recurring-log.ts';

const SAY_AGAIN_AFTER_MS = 60_000;

/**
 * Tells the log of loads that failed. Whoever waits for one is told in the answer, so those that are expected are said
 * at level debug; a fault of our own is said at once, for nobody may be waiting: it may be a refresh behind a stale
 * answer, or one line of many.
 */
export function createLoadFailureLog(logger: Logger, clock: Clock): (key: string, error: unknown) => void {
  const faults = createRecurringLog({ logger, clock, periodMs: SAY_AGAIN_AFTER_MS });
  return (key, error) => {
    if (error instanceof ServiceError) logger.debug({ key, err: error }, 'load failed');
    else faults.note('error', describeFailure(error), { key, err: error }, 'load failed unexpectedly');
  };
}
