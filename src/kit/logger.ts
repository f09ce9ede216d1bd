import { destination, pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';

export type { Logger } from 'pino';

export type LogLevel = 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

export interface ServiceLogger {
  logger: Logger;
  /** Appends one finished JSON line (the access log builds its own, for speed). */
  writeLine(line: string): void;
  /** Call before the process ends. */
  flush(): void;
}

/**
 * JSON lines. Written in blocks of 4 kB and at least every 200 ms, so that a line costs no system call of its own.
 * Give a stream to catch the lines in a test.
 */
export function createLogger(service: string, level: LogLevel, stream?: DestinationStream): ServiceLogger {
  const target = stream ?? destination({ fd: 1, minLength: 4096, sync: false, periodicFlush: 200 });
  const logger = pino({ level, base: { service } }, target);
  return {
    logger,
    writeLine: (line) => {
      target.write(line);
    },
    flush: () => {
      if ('flushSync' in target && typeof target.flushSync === 'function') {
        try {
          (target.flushSync as () => void).call(target);
        } catch {
          // the stream was never opened or is gone: nothing left to save
        }
      }
    },
  };
}

/** Nothing is written: for library use and for tests that do not read the log. */
export const silentLogger = (): Logger => pino({ level: 'silent' });
