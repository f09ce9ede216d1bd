import type { Clock } from './clock.ts';
import type { Logger } from './logger.ts';

interface ThrottledLogOptions {
  logger: Logger;
  clock: Clock;
  /** Each kind is logged once per period; default: a minute. */
  periodMs?: number;
}

/** Logs a failure at once; while it continues, once a period, with its number since the last line in `times`. */
export interface ThrottledLog {
  logOncePerPeriod(level: 'warn' | 'error', kind: string, fields: object, message: string): void;
}

/** Some kinds come from outside (fields of a response). When full, the map is cleared. */
const MAX_KINDS = 1_000;

/**
 * Keeps the log readable in trouble: a flapping upstream under load would write thousands of lines a minute. The
 * access log and the metrics have every failure, as has level debug.
 */
export function createThrottledLog({ logger, clock, periodMs = 60_000 }: ThrottledLogOptions): ThrottledLog {
  const kinds = new Map<string, { loggedAt: number; unreported: number }>();
  return {
    logOncePerPeriod: (level, kind, fields, message) => {
      const now = clock.monotonic();
      const earlier = kinds.get(kind);
      if (earlier && now - earlier.loggedAt < periodMs) {
        earlier.unreported++;
        logger.debug(fields, message);
        return;
      }
      if (kinds.size >= MAX_KINDS) kinds.clear();
      kinds.set(kind, { loggedAt: now, unreported: 0 });
      logger[level](
        earlier && earlier.unreported > 0 ? { ...fields, times: earlier.unreported + 1 } : fields,
        message,
      );
    },
  };
}

/** An error and its causes in one line, without stacks: for failures outside our code. */
export function describeFailure(error: unknown): string {
  const parts: string[] = [];
  for (let each = error; each instanceof Error && parts.length < 5; each = each.cause) {
    const code = 'code' in each && typeof each.code === 'string' ? ` (${each.code})` : '';
    parts.push(`${each.message}${code}`);
  }
  return parts.length > 0 ? parts.join(': ') : String(error);
}
