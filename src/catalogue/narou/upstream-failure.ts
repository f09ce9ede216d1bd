import type { Spent } from '../../upstream/budget.ts';
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
  readonly statedSeconds: number | undefined;

  constructor(cause: unknown, { mayPass, statedSeconds }: { mayPass: boolean; statedSeconds?: number }) {
    const seconds = statedSeconds ?? RETRY_AFTER.unavailable;
    const retryAfterSeconds = Math.min(Math.max(1, seconds), MAX_RETRY_AFTER);
    super('upstream_unavailable', { cause, retryAfterSeconds });
    this.mayPass = mayPass && statedSeconds === undefined;
    this.statedSeconds = statedSeconds;
  }
}

/** Not asked at all: the upstream has been failing, or may not be asked any more today. */
export function unavailable(cause: unknown, retryAfterSeconds: number): ServiceError {
  return new ServiceError('upstream_unavailable', { cause, retryAfterSeconds });
}

/** The day's requests or bytes are spent; what is kept goes on being served. */
export function budgetSpent(spent: Spent, secondsLeft: number, now: number): ServiceError {
  const again = new Date(now + secondsLeft * 1_000).toISOString().replace(/\.\d+/, '');
  const whose =
    spent === 'all'
      ? 'This service may ask the upstream for no more today.'
      : 'You have had your share of what this service may ask the upstream for in a day.';
  return new ServiceError(spent === 'all' ? 'upstream_budget_spent' : 'upstream_share_spent', {
    message: `${whose} Only what is kept can be served; questions that are not go on at ${again}.`,
    retryAfterSeconds: secondsLeft,
    details: { again },
  });
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

const BROKEN_CONNECTION = /^(?:ECONNREFUSED|ECONNRESET|EPIPE|UND_ERR_SOCKET)$/;

/** Failures below HTTP: no connection, a connection that broke, silence, bytes that are not HTTP. */
export function connectionFailure(error: Error, answerBegun: boolean): ServiceError {
  if (error instanceof ServiceError) return error;
  const code = 'code' in error ? String(error.code) : '';
  if (/TIMEOUT|ETIMEDOUT/.test(code)) return timedOut(error);
  if (error.name === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW') return invalid(error);
  return new UpstreamUnavailable(error, { mayPass: !answerBegun && BROKEN_CONNECTION.test(code) });
}

/** What proxies and servers in trouble say, mostly for a moment. */
const PASSING_STATUS: ReadonlySet<number> = new Set([502, 503, 504]);

interface UnusableAnswer {
  status: number;
  retryAfterSeconds: number | undefined;
  /** The beginning of what came. */
  start: string;
  problem: string;
}

/**
 * An HTTP answer that holds neither JSON nor one of the upstream's error texts. 403 is what clients without a
 * User-Agent get, and may be what those over the limit get: asking again at once would not help.
 */
export function unusableAnswer({ status, retryAfterSeconds, start, problem }: UnusableAnswer): ServiceError {
  const cause = new Error(`upstream answered ${status}, ${problem}: ${JSON.stringify(start.slice(0, 200))}`);
  const isRefusal = status === 403 || status === 429 || status >= 500;
  const isPage = /^\s*</.test(start) && status < 300;
  if (!isRefusal && !isPage) return invalid(cause);
  const stated = retryAfterSeconds === undefined ? {} : { statedSeconds: retryAfterSeconds };
  return new UpstreamUnavailable(cause, { mayPass: PASSING_STATUS.has(status), ...stated });
}

/** Retry-After: seconds or an HTTP date (RFC 9110). Of several headers the first one counts. */
export function readRetryAfter(header: string | string[] | undefined, now: number): number | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const seconds = / GMT$/.test(text) ? Math.ceil((Date.parse(text) - now) / 1_000) : Number.NaN;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
