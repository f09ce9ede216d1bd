import type { Clock, Logger } from '@mokuroku/kit/process';
import { createThrottledLog, describeFailure } from '@mokuroku/kit/process';
import type { LocalSource } from './local-source.ts';

const LOOK_EVERY_MS = 2_000;
const SAY_AGAIN_AFTER_MS = 600_000;

/**
 * Polls the folder of a local catalogue. File notifications do not work on network volumes.
 */
export function watchFolder(
  source: Pick<LocalSource, 'refresh'>,
  { logger, clock }: { logger: Logger; clock: Clock },
): { close(): void } {
  const log = createThrottledLog({ logger, clock, periodMs: SAY_AGAIN_AFTER_MS });
  const look = (): void => {
    source.refresh().catch((err: unknown) => {
      const message =
        'the catalogue folder cannot be read at present; it is read again every two seconds, and an open generation is still served';
      log.logOncePerPeriod('warn', describeFailure(err), { err }, message);
    });
  };
  look();
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  return {
    close: () => clearInterval(timer),
  };
}
