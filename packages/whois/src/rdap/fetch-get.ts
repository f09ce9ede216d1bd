import type { Clock } from '../net/clock.ts';
import { readRetryAfter } from './retry-after.ts';
import { withSignal } from '../net/with-signal.ts';
import { toServerFault } from '../net/server-fault.ts';
import { readAllBytes } from './http-get.ts';
import type { HttpGet } from './http-get.ts';

/** The part of the web's `fetch` that RDAP needs. */
export type Fetch = (
  url: string,
  init: { headers: Record<string, string>; redirect: 'manual'; signal: AbortSignal },
) => Promise<Pick<Response, 'status' | 'headers' | 'body'>>;

/** GET requests through the caller's own `fetch`, which decompresses bodies itself. */
export function createFetchGet(fetch: Fetch, userAgent: string, clock: Clock): HttpGet {
  const headers = { accept: 'application/rdap+json, application/json', 'user-agent': userAgent };

  return async function fetchGet(url, maxBytes, signal) {
    try {
      const response = await withSignal(fetch(url.href, { headers, redirect: 'manual', signal }), signal);
      return {
        status: response.status,
        location: response.headers.get('location') ?? undefined,
        retryAfterSeconds: readRetryAfter(response.headers.get('retry-after') ?? undefined, clock.now()),
        isDelimited: response.headers.has('content-length') || response.headers.has('transfer-encoding'),
        body: await withSignal(readAllBytes(response.body, maxBytes), signal),
      };
    } catch (error) {
      throw toServerFault(signal.aborted ? signal.reason : error);
    }
  };
}
