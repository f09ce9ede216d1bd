import { destination, pino } from 'pino';
import type { DestinationStream, LevelWithSilent, Logger } from 'pino';
import { readableLog } from './readable-log.ts';

export type { Logger } from 'pino';

export interface ServiceLogger {
  logger: Logger;
  /** Appends one finished JSON line (the access log builds its own, for speed). */
  writeLine(line: string): void;
  /** Writes buffered lines before the process ends, within a second. Later lines are lost. */
  close(): Promise<void>;
}

/** `auto`: text on a terminal, JSON elsewhere. */
type LogFormat = 'auto' | 'json' | 'text';

/** Lines of the access log wait for each other, to save system calls. */
const MAX_WAIT_MS = 200;
const BLOCK_BYTES = 16_000;

/** If the log's reader is too slow, lines are dropped: memory is bounded. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

/** The log's reader may be stuck, or its disk full: shutdown does not wait for it. */
const MAX_FLUSH_MS = 1_000;

/**
 * Standard output, which may fail (full disk, closed reader). A failure is reported on standard error, once until
 * writing works again. Buffered lines are bounded, the rest is dropped, and the service continues.
 */
function openOutput(format: LogFormat) {
  const isText = format === 'text' || (format === 'auto' && process.stdout.isTTY);
  const output = destination({
    fd: 1,
    sync: false,
    minLength: BLOCK_BYTES,
    maxLength: MAX_WAITING_BYTES,
    periodicFlush: MAX_WAIT_MS,
  });
  // pino writes its buffer when the process exits, and would wait for a disk or reader forever.
  output.flushSync = () => undefined;
  let isBroken = false;
  let isEnded = false;
  output.on('error', (error: Error) => {
    if (!isBroken) process.stderr.write(`The log cannot be written: ${error.message}\n`);
    isBroken = true;
  });
  output.on('write', () => (isBroken = false));
  const append = (text: string) => {
    if (!isEnded) output.write(isText ? readableLog(text) : text);
  };
  return {
    append,
    write: (text: string) => {
      append(text);
      if (!isEnded) output.flush();
    },
    end: () => {
      isEnded = true;
      return new Promise<void>((resolve) => {
        setTimeout(resolve, MAX_FLUSH_MS).unref();
        output.once('close', resolve).once('error', resolve);
        output.end();
      });
    },
  };
}

/** JSON lines, or text on a terminal, on standard output. Tests pass a stream, which gets each line at once. */
export function createLogger(
  service: string,
  level: LevelWithSilent,
  to: DestinationStream | LogFormat = 'auto',
): ServiceLogger {
  if (typeof to === 'object') {
    const logger = pino({ level, base: { service } }, to);
    return {
      logger,
      writeLine: (line) => to.write(line),
      close: () => Promise.resolve(),
    };
  }
  const output = openOutput(to);
  return {
    logger: pino({ level, base: { service } }, output),
    writeLine: output.append,
    close: output.end,
  };
}

/** Discards everything: for library use and for tests that do not read the log. */
export const silentLogger = (): Logger => pino({ level: 'silent' });
