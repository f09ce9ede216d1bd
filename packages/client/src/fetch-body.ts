import { systemSleep } from '@mokuroku/kit/deadline';
import { isRecord, parseJson } from '@mokuroku/kit/json';
import {
  ResponseTooLarge,
  readAddress,
  requestText,
  retryAfterOf,
  sentAtOf,
  waitSeconds,
} from '@mokuroku/kit/requests';
import type { OutgoingRequest } from '@mokuroku/kit/requests';
import { MokurokuError } from './mokuroku-error.ts';
import type { ResponseFacts } from './mokuroku-error.ts';

/** `true`: wait for up to two minutes in all. */
export type WaitWhenLimited = boolean | { maxSeconds: number };

/**
 * Resolves after the milliseconds; rejects with the signal's reason when it aborts. `failure`: that after which a request
 * is repeated.
 */
export type ClientPause = (
  ms: number,
  signal: AbortSignal | undefined,
  failure?: MokurokuError,
) => Promise<void>;

export interface ClientOptions {
  /**
   * Address of the service, with its path if it has one. Default: the service's own default address on this machine.
   */
  baseUrl?: string | URL | undefined;
  /** Another fetch; the global one by default. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Sent with every request. In a browser, any header costs a preflight. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Whether calls wait for a 429's Retry-After and repeat the request. Default: no, they reject. */
  waitWhenLimited?: WaitWhenLimited | undefined;
  /** Waits; replaced by tests. */
  pause?: ClientPause | undefined;
}

/** Options of one call. */
export interface CallOptions {
  /** Aborts the request and the waiting; the call rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  waitWhenLimited?: WaitWhenLimited | undefined;
}

export type Json = Readonly<Record<string, unknown>>;

/** What was received, with its HTTP metadata. */
export interface Received<Data> {
  data: Data;
  response: ResponseFacts;
}

/** Parses a body; undefined if it is no response of the service. */
type Read<Data> = (text: string, mediaType: string) => Data | undefined;

type ClientQueryValue = string | number | boolean | readonly (string | number)[] | undefined;
export type Query = Readonly<Record<string, ClientQueryValue>>;

export const DEFAULT_MAX_WAIT_SECONDS = 120;
/** Used when a 429 names no time: the length of the limiter's window. */
const DEFAULT_RETRY_AFTER_SECONDS = 60;

/** Lists as the service parses them: `of` with hyphens, others with commas. */
function writeQuery(query: Query): string {
  const written = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (typeof value === 'boolean') written.set(name, value ? '1' : '0');
    else written.set(name, typeof value === 'object' ? value.join(name === 'of' ? '-' : ',') : String(value));
  }
  return written.size === 0 ? '' : `?${written.toString()}`;
}

/** More than the service sends. Faults are compared with values, which takes hours for those of a hostile service. */
const MOST = { faults: 50, text: 2_000, given: 200, values: 200 };

const textIn = (value: unknown, most = MOST.text): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, most) : '';
const listIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.slice(0, MOST.values).map((each) => textIn(each, MOST.given)) : [];

/** A fault of a 400. */
export type Fault = ReturnType<typeof faultsOf>[number];

/** The faults in the `details` of a 400, as far as they have the published form; a missing member is empty. */
export function faultsOf(details: unknown) {
  if (!Array.isArray(details)) return [];
  const faults = details.slice(0, MOST.faults).filter(isRecord);
  return faults.map(({ parameter, given, reason, allowed, values, nearest }) => ({
    parameter: textIn(parameter),
    given: textIn(given, MOST.given),
    /** The fault, and the allowed input, in the service's English. */
    reason: textIn(reason),
    allowed: textIn(allowed),
    /** Values of a closed set, and those near to the given one. */
    values: listIn(values),
    nearest: listIn(nearest),
  }));
}

function readWholeNumber(text: string | null | undefined): number | undefined {
  return /^\d{1,9}$/.test(text ?? '') ? Number(text) : undefined;
}

export function responseFacts(url: string, response: Response): ResponseFacts {
  const { headers, status } = response;
  const cacheStatus = headers.get('Cache-Status') ?? undefined;
  return {
    url,
    status,
    sample: headers.get('X-Data') === 'sample',
    sentAt: sentAtOf(response),
    ageSeconds: readWholeNumber(headers.get('Age')) ?? 0,
    stale: cacheStatus?.includes('stale-on-error') ?? false,
    cacheStatus,
    remaining: readWholeNumber(/;r=(\d+)/.exec(headers.get('RateLimit') ?? '')?.[1]),
    requestId: headers.get('X-Request-Id') ?? undefined,
    total: readWholeNumber(headers.get('X-Total-Count')),
  };
}

/** The error of a request that failed without a usable response. */
export function unreachable(url: string, cause: unknown): MokurokuError {
  if (cause instanceof ResponseTooLarge)
    return errorOf(responseFacts(url, cause.response), undefined, undefined);
  const message = `${new URL(url).origin} is unreachable.`;
  return new MokurokuError({ code: 'unreachable', message, url, cause });
}

