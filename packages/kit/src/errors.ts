/** An error after which the same request fails again. */
const permanent = (status: number, title: string) => ({ status, title, retryable: false });
/** An error after which the same request can succeed later: the response may have a Retry-After header. */
const temporary = (status: number, title: string) => ({ status, title, retryable: true });

/** Every error that a client can get, with its status and default message. */
export const ERROR_TABLE = {
  invalid_parameter: permanent(400, 'The request has invalid parameters.'),
  invalid_domain: permanent(400, 'This is not a domain name that can be looked up.'),
  not_found: permanent(404, 'There is nothing here.'),
  ranking_not_published: permanent(404, 'This ranking has not been published.'),
  unknown_tld: permanent(404, 'This top-level domain does not exist.'),
  not_registered: permanent(404, 'This domain is not registered.'),
  method_not_allowed: permanent(405, 'Only GET, HEAD and OPTIONS are allowed here.'),
  expectation_failed: permanent(417, 'This service does not support Expect headers.'),
  headers_too_large: permanent(431, 'The request headers are too large.'),
  cursor_expired: permanent(410, 'Events after this cursor may have been deleted.'),
  uri_too_long: permanent(414, 'The URL is too long.'),
  rate_limited: temporary(429, 'Too many requests.'),
  upstream_share_spent: temporary(429, 'Your share of the daily upstream quota is used up.'),
  internal: permanent(500, 'Something went wrong on our side.'),
  not_available_here: permanent(501, 'This service does not support that.'),
  no_registry_service: permanent(501, 'This registry publishes no lookup service.'),
  upstream_invalid: temporary(502, 'The upstream sent an unreadable response.'),
  registry_unavailable: temporary(502, 'The registry is unavailable.'),
  upstream_unavailable: temporary(503, 'The upstream is unavailable.'),
  upstream_budget_spent: temporary(503, 'The daily upstream quota is used up.'),
  catalogue_outdated: temporary(
    503,
    'This catalogue was fetched more than 14 days ago; its operator must update it.',
  ),
  registry_rate_limited: temporary(503, 'The registry throttles our queries.'),
  overloaded: temporary(503, 'The service is overloaded.'),
  upstream_timeout: temporary(504, 'The upstream timed out.'),
  registry_timeout: temporary(504, 'The registry timed out.'),
};

export type ErrorCode = keyof typeof ERROR_TABLE;

interface ServiceErrorOptions {
  /** For the user; default: the table's title. Never contains a stack, a path or upstream text. */
  message?: string;
  /** For the user: which parameter, what was given, what is allowed ... */
  details?: unknown;
  /** Seconds after which a retry can succeed; sent as Retry-After. */
  retryAfterSeconds?: number;
  /** For the log only. */
  cause?: unknown;
}

/** An error of the table. Clients get its message and details; its cause is only logged. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly #details: unknown;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, options: ServiceErrorOptions = {}) {
    super(options.message ?? ERROR_TABLE[code].title, { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.#details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  /** For the client. A log serialises own members only: it never has details, which may contain a registry's text. */
  get details(): unknown {
    return this.#details;
  }

  get status(): number {
    return ERROR_TABLE[this.code].status;
  }
}

/** Failures that are not in the table are internal errors. */
export function asServiceError(error: unknown): ServiceError {
  return error instanceof ServiceError ? error : new ServiceError('internal', { cause: error });
}

/** The error envelope, as published: `{error: {code, message, details?}}`. */
export interface ErrorBody {
  error: { code: ErrorCode; message: string; details?: unknown };
}

export function toErrorBody(error: ServiceError): ErrorBody {
  const body: ErrorBody = { error: { code: error.code, message: error.message } };
  if (error.details !== undefined) body.error.details = error.details;
  return body;
}
