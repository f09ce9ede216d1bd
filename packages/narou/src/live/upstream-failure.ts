import type { Spent } from '../upstream/index.ts';
import { ERRORS, ServiceError } from '@mokuroku/kit';
import { waitSeconds } from '@mokuroku/kit/requests';
import type { SearchPage } from '../source/index.ts';
import { NOVEL_ERRORS } from '../novels/errors.ts';

// Maps failures of the upstream to errors of this service, in this one place. The upstream's own text stays in
// `cause`, for the log only.

/** Retry-After in seconds, if the upstream states none. */
const RETRY_AFTER = { unavailable: 30, timeout: 10, invalid: 60 };

/** The upstream is unreachable, or responds with a failure. */
export class UpstreamUnavailable extends ServiceError {
  /** No response, or a temporary failure: a retry is safe and may help. */
  readonly isTemporary: boolean;
  /** Seconds, if the upstream stated them. */
  readonly statedSeconds: number | undefined;

  constructor(
    cause: unknown,
    { isTemporary, statedSeconds }: { isTemporary: boolean; statedSeconds?: number | undefined },
  ) {
    const retryAfterSeconds = waitSeconds(statedSeconds ?? RETRY_AFTER.unavailable);
    super(NOVEL_ERRORS.upstream_unavailable, { cause, retryAfterSeconds });
    this.isTemporary = isTemporary;
    this.statedSeconds = statedSeconds;
  }
}

/** The daily requests or bytes are used up; cached responses are still served. */
export function budgetSpent(spent: Spent, secondsLeft: number, now: number): ServiceError {
  const again = new Date(now + secondsLeft * 1_000).toISOString().replace(/\.\d+/, '');
  const whose = {
    all: 'The daily upstream quota of this service is used up for now.',
    network: "Your network's share of the daily upstream quota is used up for now.",
    client: 'Your share of the daily upstream quota is used up for now.',
  }[spent];
  const kind = spent === 'all' ? NOVEL_ERRORS.upstream_budget_spent : NOVEL_ERRORS.upstream_share_spent;
  return new ServiceError(kind, {
    message: `${whose} Only cached data are served until ${again}.`,
    retryAfterSeconds: secondsLeft,
    details: { again },
  });
}

export function timedOut(cause: unknown): ServiceError {
  return new ServiceError(NOVEL_ERRORS.upstream_timeout, { cause, retryAfterSeconds: RETRY_AFTER.timeout });
}

class InvalidResponse extends ServiceError {
  constructor(problem: string | Error) {
    const cause = typeof problem === 'string' ? new Error(problem) : problem;
    super(NOVEL_ERRORS.upstream_invalid, { cause, retryAfterSeconds: RETRY_AFTER.invalid });
  }
}

export const invalidResponse = (problem: string | Error): ServiceError => new InvalidResponse(problem);

/** The response is larger than this service reads: the same request would get the same. */
export class OversizedResponse extends InvalidResponse {}

/** The upstream refuses the request, perhaps for the length of its URL. */
class RefusedUrl extends InvalidResponse {}

/** A page with fewer rows than its count promises. */
export class ShortPage extends InvalidResponse {
  /** Its rows, for a reader who concludes nothing from the missing ones. */
  readonly page: SearchPage<unknown>;

  constructor(problem: string, page: SearchPage<unknown>) {
    super(problem);
    this.page = page;
  }
}

/** Parameters that an interface of the upstream does not have. */
export function notOnUpstream(upstream: string, parameters: readonly string[]): ServiceError {
  const message = `The live upstream (${upstream}) has no ${parameters.join(', ')}: a local catalogue (CATALOGUE_SOURCE=local) or the sample has.`;
  return new ServiceError(NOVEL_ERRORS.not_available_here, { message });
}

export function upstreamOverloaded(retryAfterSeconds: number): ServiceError {
  const message = 'Too many requests are waiting for the upstream.';
  return new ServiceError(ERRORS.overloaded, { message, retryAfterSeconds });
}

const CLOSED_CONNECTION = /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/;

const codeOf = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code);

/** Whether a shorter URL may be answered: servers refuse a long one by a status, or close the connection. */
export const mayBeTooLong = (error: unknown): boolean =>
  error instanceof RefusedUrl ||
  (error instanceof UpstreamUnavailable && CLOSED_CONNECTION.test(codeOf(error.cause)));

/** Failures below HTTP: no connection, a broken connection, a timeout, bytes that are not HTTP. */
export function connectionFailure(error: Error, hasHeaders: boolean): ServiceError {
  if (error instanceof ServiceError) return error;
  const code = codeOf(error);
  if (/TIMEOUT|ETIMEDOUT/.test(code)) return timedOut(error);
  if (error.name === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW') return invalidResponse(error);
  const isBroken = code === 'ECONNREFUSED' || CLOSED_CONNECTION.test(code);
  return new UpstreamUnavailable(error, { isTemporary: !hasHeaders && isBroken });
}

/** Statuses of proxies and servers in trouble, mostly temporary. */
const PASSING_STATUS: ReadonlySet<number> = new Set([502, 503, 504]);
const URL_STATUS: ReadonlySet<number> = new Set([400, 413, 414, 431]);

/**
 * An HTTP response with neither JSON nor one of the upstream's error texts. Clients without a User-Agent get 403, and
 * perhaps those over the limit: an immediate retry would not help. `start`: the beginning of the body.
 */
export function unreadableResponse(
  status: number,
  statedSeconds: number | undefined,
  start: string,
  problem: string,
): ServiceError {
  const cause = new Error(`upstream responded ${status}, ${problem}: ${JSON.stringify(start.slice(0, 200))}`);
  const isRefusal = status === 403 || status === 429 || status >= 500;
  const isPage = /^\s*</.test(start) && status < 300;
  if (URL_STATUS.has(status)) return new RefusedUrl(cause);
  if (!isRefusal && !isPage) return invalidResponse(cause);
  return new UpstreamUnavailable(cause, { isTemporary: PASSING_STATUS.has(status), statedSeconds });
}
