import { ServiceError } from '@mokuroku/kit';
import type { Clock } from '@mokuroku/kit/process';
import type { Requester } from '@mokuroku/narou/upstream';
import { OversizedResponse, UpstreamUnavailable } from '@mokuroku/narou/live';
import { NOVEL_ERRORS } from '@mokuroku/narou';

export interface HarvestPause {
  readonly seconds: number;
  readonly message: string;
}

interface RetryingFetchOptions {
  readonly clock: Clock;
  /** Rejects when the signal is aborted. */
  readonly wait: (milliseconds: number) => Promise<unknown>;
  readonly signal: AbortSignal;
  readonly intervalMs: number;
  /** After failures of this duration, the last one is thrown. */
  readonly maxOutageMs: number;
  readonly onPause: (pause: HarvestPause) => void;
}

type HarvestRequest<T> = (requester: Requester) => Promise<T>;

/**
 * Sends one request at a time, and retries it until it succeeds. `probe` is a small request to the same interface: it
 * shows whether the upstream is down, or fails for this request only.
 */
export type RetryingFetch = <T>(question: HarvestRequest<T>, probe: HarvestRequest<unknown>) => Promise<T>;

/** The name under which a harvest's share of the budget is counted. */
export const HARVESTER = 'harvest';

const FIRST_PAUSE_SECONDS = 2;
const MAX_PAUSE_SECONDS = 600;
const SHARE_USED = "The harvest's share of the daily upstream quota is used up for now.";
/** Maximum number of requests for a response that is truncated or damaged, or that the upstream refuses. */
const MAX_ATTEMPTS = 4;

/** The upstream fails for this request, but responds to others. */
export class RefusedRequest extends ServiceError {
  constructor(cause: ServiceError) {
    const message = 'The upstream fails for this request, but responds to others.';
    super(NOVEL_ERRORS.upstream_invalid, { message, cause });
  }
}

const isBudget = ({ code }: ServiceError): boolean =>
  code === 'upstream_budget_spent' || code === 'upstream_share_spent';

/** Seconds demanded by the upstream, or by the gate before it. The default of an error is for clients. */
function demandedSeconds(error: ServiceError): number {
  if (error instanceof UpstreamUnavailable) return error.statedSeconds ?? 0;
  const isDefault = error.code === 'upstream_invalid' || error.code === 'upstream_timeout';
  return isDefault ? 0 : (error.retryAfterSeconds ?? 0);
}

function harvestPauseAfter(error: ServiceError, failures: number): HarvestPause {
  const { message, cause } = error;
  const demanded = demandedSeconds(error);
  // The message of such an error is about clients.
  if (isBudget(error)) return { seconds: demanded || FIRST_PAUSE_SECONDS, message: SHARE_USED };
  const growing = Math.min(MAX_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** (failures - 1));
  const seconds = Math.max(demanded, growing);
  return { seconds, message: cause instanceof Error ? `${message} (${cause.message})` : message };
}

type SendResult<T> = { readonly value: T } | { readonly error: ServiceError };

/** Sends one request after a pause since the last response. Returns the result or the failure. */
function createPacedSend({ clock, wait, signal, intervalMs }: RetryingFetchOptions) {
  const requester: Requester = { client: HARVESTER, background: true, signal };
  let lastResponseAt = -Infinity;
  return async <T>(request: HarvestRequest<T>): Promise<SendResult<T>> => {
    const waitMs = lastResponseAt + intervalMs - clock.monotonic();
    if (waitMs > 0) await wait(waitMs);
    try {
      return { value: await request(requester) };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ServiceError)) throw error;
      return { error };
    } finally {
      lastResponseAt = clock.monotonic();
    }
  };
}

/**
 * Pauses between requests, and longer if the upstream fails or requests a pause, or the budget is spent. Rejects with
 * the ServiceError of an unreadable response, with RefusedRequest, with the error of an upstream that fails for longer
 * than `maxOutageMs`, or with the signal's reason.
 */
export function createRetryingFetch(options: RetryingFetchOptions): RetryingFetch {
  const { clock, wait, maxOutageMs, onPause } = options;
  const send = createPacedSend(options);

  return async (question, probe) => {
    let failures = 0;
    let failingSince = 0;

    async function pauseOrThrow(error: ServiceError): Promise<void> {
      if (!isBudget(error)) {
        if (failures++ === 0) failingSince = clock.monotonic();
        if (clock.monotonic() - failingSince > maxOutageMs) throw error;
      }
      const pause = harvestPauseAfter(error, failures);
      onPause(pause);
      await wait(pause.seconds * 1_000);
    }

    for (let attempts = 1; ; attempts++) {
      const sent = await send(question);
      if ('value' in sent) return sent.value;
      const { error } = sent;
      const isInvalid = error.code === 'upstream_invalid';
      const isLast = attempts >= MAX_ATTEMPTS;
      if (error instanceof OversizedResponse || (isInvalid && isLast)) throw error;
      await pauseOrThrow(error);
      if (isBudget(error)) attempts--;
      if (isInvalid || isBudget(error)) continue;
      for (let probed = await send(probe); 'error' in probed; probed = await send(probe)) {
        attempts = 0; // An outage proves nothing about the request.
        await pauseOrThrow(probed.error);
      }
      if (isLast && attempts > 0) throw new RefusedRequest(error);
    }
  };
}
