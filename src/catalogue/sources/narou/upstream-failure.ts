import { ServiceError } from '../../../kit/errors.ts';

// The one place where failures of the upstream become errors of this service. What the upstream said stays in
// `cause`, for the log alone.

/** Seconds to wait where the upstream names none. */
const RETRY_AFTER = { unavailable: 30, timeout: 10, invalid: 60, overloaded: 2 };
const MAX_RETRY_AFTER = 3_600;

export function unavailable(cause: unknown, retryAfter?: string): ServiceError {
  const named = retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : undefined;
  return new ServiceError('upstream_unavailable', {
    cause,
    retryAfterSeconds: Math.min(named ?? RETRY_AFTER.unavailable, MAX_RETRY_AFTER),
  });
}

export function timedOut(cause: unknown): ServiceError {
  return new ServiceError('upstream_timeout', { cause, retryAfterSeconds: RETRY_AFTER.timeout });
}

export function invalid(cause: unknown): ServiceError {
  return new ServiceError('upstream_invalid', { cause, retryAfterSeconds: RETRY_AFTER.invalid });
}

export function overloaded(cause: unknown): ServiceError {
  const message = 'Too many requests are waiting for the upstream.';
  return new ServiceError('overloaded', { message, cause, retryAfterSeconds: RETRY_AFTER.overloaded });
}

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : '');

/** Failures below HTTP: no connection, a connection that broke, silence, bytes that are not HTTP. */
export function connectionFailure(error: Error): ServiceError {
  if (error instanceof ServiceError) return error;
  const code = codeOf(error);
  if (/TIMEOUT|ETIMEDOUT/.test(code)) return timedOut(error);
  if (error.name === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW') return invalid(error);
  return unavailable(error);
}

/**
 * An HTTP answer that holds neither JSON nor one of the upstream's error texts. 403 is what clients without a
 * User-Agent get, and may be what those over the limit get: asking again at once would not help.
 */
export function unusableAnswer(status: number, text: string, retryAfter?: string): ServiceError {
  const cause = new Error(`upstream answered ${status}: ${JSON.stringify(text.slice(0, 200))}`);
  if (status === 403 || status === 429 || status >= 500) return unavailable(cause, retryAfter);
  const isPage = /^\s*</.test(text);
  return isPage && status < 300 ? unavailable(cause, retryAfter) : invalid(cause);
}
