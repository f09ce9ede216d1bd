import { MokurokuError } from './mokuroku-error.ts';
import type { ResponseFacts } from './mokuroku-error.ts';

/** `true`: wait out a 429 for up to two minutes in all. */
export type WaitWhenLimited = boolean | { maxSeconds: number };

/** Resolves after so many milliseconds; rejects with the signal's reason when it is aborted before. */
type Pause = (ms: number, signal: AbortSignal | undefined) => Promise<void>;

export interface ClientOptions {
  /** Where the service is; a path in it is kept. Default: the service's own default address on this machine. */
  baseUrl?: string | URL | undefined;
  /** Another fetch; the global one by default. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Sent with every request. In a browser any of these costs a preflight. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Whether calls wait as long as a 429's Retry-After says and ask again. Default: no, they reject. */
  waitWhenLimited?: WaitWhenLimited | undefined;
  /** How waiting is done; for tests. */
  pause?: Pause | undefined;
}

/** For one call. */
export interface CallOptions {
  /** Ends the request, and the waiting; the call rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  waitWhenLimited?: WaitWhenLimited | undefined;
}

export type Json = Readonly<Record<string, unknown>>;

interface Received {
  body: Json;
  response: ResponseFacts;
}

type QueryValue = string | number | boolean | readonly (string | number)[] | undefined;
export type Query = Readonly<Record<string, QueryValue>>;

/** Asks for a path. What `isOurs` does not recognise as an answer of the service is refused as `not_json`. */
type Ask = (
  path: string,
  query: Query,
  isOurs: (body: Json) => boolean,
  call: CallOptions | undefined,
) => Promise<Received>;

const DEFAULT_MAX_WAIT_SECONDS = 120;
/** Where a 429 does not say how long: the length of the limiter's window. */
const DEFAULT_RETRY_AFTER_SECONDS = 60;

export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Lists go as the service reads them: `of` with hyphens, others with commas. */
function writeQuery(query: Query): string {
  const written = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (typeof value === 'boolean') written.set(name, value ? '1' : '0');
    else written.set(name, typeof value === 'object' ? value.join(name === 'of' ? '-' : ',') : String(value));
  }
  return written.size === 0 ? '' : `?${written.toString()}`;
}

function readWholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** Seconds, or a date (as proxies write it), which counts from the answer's own. */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const text = headers.get('Retry-After');
  if (text === null) return undefined;
  const ms = Date.parse(text) - Date.parse(headers.get('Date') ?? '');
  return readWholeNumber(text) ?? (Number.isFinite(ms) ? Math.max(0, Math.ceil(ms / 1000)) : undefined);
}

export function responseFacts(url: string, { headers, status }: Response): ResponseFacts {
  const cacheStatus = headers.get('Cache-Status') ?? undefined;
  const remaining = /;r=(\d+)/.exec(headers.get('RateLimit') ?? '');
  return {
    url,
    status,
    sample: headers.get('X-Data') === 'sample',
    ageSeconds: readWholeNumber(headers.get('Age')) ?? 0,
    stale: cacheStatus?.includes('stale-on-error') ?? false,
    cacheStatus,
    remaining: remaining ? Number(remaining[1]) : undefined,
    requestId: headers.get('X-Request-Id') ?? undefined,
    total: readWholeNumber(headers.get('X-Total-Count')),
  };
}

export function unreachable(url: string, cause: unknown): MokurokuError {
  const message = `${new URL(url).origin} cannot be reached.`;
  return new MokurokuError({ code: 'unreachable', message, url, cause });
}

/** The error that a body stands for: the service's own, or `not_json` for what is none of its answers. */
export function errorOf(
  response: ResponseFacts,
  retryAfterSeconds: number | undefined,
  body: unknown,
): MokurokuError {
  const { url, status } = response;
  const { code, message, details } = isRecord(body) && isRecord(body['error']) ? body['error'] : {};
  const about = { url, response, retryAfterSeconds };
  if (typeof code === 'string') {
    return new MokurokuError({
      ...about,
      code,
      message: typeof message === 'string' ? message : code,
      details,
    });
  }
  const other = `${new URL(url).origin} answered ${status} with something that is not of this service.`;
  return new MokurokuError({ ...about, code: 'not_json', message: other });
}

export const systemPause: Pause = (ms, signal) =>
  new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });

/** A service at its address. */
export interface Site {
  urlOf: (path: string, query: Query) => string;
  get: (url: string, signal: AbortSignal | undefined) => Promise<Response>;
  pause: Pause;
  /** How long a call waits out limits, in all. */
  maxWaitSeconds: (call: CallOptions | undefined) => number;
}

export function createSite(options: ClientOptions, defaultBaseUrl: string): Site {
  const given = new URL(options.baseUrl ?? defaultBaseUrl);
  const base = `${given.origin}${given.pathname.replace(/\/+$/, '')}`;
  const headers = { Accept: 'application/json', ...options.headers };
  return {
    urlOf: (path, query) => `${base}${path}${writeQuery(query)}`,
    // Looked up at each call: a page may wrap the global fetch after the client was made.
    get: (url, signal) => (options.fetch ?? globalThis.fetch)(url, { headers, signal: signal ?? null }),
    pause: options.pause ?? systemPause,
    maxWaitSeconds: (call) => {
      const wait = call?.waitWhenLimited ?? options.waitWhenLimited ?? false;
      return wait === true ? DEFAULT_MAX_WAIT_SECONDS : wait === false ? 0 : wait.maxSeconds;
    },
  };
}

/** How long to wait when told to slow down. Never not at all: a limiter that says 0 would be asked in a tight loop. */
export function waitSecondsAfter({ retryAfterSeconds }: MokurokuError): number {
  return Math.max(1, retryAfterSeconds ?? DEFAULT_RETRY_AFTER_SECONDS);
}

/** One way to ask a service: builds the URL, reads the answer, waits out limits when that is wanted. */
export function createAsk({ urlOf, get, pause, maxWaitSeconds }: Site): Ask {
  async function once(url: string, isOurs: (body: Json) => boolean, signal: AbortSignal | undefined) {
    let response: Response;
    let body: unknown;
    try {
      response = await get(url, signal);
      const text = await response.text();
      try {
        body = JSON.parse(text);
      } catch {
        // Then it is none of ours.
      }
    } catch (cause) {
      signal?.throwIfAborted();
      throw unreachable(url, cause);
    }
    const facts = responseFacts(url, response);
    if (!response.ok || !isRecord(body) || !isOurs(body))
      throw errorOf(facts, retryAfterSeconds(response.headers), body);
    return { body, response: facts };
  }

  return async (path, query, isOurs, call) => {
    const url = urlOf(path, query);
    let left = maxWaitSeconds(call);
    for (;;) {
      try {
        return await once(url, isOurs, call?.signal);
      } catch (error) {
        if (!(error instanceof MokurokuError) || error.status !== 429) throw error;
        const seconds = waitSecondsAfter(error);
        if (seconds > left) throw error;
        left -= seconds;
        await pause(seconds * 1000, call?.signal);
      }
    }
  };
}
