import type { Logger } from '../../process/logger.ts';
import type { LocalSource } from './local-source.ts';

const LOOK_EVERY_MS = 2_000;

/**
 * Looks for what is new in the folder of a local catalogue, again and again. Not by notifications of the system, which
 * network volumes do not give.
 */
export function watchFolder(source: LocalSource, logger: Logger): { end(): void } {
  const look = (): void => {
    source.refresh().catch((err: unknown) => {
      logger.warn({ err }, 'the folder of the catalogue cannot be read; what is open of it is served on');
    });
  };
  look();
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  return {
    end: () => {
      clearInterval(timer);
    },
  };
}
