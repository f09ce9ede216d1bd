import type { Clock } from './clock.ts';
import type { Logger } from './logger.ts';

interface RecurringLogOptions {
  logger: Logger;
  clock: Clock;
  /** Each kind is said once in so long. */
  periodMs: number;
}

/** Says what goes wrong at once, and when it goes on how often, once a period: `times` counts since it was said last. */
export interface RecurringLog {
  note(level: 'warn' | 'error', kind: string, fields: object, message: string): void;
}

/** Kinds come partly from others (fields of an answer): beyond so many all are begun anew. */
const MAX_KINDS = 1_000;

/**
 * A log that can still be read in trouble: an upstream that flaps under load would write thousands of lines a minute.
 * Nothing is lost that is not in the access log and the metrics too; level debug has every single one.
 */
export function createRecurringLog({ logger, clock, periodMs }: RecurringLogOptions): RecurringLog {
  const kinds = new Map<string, { saidAt: number; untold: number }>();
  return {
    note: (level, kind, fields, message) => {
      const now = clock.monotonic();
      const known = kinds.get(kind);
      if (known && now - known.saidAt < periodMs) {
        known.untold++;
        logger.debug(fields, message);
        return;
      }
      if (kinds.size >= MAX_KINDS) kinds.clear();
      kinds.set(kind, { saidAt: now, untold: 0 });
      logger[level](known && known.untold > 0 ? { ...fields, times: known.untold + 1 } : fields, message);
    },
  };
}

/** An error and what caused it in one line, without stacks: for failures of others, whose place is not in our code. */
export function describeFailure(error: unknown): string {
  const parts: string[] = [];
  for (let each = error; each instanceof Error && parts.length < 5; each = each.cause) {
    const code = 'code' in each && typeof each.code === 'string' ? ` (${each.code})` : '';
    parts.push(`${each.message}${code}`);
  }
  return parts.length > 0 ? parts.join(': ') : String(error);
}
