import { MokurokuError } from './mokuroku-error.ts';
import { pause as systemPause } from './pause.ts';
import type { Pause } from './pause.ts';

/** `true`: wait out a 429 for up to two minutes in all. */
export type WaitWhenLimited = boolean | { maxSeconds: number };

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

/** What the headers of an answer say. */
export interface ResponseFacts {
  /** True when the service runs on invented data. */
  sample: boolean;
  /** How long ago the data were fetched. */
  ageSeconds: number;
  /** Requests left in the current minute; undefined where the service does not count. */
  remaining: number | undefined;
  requestId: string | undefined;
}

export interface Received {
  body: Readonly<Record<string, unknown>>;
  response: ResponseFacts;
}

export type QueryValue = string | number | boolean | readonly (string | number)[] | undefined;
export type Query = Readonly<Record<string, QueryValue>>;
export type Ask = (path: string, query: Query, call: CallOptions | undefined) => Promise<Received>;

const DEFAULT_MAX_WAIT_SECONDS = 120;
/** Where a 429 does not say how long: the length of the limiter's window. */
const DEFAULT_RETRY_AFTER_SECONDS = 60;

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

function wholeSeconds(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** Seconds, or a date (as proxies write it), which counts from the answer's own. */
function retryAfterSeconds(headers: Headers): number | undefined {
  const text = headers.get('Retry-After');
  if (text === null) return undefined;
  const ms = Date.parse(text) - Date.parse(headers.get('Date') ?? '');
  return wholeSeconds(text) ?? (Number.isFinite(ms) ? Math.max(0, Math.ceil(ms / 1000)) : undefined);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function responseFacts({ headers }: Response): ResponseFacts {
  const remaining = /;r=(\d+)/.exec(headers.get('RateLimit') ?? '');
  return {
    sample: headers.get('X-Data') === 'sample',
    ageSeconds: wholeSeconds(headers.get('Age')) ?? 0,
    remaining: remaining ? Number(remaining[1]) : undefined,
    requestId: headers.get('X-Request-Id') ?? undefined,
  };
}

async function readAnswer(
  response: Response,
  url: string,
  signal: AbortSignal | undefined,
): Promise<Received> {
  let body: unknown;
  try {
    body = JSON.parse(await response.text());
  } catch (cause) {
    signal?.throwIfAborted();
    if (!(cause instanceof SyntaxError)) throw unreachable(url, cause);
  }
  const facts = responseFacts(response);
  if (response.ok && isRecord(body)) return { body, response: facts };
  const error = isRecord(body) && isRecord(body['error']) ? body['error'] : undefined;
  const about = {
    url,
    status: response.status,
    requestId: facts.requestId,
    retryAfterSeconds: retryAfterSeconds(response.headers),
  };
  if (typeof error?.['code'] === 'string') {
    const message = typeof error['message'] === 'string' ? error['message'] : error['code'];
    throw new MokurokuError({ ...about, code: error['code'], message, details: error['details'] });
  }
  const message = `${new URL(url).origin} answered ${response.status} with something that is not of this service.`;
  throw new MokurokuError({ ...about, code: 'not_json', message });
}

function unreachable(url: string, cause: unknown): MokurokuError {
  const { origin } = new URL(url);
  return new MokurokuError({ code: 'unreachable', message: `${origin} cannot be reached.`, url, cause });
}

/** One way to ask a service: builds the URL, reads the answer, waits out limits when that is wanted. */
export function createAsk(options: ClientOptions, defaultBaseUrl: string): Ask {
  const given = new URL(options.baseUrl ?? defaultBaseUrl);
  const base = `${given.origin}${given.pathname.replace(/\/+$/, '')}`;
  const pause = options.pause ?? systemPause;
  const headers = { Accept: 'application/json', ...options.headers };

  async function once(url: string, signal: AbortSignal | undefined): Promise<Received> {
    // Looked up at each call: a page may wrap the global fetch after the client was made.
    const doFetch = options.fetch ?? globalThis.fetch;
    let response: Response;
    try {
      response = await doFetch(url, { headers, signal: signal ?? null });
    } catch (cause) {
      signal?.throwIfAborted();
      throw unreachable(url, cause);
    }
    return readAnswer(response, url, signal);
  }

  return async (path, query, call) => {
    const url = `${base}${path}${writeQuery(query)}`;
    const wait = call?.waitWhenLimited ?? options.waitWhenLimited ?? false;
    let left = wait === true ? DEFAULT_MAX_WAIT_SECONDS : wait === false ? 0 : wait.maxSeconds;
    for (;;) {
      try {
        return await once(url, call?.signal);
      } catch (error) {
        if (!(error instanceof MokurokuError) || error.status !== 429) throw error;
        // Never at once: a limiter that says 0 would be asked in a tight loop.
        const seconds = Math.max(1, error.retryAfterSeconds ?? DEFAULT_RETRY_AFTER_SECONDS);
        if (seconds > left) throw error;
        left -= seconds;
        await pause(seconds * 1000, call?.signal);
      }
    }
  };
}
