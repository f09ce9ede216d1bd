import { Agent, request } from 'undici';
import type { Dispatcher } from 'undici';
import type { Clock } from '../../process/clock.ts';
import { readRetryAfter } from '../../process/retry-after.ts';

/** A failed request to the source. */
export class SourceFailure extends Error {
  /** Whether a retry may succeed. */
  readonly isTemporary: boolean;
  /** Retry-After of the server. */
  readonly retryAfterMs: number;

  constructor(
    message: string,
    {
      isTemporary = false,
      retryAfterMs = 0,
      cause,
    }: { isTemporary?: boolean; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.name = 'SourceFailure';
    this.isTemporary = isTemporary;
    this.retryAfterMs = retryAfterMs;
  }
}

/** No such file: it was removed, or the address is wrong. */
export class FileGone extends SourceFailure {}

export interface WebReply {
  readonly status: 200 | 206 | 304 | 416;
  readonly etag: string | undefined;
  readonly contentRange: string | undefined;
  /** Throws a SourceFailure if the connection breaks. */
  readonly body: AsyncIterable<Buffer>;
  /** Ends the connection without reading the rest. */
  abandon(): void;
}

/** A folder behind a web server. */
export interface WebFolder {
  /** The address of a file for messages, without credentials. */
  nameOf(file: string): string;
  /** Rejects with a SourceFailure, or the signal's reason. */
  get(file: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<WebReply>;
  close(): Promise<void>;
}

const MAX_REDIRECTS = 5;
const CONNECT_TIMEOUT_MS = 10_000;
/** Timeout of the header, and between two chunks of the body. */
const IDLE_TIMEOUT_MS = 30_000;
const MAX_RETRY_AFTER_MS = 600_000;

type Headers = Dispatcher.ResponseData['headers'];

const headerOf = (headers: Headers, name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
};

const readRetryAfterMs = (headers: Headers, now: number): number =>
  Math.min((readRetryAfter(headers['retry-after'], now) ?? 0) * 1_000, MAX_RETRY_AFTER_MS);

/** The body; a broken connection is a SourceFailure. */
async function* checkedBody(body: AsyncIterable<Buffer>, name: string): AsyncIterable<Buffer> {
  try {
    yield* body;
  } catch (cause) {
    throw new SourceFailure(`${name}: the response was cut off`, { isTemporary: true, cause });
  }
}

/** Throws if the response has no part of the file. */
function checkStatus(
  name: string,
  { statusCode, headers }: Dispatcher.ResponseData,
  now: number,
): WebReply['status'] {
  if (statusCode === 404 || statusCode === 410) throw new FileGone(`${name} does not exist (${statusCode})`);
  if (statusCode === 429 || statusCode >= 500) {
    const retryAfterMs = readRetryAfterMs(headers, now);
    throw new SourceFailure(`${name}: the server responded ${statusCode}`, {
      isTemporary: true,
      retryAfterMs,
    });
  }
  if (statusCode !== 200 && statusCode !== 206 && statusCode !== 304 && statusCode !== 416) {
    throw new SourceFailure(`${name}: the server responded ${statusCode}`);
  }
  const encoding = headerOf(headers, 'content-encoding') ?? 'identity';
  if (encoding === 'identity') return statusCode;
  throw new SourceFailure(`${name}: the server compressed it (${encoding}); serve files uncompressed`);
}

/** The target of a redirect. Credentials are sent only to their own server. */
function redirected(from: URL, name: string, { headers }: Dispatcher.ResponseData): URL {
  const location = headerOf(headers, 'location') ?? '';
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (!/^https?:$/.test(to?.protocol ?? ''))
    throw new SourceFailure(`${name}: redirected without a valid address`);
  if (from.protocol === 'https:' && to?.protocol === 'http:') {
    throw new SourceFailure(`${name}: redirected from https to http`);
  }
  return to as URL;
}

const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

/** A URL may have a bare percent sign in its user or password. */
function decodeCredential(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The address without user and password, and these as a header. */
function splitCredentials(address: URL): { base: URL; authorization: string | undefined } {
  const base = new URL(address);
  const credentials = `${decodeCredential(base.username)}:${decodeCredential(base.password)}`;
  base.username = '';
  base.password = '';
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  const authorization =
    credentials === ':' ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
  return { base, authorization };
}

type FolderRequest = (url: URL, name: string) => Promise<Dispatcher.ResponseData>;

/** The response after a bounded number of redirects. */
async function requestFollowing(
  from: URL,
  name: string,
  send: FolderRequest,
  clock: Clock,
): Promise<WebReply> {
  let url = from;
  for (let redirects = 0; ; redirects++) {
    const response = await send(url, name);
    const discard = () => {
      response.body.on('error', () => undefined).destroy();
    };
    try {
      if (isRedirect(response.statusCode)) {
        if (redirects === MAX_REDIRECTS) throw new SourceFailure(`${name}: redirected too often`);
        url = redirected(url, name, response);
        discard();
        continue;
      }
      return {
        status: checkStatus(name, response, clock.now()),
        etag: headerOf(response.headers, 'etag'),
        contentRange: headerOf(response.headers, 'content-range'),
        body: checkedBody(response.body as AsyncIterable<Buffer>, name),
        abandon: discard,
      };
    } catch (error) {
      discard();
      throw error;
    }
  }
}

/** Opens a folder by its address, which is http or https and may have user and password. */
export function openWebFolder(address: URL, clock: Clock): WebFolder {
  const agent = new Agent({
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: IDLE_TIMEOUT_MS,
    bodyTimeout: IDLE_TIMEOUT_MS,
  });
  const { base, authorization } = splitCredentials(address);
  const nameOf = (file: string): string => new URL(file, base).href;
  return {
    nameOf,
    get: (file, headers, signal) => {
      const send: FolderRequest = async (url, name) => {
        const credentials =
          url.origin === base.origin && authorization !== undefined ? { authorization } : {};
        const sent = {
          'accept-encoding': 'identity',
          'user-agent': 'mokuroku-pull',
          ...headers,
          ...credentials,
        };
        try {
          return await request(url, { dispatcher: agent, headers: sent, signal });
        } catch (cause) {
          signal.throwIfAborted();
          throw new SourceFailure(`${name}: the server cannot be reached`, { isTemporary: true, cause });
        }
      };
      const url = new URL(file, base);
      // A token in the query of the address is sent with each file.
      url.search = base.search;
      return requestFollowing(url, nameOf(file), send, clock);
    },
    close: () => agent.destroy(),
  };
}
