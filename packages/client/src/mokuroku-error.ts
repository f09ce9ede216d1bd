import type { GeneralErrorCode } from '@mokuroku/kit';
import { isPassing } from '@mokuroku/kit/requests';
import type { NovelErrorCode } from '@mokuroku/narou';
import type { LookUpErrorCode } from 'mokuroku-whois/source';

/** URL and headers of a response. */
export interface ResponseFacts {
  url: string;
  /** HTTP status. */
  status: number;
  /** True when the data are invented. */
  sample: boolean;
  /** When the service sent it, in milliseconds since 1970: by this machine's clock if another origin's page asks. */
  sentAt: number;
  /** Age of the data. */
  ageSeconds: number;
  /** True when the source failed and cached data were served; `ageSeconds` is their age. */
  stale: boolean;
  /** The `Cache-Status` header (RFC 9211). */
  cacheStatus: string | undefined;
  /** Requests left in the current minute; undefined without a limit. */
  remaining: number | undefined;
  requestId: string | undefined;
  /** Total number of items of a list (`X-Total-Count`). */
  total?: number | undefined;
}

/**
 * A code of the service's error table, or `unreachable` (no response: see `cause`) or `not_json` (another program's
 * response, such as a proxy's page). A newer service may have further codes.
 */
export type MokurokuErrorCode =
  GeneralErrorCode | NovelErrorCode | LookUpErrorCode | 'unreachable' | 'not_json' | (string & {});

interface MokurokuErrorFacts {
  code: MokurokuErrorCode;
  message: string;
  url: string;
  details?: unknown;
  retryAfterSeconds?: number | undefined;
  /** Undefined without a response. */
  response?: ResponseFacts | undefined;
  cause?: unknown;
}

/**
 * Every call rejects with this, or with the reason of its AbortSignal.
 *
 * @example
 * try {
 *   await client.novels({ lim: 501 });
 * } catch (error) {
 *   if (!(error instanceof MokurokuError)) throw error;
 *   error.code; // 'invalid_parameter'
 *   error.status; // 400
 *   error.retryable; // false
 *   error.retryAfterSeconds; // undefined
 * }
 */
export class MokurokuError extends Error {
  readonly code: MokurokuErrorCode;
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** Whether the same request can succeed later. */
  readonly retryable: boolean;
  /** Of a 400: every fault, `{parameter, given, reason, allowed, values?, nearest?}`. */
  readonly details: unknown;
  /** Seconds after which the same request can succeed; undefined if unknown or never. */
  readonly retryAfterSeconds: number | undefined;
  /** Identifies the request in the service's log. */
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
    // Without a response, or after a list has begun, the status is none of an error; that of another program says
    // nothing, unless it is a service that says that it does not have the path.
    const isOther = this.status < 400 || (facts.code === 'not_json' && facts.details === undefined);
    // The last line of a list may have this code under the status of its beginning.
    this.retryable = facts.code !== 'internal' && (isOther || isPassing(this.status));
    this.requestId = facts.response?.requestId;
  }
}
