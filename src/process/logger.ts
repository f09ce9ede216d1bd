import { destination, pino } from 'pino';
import type { DestinationStream, LevelWithSilent, Logger } from 'pino';
import { createLineBlock } from './line-block.ts';

export type { Logger } from 'pino';

export interface ServiceLogger {
  logger: Logger;
  /** Appends one finished JSON line (the access log builds its own, for speed). */
  writeLine(line: string): void;
  /** Before the process ends: writes out what waits, for a second at most. What is logged later is lost. */
  close(): Promise<void>;
}

const FLUSH_EVERY_MS = 200;

/** A reader of the log that cannot keep up loses lines; it never fills our memory. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

/** What reads the log may be stuck, or its disk full: the end of the process does not wait for it. */
const PATIENCE_AT_END_MS = 1_000;

/**
 * Standard output, which may fail: a full disk behind it, or a reader that went away, is told of on standard error, once
 * until lines go through again. Those that wait are within a bound, the rest is lost, and the service goes on.
 */
function openOutput() {
  const output = destination({ fd: 1, sync: false, maxLength: MAX_WAITING_BYTES });
  // pino writes out what is left when the process exits, and waits for a disk or a reader for ever.
  output.flushSync = () => undefined;
  let isBroken = false;
  let isEnded = false;
  output.on('error', (error: Error) => {
    if (!isBroken) process.stderr.write(`The log cannot be written: ${error.message}\n`);
    isBroken = true;
  });
  output.on('write', () => (isBroken = false));
  return {
    write: (text: string) => {
      if (!isEnded) output.write(text);
    },
    end: () => {
      isEnded = true;
      return new Promise<void>((resolve) => {
        setTimeout(resolve, PATIENCE_AT_END_MS).unref();
        output.once('close', resolve).once('error', resolve);
        output.end();
      });
    },
  };
}

/**
 * JSON lines on standard output. Access lines are gathered into blocks and go out at least every 200 ms, so that a
 * line costs no system call of its own. Give a stream to catch the lines in a test: they then come at once.
 */
export function createLogger(
  service: string,
  level: LevelWithSilent,
  stream?: DestinationStream,
): ServiceLogger {
  if (stream) {
    const logger = pino({ level, base: { service } }, stream);
    return {
      logger,
      writeLine: (line) => {
        stream.write(line);
      },
      close: () => Promise.resolve(),
    };
  }
  const output = openOutput();
  const block = createLineBlock(output.write);
  setInterval(block.flush, FLUSH_EVERY_MS).unref();
  return {
    logger: pino({ level, base: { service } }, output),
    writeLine: block.append,
    close: () => {
      block.flush();
      return output.end();
    },
  };
}

/** Nothing is written: for library use and for tests that do not read the log. */
export const silentLogger = (): Logger => pino({ level: 'silent' });
