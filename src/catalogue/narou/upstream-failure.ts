import { ServiceError } from '../../errors.ts';

// The one place where failures of the upstream become errors of this service. What the upstream said stays in
// `cause`, for the log alone.

/** Seconds to wait where the upstream names none. */
const RETRY_AFTER = { unavailable: 30, timeout: 10, invalid: 60 };
const MAX_RETRY_AFTER = 3_600;

/** The upstream could not be reached, or said that it does not work. */
export class UpstreamUnavailable extends ServiceError {
  /** Nothing was answered, or nothing but a passing trouble: asking once more is safe and may help. */
  readonly mayPass: boolean;
  /** Seconds, where the upstream named them. */
  readonly statedRetryAfter: number | undefined;

  constructor(
    cause: unknown,
    { mayPass = false, retryAfter }: { mayPass?: boolean; retryAfter?: string } = {},
  ) {
    const stated = retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : undefined;
    const retryAfterSeconds = Math.min(stated ?? RETRY_AFTER.unavailable, MAX_RETRY_AFTER);
    super('upstream_unavailable', { cause, retryAfterSeconds });
    this.mayPass = mayPass && retryAfter === undefined;
    this.statedRetryAfter = stated;
  }
}

/** Not asked at all: the upstream has been failing, or may not be asked any more today. */
export function unavailable(cause: unknown, retryAfterSeconds: number): ServiceError {
  return new ServiceError('upstream_unavailable', { cause, retryAfterSeconds });
}

export function timedOut(cause: unknown): ServiceError {
  return new ServiceError('upstream_timeout', { cause, retryAfterSeconds: RETRY_AFTER.timeout });
}

export function invalid(cause: unknown): ServiceError {
  return new ServiceError('upstream_invalid', { cause, retryAfterSeconds: RETRY_AFTER.invalid });
}

export function overloaded(retryAfterSeconds: number): ServiceError {
  const message = 'Too many requests are waiting for the upstream.';
  return new ServiceError('overloaded', { message, retryAfterSeconds });
}

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : '');

/** Failures below HTTP: no connection, a connection that broke, silence, bytes that are not HTTP. */
export function connectionFailure(error: Error, answerBegun: boolean): ServiceError {
  if (error instanceof ServiceError) return error;
  const code = codeOf(error);
  if (/TIMEOUT|ETIMEDOUT/.test(code)) return timedOut(error);
  if (error.name === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW') return invalid(error);
  return new UpstreamUnavailable(error, { mayPass: !answerBegun && BROKEN_CONNECTION.test(code) });
}

const BROKEN_CONNECTION = /^(?:ECONNREFUSED|ECONNRESET|EPIPE|UND_ERR_SOCKET)$/;

/** What proxies and servers in trouble say, mostly for a moment. */
const PASSING_STATUS: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * An HTTP answer that holds neither JSON nor one of the upstream's error texts. 403 is what clients without a
 * User-Agent get, and may be what those over the limit get: asking again at once would not help.
 */
export function unusableAnswer(status: number, text: string, retryAfter?: string): ServiceError {
  const cause = new Error(`upstream answered ${status}: ${JSON.stringify(text.slice(0, 200))}`);
  const how = { mayPass: PASSING_STATUS.has(status), ...(retryAfter !== undefined && { retryAfter }) };
  if (status === 403 || status === 429 || status >= 500) return new UpstreamUnavailable(cause, how);
  const isPage = /^\s*</.test(text);
  return isPage && status < 300 ? new UpstreamUnavailable(cause, how) : invalid(cause);
}
