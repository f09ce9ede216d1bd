import { ServiceError } from '../errors.ts';
import type { Clock } from '../process/clock.ts';
import type { Logger } from '../process/logger.ts';
import { createThrottledLog, describeFailure } from '../process/throttled-log.ts';

/**
 * Logs failed loads. Expected failures are in the response already, so they are logged at level debug. Our own faults
 * are errors: a background refresh or one line of many has no client who would see them.
 */
export function createLoadFailureLog(logger: Logger, clock: Clock): (key: string, error: unknown) => void {
  const faults = createThrottledLog({ logger, clock });
  return (key, error) => {
    if (error instanceof ServiceError) logger.debug({ key, err: error }, 'load failed');
    else
      faults.logOncePerPeriod(
        'error',
        describeFailure(error),
        { key, err: error },
        'load failed unexpectedly',
      );
  };
}
