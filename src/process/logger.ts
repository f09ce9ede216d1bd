import { destination, pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import { createLineBlock } from './line-block.ts';

export type { Logger } from 'pino';

export type LogLevel = 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

export interface ServiceLogger {
  logger: Logger;
  /** Appends one finished JSON line (the access log builds its own, for speed). */
  writeLine(line: string): void;
  /** Call before the process ends. */
  flush(): void;
}

const FLUSH_EVERY_MS = 200;

/** A reader of the log that cannot keep up loses lines; it never fills our memory. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

/**
 * Standard output that may fail: a full disk behind it is told of on standard error, once until lines go through
 * again. Those that wait are within a bound, the rest is lost, and the service goes on.
 */
function openOutput() {
  const output = destination({ fd: 1, sync: false, maxLength: MAX_WAITING_BYTES });
  let isBroken = false;
  output.on('error', (error: Error) => {
    if (!isBroken) process.stderr.write(`The log cannot be written: ${error.message}\n`);
    isBroken = true;
  });
  output.on('write', () => (isBroken = false));
  return output;
}

/**
 * JSON lines on standard output. Access lines are gathered into blocks and go out at least every 200 ms, so that a
 * line costs no system call of its own. Give a stream to catch the lines in a test: they then come at once.
 */
export function createLogger(service: string, level: LogLevel, stream?: DestinationStream): ServiceLogger {
  if (stream) {
    const logger = pino({ level, base: { service } }, stream);
    return {
      logger,
      writeLine: (line) => {
        stream.write(line);
      },
      flush: () => undefined,
    };
  }
  const target = openOutput();
  const block = createLineBlock((text) => {
    target.write(text);
  });
  setInterval(block.flush, FLUSH_EVERY_MS).unref();
  return {
    logger: pino({ level, base: { service } }, target),
    writeLine: block.append,
    flush: () => {
      block.flush();
      try {
        target.flushSync();
      } catch {
        // standard output was never opened or is gone: there is nowhere left to write to
      }
    },
  };
}

/** Nothing is written: for library use and for tests that do not read the log. */
export const silentLogger = (): Logger => pino({ level: 'silent' });
