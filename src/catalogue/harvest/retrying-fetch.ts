import { ServiceError } from '../../errors.ts';
import type { Clock } from '../../process/clock.ts';
import type { Asker } from '../../upstream/budget.ts';
import { OversizedResponse } from '../narou/upstream-failure.ts';

/** A pause between requests. */
export interface Rest {
  readonly reason: 'budget' | 'failure';
  readonly seconds: number;
  /** The failure, for the operator. */
  readonly message: string;
}

interface RetryingFetchOptions {
  readonly clock: Clock;
  /** Rejects when the signal is aborted. */
  readonly wait: (milliseconds: number) => Promise<unknown>;
  readonly signal: AbortSignal;
  /** Pause between a response and the next request. */
  readonly pauseMs: number;
  /** After failures of this duration, the last one is thrown. */
  readonly patienceMs: number;
  readonly onRest: (rest: Rest) => void;
}

/** Sends one request at a time, and retries it until it succeeds. */
export type RetryingFetch = <T>(question: (asker: Asker) => Promise<T>) => Promise<T>;

/** The name under which a harvest's share of the budget is counted. */
export const HARVESTER = 'harvest';

const FIRST_REST_SECONDS = 2;
const MAX_REST_SECONDS = 600;
/** Maximum number of requests for a response that is truncated or damaged. */
const MAX_INVALID = 4;

const isBudget = ({ code }: ServiceError): boolean =>
  code === 'upstream_budget_spent' || code === 'upstream_share_spent';

/**
 * Pauses between requests, and longer if the upstream fails or requests a pause, or the budget is spent. Rejects with
 * the ServiceError of an unreadable response, of an upstream that fails for longer than `patienceMs`, or with the
 * signal's reason.
 */
export function createRetryingFetch(options: RetryingFetchOptions): RetryingFetch {
  const { clock, wait, signal, pauseMs, patienceMs, onRest } = options;
  const asker: Asker = { client: HARVESTER, background: true, signal };
  let askedUntil = -Infinity;

  /** The pause after failures of a request. Throws if a retry is useless. */
  function restAfter(error: ServiceError, failures: number, failingSince: number): Rest {
    const { retryAfterSeconds = FIRST_REST_SECONDS, message } = error;
    if (isBudget(error)) return { reason: 'budget', seconds: retryAfterSeconds, message };
    const isInvalid = error.code === 'upstream_invalid';
    const isHopeless = error instanceof OversizedResponse || (isInvalid && failures >= MAX_INVALID);
    if (isHopeless || clock.monotonic() - failingSince > patienceMs) throw error;
    const growing = Math.min(MAX_REST_SECONDS, FIRST_REST_SECONDS * 2 ** (failures - 1));
    // The upstream does respond: the Retry-After of such an error is for clients of this service.
    const seconds = isInvalid ? growing : Math.max(retryAfterSeconds, growing);
    const reason = error.cause instanceof Error ? `${message} (${error.cause.message})` : message;
    return { reason: 'failure', seconds, message: reason };
  }

  return async (question) => {
    let failures = 0;
    let failingSince = 0;
    for (;;) {
      signal.throwIfAborted();
      const restMs = askedUntil + pauseMs - clock.monotonic();
      if (restMs > 0) await wait(restMs);
      try {
        return await question(asker);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ServiceError)) throw error;
        if (!isBudget(error) && failures++ === 0) failingSince = clock.monotonic();
        const rest = restAfter(error, failures, failingSince);
        onRest(rest);
        await wait(rest.seconds * 1_000);
      } finally {
        askedUntil = clock.monotonic();
      }
    }
  };
}