/**
 * The error of a body: the service's own, or `not_json` for the response of another program, or of a service that does
 * not have the path, which is no absence of an entry.
 */
export function errorOf(
  response: ResponseFacts,
  retryAfterSeconds: number | undefined,
  body: unknown,
): MokurokuError {
  const { url, status } = response;
  const { code, message, details } = isRecord(body) && isRecord(body['error']) ? body['error'] : {};
  const about = { url, response, retryAfterSeconds };
  const isOfPath = code === 'not_found' && isRecord(details) && 'path' in details;
  if (typeof code === 'string' && !isOfPath) {
    return new MokurokuError({
      ...about,
      code: textIn(code),
      message: textIn(message) || textIn(code),
      details,
    });
  }
  const other = `${new URL(url).origin} answered ${status} with a response that is not from this service.`;
  return new MokurokuError({ ...about, code: 'not_json', message: other, ...(isOfPath && { details }) });
}

/** Requests to one service. */
export interface Transport {
  urlOf: (path: string, query: Query) => string;
  requestOf: (url: string) => OutgoingRequest;
  pause: ClientPause;
  /** Maximum time that a call waits for its quota. */
  maxWaitSeconds: (call: CallOptions | undefined) => number;
}

export function createTransport(options: ClientOptions, defaultBaseUrl: string): Transport {
  const { base, headers } = readAddress(options.baseUrl ?? defaultBaseUrl);
  const sent = { Accept: 'application/json', ...headers, ...options.headers };
  return {
    urlOf: (path, query) => `${base}${path}${writeQuery(query)}`,
    // The global fetch of each call: a page may wrap it after the client was created.
    requestOf: (url) => ({ url, headers: sent, fetch: options.fetch }),
    pause: options.pause ?? systemSleep,
    maxWaitSeconds: (call) => {
      const wait = call?.waitWhenLimited ?? options.waitWhenLimited ?? false;
      return wait === true ? DEFAULT_MAX_WAIT_SECONDS : wait === false ? 0 : wait.maxSeconds;
    },
  };
}

/** Seconds until the retry. */
export function waitSecondsAfter({ retryAfterSeconds }: MokurokuError): number {
  return waitSeconds(retryAfterSeconds ?? DEFAULT_RETRY_AFTER_SECONDS);
}

/** Half a surrogate pair has no percent-encoding; as U+FFFD it reaches the service, which rejects it. */
export const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, '\ufffd');

/** A segment of a path. Empty texts, `.` and `..` would name another path; they are sent as U+FFFD, too. */
export const pathSegment = (text: string | number): string =>
  encodeURIComponent(wellFormed(String(text)).replace(/^\.{0,2}$/, '\ufffd'));

/**
 * Reads JSON that `isOurs` recognises. It is not validated further: the service's tests check that responses have the
 * published form.
 */
export const asJson =
  <Data = Json>(isOurs: (body: Json) => boolean): Read<Data> =>
  (text) => {
    const body = parseJson(text);
    return isRecord(body) && isOurs(body) ? (body as Data) : undefined;
  };

/** Reads text of a media type. */
export const asText =
  (mediaTypePrefix: string): Read<string> =>
  (text, mediaType) =>
    mediaType.startsWith(mediaTypePrefix) ? text : undefined;

/** Repeats a request that the limit refuses, within the time that the call may wait. */
export async function untilAdmitted<Result>(
  transport: Transport,
  call: CallOptions | undefined,
  request: () => Promise<Result>,
): Promise<Result> {
  let secondsLeft = transport.maxWaitSeconds(call);
  for (;;) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof MokurokuError) || error.status !== 429) throw error;
      const seconds = waitSecondsAfter(error);
      if (seconds > secondsLeft) throw error;
      secondsLeft -= seconds;
      await transport.pause(seconds * 1000, call?.signal, error);
    }
  }
}

/** Requests a path, and waits for the quota if configured. A response that `read` does not recognise is `not_json`. */
export function fetchBody<Data>(
  transport: Transport,
  path: string,
  query: Query,
  read: Read<Data>,
  call: CallOptions | undefined,
): Promise<Received<Data>> {
  const url = transport.urlOf(path, query);
  const signal = call?.signal;
  return untilAdmitted(transport, call, async () => {
    const { response, text } = await requestText(transport.requestOf(url), signal).catch((cause: unknown) => {
      signal?.throwIfAborted();
      throw unreachable(url, cause);
    });
    const facts = responseFacts(url, response);
    const data = response.ok ? read(text, response.headers.get('Content-Type') ?? '') : undefined;
    if (data === undefined) throw errorOf(facts, retryAfterOf(response), parseJson(text));
    return { data, response: facts };
  });
}
