import { DeadlineError, systemSleep } from '@mokuroku/kit/deadline';
import { openResponse, readAddress, retryAfterOf, waitSeconds } from '@mokuroku/kit/requests';
import type { ClientPause } from './fetch-body.ts';

/** Why an attempt failed, without anything secret, and the receiver's own wait in seconds. */
export interface Refused {
  why: string;
  retryAfterSeconds?: number | undefined;
}

/** Maximum duration of one attempt. */
export const ATTEMPT_MS = 30_000;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 5 * 60_000;

/** Milliseconds until the next attempt. */
function pauseAfter({ retryAfterSeconds }: Refused, failures: number): number {
  if (retryAfterSeconds !== undefined) return waitSeconds(retryAfterSeconds) * 1000;
  return Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), MAX_PAUSE_MS);
}

/**
 * Attempts to POST JSON to an address: undefined if its receiver accepted it. The address is never repeated: its path
 * and query often are the receiver's secret. Throws a TypeError if it is none.
 */
export function postTo(address: string, attemptMs = ATTEMPT_MS) {
  const { url, headers: credentials } = readAddress(address);
  const headers = { 'Content-Type': 'application/json; charset=utf-8', ...credentials };
  return async (body: string, signal: AbortSignal | undefined): Promise<Refused | undefined> => {
    try {
      const request = { url, method: 'POST', body, headers } as const;
      const response = await openResponse(request, signal, attemptMs);
      // Unread, a body keeps its connection.
      await response.body?.cancel();
      if (response.ok) return undefined;
      return { why: `${url.host}: ${response.status}`, retryAfterSeconds: retryAfterOf(response) };
    } catch (error) {
      return { why: `${url.host}: ${error instanceof DeadlineError ? 'timeout' : 'unreachable'}` };
    }
  };
}

export interface DeliverOptions {
  /** Aborts the attempt or the wait; the call rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Called before each wait. */
  onRetry?: ((why: string, seconds: number) => void) | undefined;
  /** Waits; replaced by tests. */
  pause?: ClientPause | undefined;
}

/** Repeats an attempt until the event is accepted: undefined; or why the last of `maxAttempts` failed. */
export async function untilAccepted(
  attempt: () => Promise<Refused | undefined>,
  { signal, onRetry, pause = systemSleep }: DeliverOptions,
  maxAttempts = Infinity,
): Promise<Refused | undefined> {
  for (let failures = 1; ; failures++) {
    const refused = await attempt();
    if (refused === undefined) return undefined;
    signal?.throwIfAborted();
    if (failures === maxAttempts) return refused;
    const pauseMs = pauseAfter(refused, failures);
    onRetry?.(refused.why, Math.ceil(pauseMs / 1000));
    await pause(pauseMs, signal);
  }
}

/**
 * POSTs an event as JSON to a webhook. Resolves once it responds with 2xx; otherwise repeats the attempt, with growing
 * pauses or as its `Retry-After` says.
 *
 * @example
 * const waits = [];
 * const onRetry = (why, seconds) => waits.push(seconds);
 * await deliver('https://chat.example/hook', { content: 'N8403VF #12' }, { onRetry });
 * waits; // []
 */
export async function deliver(address: string, event: unknown, options: DeliverOptions = {}): Promise<void> {
  const post = postTo(address);
  await untilAccepted(() => post(JSON.stringify(event), options.signal), options);
}
