import type { ErrorCode } from '../errors.ts';

/**
 * A code of the service's error table, or `unreachable` (no answer at all: `cause` says why) or `not_json` (an
 * answer of something else, such as a proxy's page). A newer service may know further codes.
 */
export type MokurokuErrorCode = ErrorCode | 'unreachable' | 'not_json' | (string & {});

export interface MokurokuErrorFacts {
  code: MokurokuErrorCode;
  message: string;
  url: string;
  status?: number;
  details?: unknown;
  retryAfterSeconds?: number | undefined;
  requestId?: string | undefined;
  cause?: unknown;
}

/** Every call rejects with this, or with the reason of its AbortSignal. */
export class MokurokuError extends Error {
  readonly code: MokurokuErrorCode;
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** Of a 400: every fault, `{parameter, given, reason, allowed, values?, nearest?}`. */
  readonly details: unknown;
  /** Seconds after which the same request can succeed; undefined where waiting is of no use or nobody knows. */
  readonly retryAfterSeconds: number | undefined;
  /** Names the request in the service's log. */
  readonly requestId: string | undefined;
  readonly url: string;

  constructor(facts: MokurokuErrorFacts) {
    super(facts.message, { cause: facts.cause });
    this.name = 'MokurokuError';
    this.code = facts.code;
    this.status = facts.status ?? 0;
    this.details = facts.details;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.requestId = facts.requestId;
    this.url = facts.url;
  }
}
