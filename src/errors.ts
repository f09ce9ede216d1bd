/**
 * Every error that a client can get. `title` is the default message. `retryable`: the same request can succeed later,
 * so the response may have a Retry-After header.
 */
export const ERROR_TABLE = {
  invalid_parameter: { status: 400, title: 'The request has invalid parameters.', retryable: false },
  invalid_domain: {
    status: 400,
    title: 'This is not a domain name that can be looked up.',
    retryable: false,
  },
  not_found: { status: 404, title: 'There is nothing here.', retryable: false },
  ranking_not_published: { status: 404, title: 'This ranking has not been published.', retryable: false },
  unknown_tld: { status: 404, title: 'This top-level domain does not exist.', retryable: false },
  not_registered: { status: 404, title: 'This domain is not registered.', retryable: false },
  method_not_allowed: {
    status: 405,
    title: 'Only GET, HEAD and OPTIONS are allowed here.',
    retryable: false,
  },
  expectation_failed: {
    status: 417,
    title: 'This service does not support Expect headers.',
    retryable: false,
  },
  headers_too_large: { status: 431, title: 'The request headers are too large.', retryable: false },
  cursor_expired: {
    status: 410,
    title: 'Events after this cursor may have been deleted.',
    retryable: false,
  },
  uri_too_long: { status: 414, title: 'The URL is too long.', retryable: false },
  rate_limited: { status: 429, title: 'Too many requests.', retryable: true },
  upstream_share_spent: {
    status: 429,
    title: 'Your share of the daily upstream quota is used up.',
    retryable: true,
  },
  internal: { status: 500, title: 'Something went wrong on our side.', retryable: false },
  not_available_here: {
    status: 501,
    title: 'This service does not support that.',
    retryable: false,
  },
  no_registry_service: { status: 501, title: 'This registry publishes no lookup service.', retryable: false },
  upstream_invalid: {
    status: 502,
    title: 'The upstream sent an unreadable response.',
    retryable: true,
  },
  registry_unavailable: { status: 502, title: 'The registry is unavailable.', retryable: true },
  upstream_unavailable: {
    status: 503,
    title: 'The upstream is unavailable.',
    retryable: true,
  },
  upstream_budget_spent: {
    status: 503,
    title: 'The daily upstream quota is used up.',
    retryable: true,
  },
  catalogue_outdated: {
    status: 503,
    title: 'This catalogue was fetched more than 14 days ago; its operator must update it.',
    retryable: true,
  },
  registry_rate_limited: { status: 503, title: 'The registry throttles our queries.', retryable: true },
  overloaded: { status: 503, title: 'The service is overloaded.', retryable: true },
  upstream_timeout: { status: 504, title: 'The upstream timed out.', retryable: true },
  registry_timeout: { status: 504, title: 'The registry timed out.', retryable: true },
} as const satisfies Record<string, { status: number; title: string; retryable: boolean }>;

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
