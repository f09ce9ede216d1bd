import type { ErrorCode } from '../errors.ts';

/** How an answer came about: its address, and what its head says. */
export interface ResponseFacts {
  url: string;
  /** HTTP status. */
  status: number;
  /** True when the service runs on invented data. */
  sample: boolean;
  /** How long ago the data were fetched. */
  ageSeconds: number;
  /** True when the source failed and these are the last good data; `ageSeconds` says how old. */
  stale: boolean;
  /** `Cache-Status` as it came (RFC 9211). */
  cacheStatus: string | undefined;
  /** Requests left in the current minute; undefined where the service does not count. */
  remaining: number | undefined;
  requestId: string | undefined;
  /** Of a list: how many items there are in all (`X-Total-Count`). */
  total?: number | undefined;
}

/**
 * A code of the service's error table, or `unreachable` (no answer at all: `cause` says why) or `not_json` (an
 * answer of something else, such as a proxy's page). A newer service may know further codes.
 */
export type MokurokuErrorCode = ErrorCode | 'unreachable' | 'not_json' | (string & {});

interface MokurokuErrorFacts {
  code: MokurokuErrorCode;
  message: string;
  url: string;
  details?: unknown;
  retryAfterSeconds?: number | undefined;
  /** What the headers said; undefined when nobody answered. */
  response?: ResponseFacts | undefined;
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
  readonly response: ResponseFacts | undefined;

  constructor(facts: MokurokuErrorFacts) {
    super(facts.message, { cause: facts.cause });
    this.name = 'MokurokuError';
    this.code = facts.code;
    this.details = facts.details;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.url = facts.url;
    this.response = facts.response;
    this.status = facts.response?.status ?? 0;
    this.requestId = facts.response?.requestId;
  }
}
