import type { Clock } from './clock.ts';
import type { Logger } from './logger.ts';

interface ThrottledLogOptions {
  logger: Logger;
  clock: Clock;
  /** Each kind is logged once per period; default: a minute. */
  periodMs?: number;
}

/** Logs a failure at once; while it continues, once a period. */
export interface ThrottledLog {
  logOncePerPeriod(level: 'warn' | 'error', kind: string, fields: object, message: string): void;
}

/** Some kinds come from outside (fields of a response). When full, the map is cleared. */
const MAX_KINDS = 1_000;

/**
 * Keeps the log readable in trouble: a flapping upstream under load would write thousands of lines a minute. The
 * access log and the metrics have every failure.
 */
export function createThrottledLog({ logger, clock, periodMs = 60_000 }: ThrottledLogOptions): ThrottledLog {
  const loggedAt = new Map<string, number>();
  return {
    logOncePerPeriod: (level, kind, fields, message) => {
      const now = clock.monotonic();
      if (now - (loggedAt.get(kind) ?? -Infinity) < periodMs) return;
      if (loggedAt.size >= MAX_KINDS) loggedAt.clear();
      loggedAt.set(kind, now);
      logger[level](fields, message);
    },
  };
}

/** An error and its causes in one line, without stacks: for failures outside our code. */
export function describeFailure(error: unknown): string {
  const parts: string[] = [];
  for (let each = error; each instanceof Error; each = each.cause) {
    const code = 'code' in each && typeof each.code === 'string' ? ` (${each.code})` : '';
    parts.push(`${each.message}${code}`);
  }
  return parts.length > 0 ? parts.join(': ') : String(error);
}
