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

const FLUSH_EVERY_MS = 200;

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
  const output = destination({ fd: 1, sync: false, maxLength: MAX_WAITING_BYTES });
  // pino writes its buffer when the process exits, and would wait for a disk or reader forever.
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
      if (!isEnded) output.write(isText ? readableLog(text) : text);
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

const BLOCK_BYTES = 65_536;

/**
 * Collects lines and writes them as one text when 64 kB are full or on flush: much cheaper than passing each line to
 * the log's stream (measured on Node 20.20). Latin-1 only; a line of the access log has at most a few kB.
 */
export function createLineBlock(write: (text: string) => void) {
  const buffer = Buffer.allocUnsafe(BLOCK_BYTES);
  let used = 0;

  function flush(): void {
    if (used === 0) return;
    const text = buffer.toString('latin1', 0, used);
    used = 0;
    write(text);
  }

  return {
    flush,
    append: (line: string): void => {
      if (used + line.length > BLOCK_BYTES) flush();
      used += buffer.write(line, used, 'latin1');
    },
  };
}

/**
 * JSON lines, or text on a terminal, on standard output. Access lines are collected into blocks, at most 200 ms old,
 * to save system calls. Tests pass a stream, which gets each line at once.
 */
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
  const block = createLineBlock(output.write);
  const flushing = setInterval(block.flush, FLUSH_EVERY_MS).unref();
  return {
    logger: pino({ level, base: { service } }, output),
    writeLine: block.append,
    close: () => {
      clearInterval(flushing);
      block.flush();
      return output.end();
    },
  };
}

/** Discards everything: for library use and for tests that do not read the log. */
export const silentLogger = (): Logger => pino({ level: 'silent' });
