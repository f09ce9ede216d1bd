import { ServiceError } from '@mokuroku/kit';
import { systemSleep } from '@mokuroku/kit/process';
import type { EndpointServices } from './endpoint.ts';

/** Number of streamed lines that counts as one request, as many as a page has. */
export const LINES_A_REQUEST = 500;

/** Maximum duration of a stream: it keeps a replaced generation open. */
const MAX_MS = 3_600_000;

/**
 * Counts lines before they are sent. Waits for the client's limit. Rejects with `upstream_timeout` after an hour, and
 * as soon as the connection is closed.
 */
type CountLines = (count: number) => Promise<void>;

/** Counts a request of the client for each 500 lines beyond the first, which the request itself pays for. */
export function createLineThrottle(
  { clock, limiter, client }: EndpointServices,
  signal: AbortSignal,
  sleep = systemSleep,
): CountLines {
  const startedAt = clock.monotonic();
  let linesLeft = LINES_A_REQUEST;

  /** Milliseconds to wait for the next 500 lines; undefined if they may be sent. */
  async function admitMore(): Promise<number | undefined> {
    if (clock.monotonic() - startedAt > MAX_MS) throw new ServiceError('upstream_timeout');
    if (limiter === undefined || linesLeft > 0) return undefined;
    const decision = await limiter.admit(client);
    if (!decision.isAllowed) return decision.waitMs;
    linesLeft += LINES_A_REQUEST;
    return undefined;
  }

  return async (count) => {
    let waitMs: number | undefined;
    while ((waitMs = await admitMore()) !== undefined) await sleep(waitMs, signal);
    linesLeft -= count;
  };
}
