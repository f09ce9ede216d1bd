// Requests to services by the client, the agents' tools and deliveries: bounds, deadlines, addresses and waits are here
// alone. Imports only the deadline beside it: the build bundles both files into packages without dependencies.
import { withDeadline } from './deadline.ts';

/**
 * Of one response, or of one line of a list. The longest response of a service takes half a minute; the largest has a
 * third of these bytes.
 */
export const BOUNDS = { deadlineMs: 120_000, maxBytes: 32_000_000 };

/** More came than any service sends. */
export class ResponseTooLarge extends Error {
  readonly response: Response;
  constructor(response: Response) {
    super('the response is too large');
    this.response = response;
  }
}

export interface OutgoingRequest {
  url: string | URL;
  method?: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** Another fetch; the global one by default. */
  fetch?: typeof globalThis.fetch | undefined;
}

/** Resolves with the head of the response. A redirect is one, so that nothing is sent to or read from another host. */
export const openResponse = (
  { fetch = globalThis.fetch, url, ...init }: OutgoingRequest,
  signal: AbortSignal | undefined,
  deadlineMs = BOUNDS.deadlineMs,
): Promise<Response> =>
  withDeadline(deadlineMs, signal, (ending) => fetch(url, { ...init, redirect: 'manual', signal: ending }));

/** The parts of a body as they arrive. Leaving the loop aborts the request. */
export async function* readParts(
  { body }: Response,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await withDeadline(BOUNDS.deadlineMs, signal, () => reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** A body as text, whole before the deadline. Rejects with ResponseTooLarge. */
export const readText = (response: Response, signal: AbortSignal | undefined): Promise<string> =>
  withDeadline(BOUNDS.deadlineMs, signal, async (ending) => {
    const decoder = new TextDecoder();
    let text = '';
    let bytes = 0;
    for await (const part of readParts(response, ending)) {
      bytes += part.length;
      if (bytes > BOUNDS.maxBytes) throw new ResponseTooLarge(response);
      text += decoder.decode(part, { stream: true });
    }
    return text + decoder.decode();
  });

/** A response with its body, both before the deadline. */
export const requestText = (
  request: OutgoingRequest,
  signal: AbortSignal | undefined,
): Promise<{ response: Response; text: string }> =>
  withDeadline(BOUNDS.deadlineMs, signal, async (ending) => {
    const response = await openResponse(request, ending);
    return { response, text: await readText(response, ending) };
  });

/**
 * An address without its credentials, and these as the header that a request needs: fetch rejects such an address, and
 * repeats it. `base` is what a path is appended to. Throws a TypeError without anything secret.
 */
export function readAddress(given: string | URL): {
  url: URL;
  base: string;
  headers: Record<string, string>;
} {
  if (!URL.canParse(String(given)))
    throw new TypeError(`${withoutPasswords(String(given))} is no HTTP address`);
  const url = new URL(given);
  // `localhost:3000` is a URL with the scheme `localhost`.
  if (!/^https?:$/.test(url.protocol))
    throw new TypeError(`${withoutPasswords(url.href)} is no HTTP address`);
  const { username, password } = url;
  url.username = '';
  url.password = '';
  const base = `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  if (username === '' && password === '') return { url, base, headers: {} };
  const bytes = new TextEncoder().encode(`${decoded(username)}:${decoded(password)}`);
  return { url, base, headers: { Authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` } };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new TypeError('In the user and password of an address, % is written as %25');
  }
}

/** A text that is shown or logged, without the credentials of a URL in it, parsed or not. */
export function withoutPasswords(text: string): string {
  return text.replace(/\/\/.*@/, '//...@').replace(/(password=)[^&]*/gi, '$1...');
}

/** Retry-After: seconds or an HTTP date (RFC 9110). Of several headers the first one counts. */
export function readRetryAfter(
  header: string | string[] | null | undefined,
  now: number,
): number | undefined {
  const text = Array.isArray(header) ? header[0] : (header ?? undefined);
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const seconds = / GMT$/.test(text) ? Math.ceil((Date.parse(text) - now) / 1_000) : Number.NaN;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** When a service sent a response, in milliseconds since 1970: by its own clock if it says so. */
export const sentAtOf = ({ headers }: Pick<Response, 'headers'>): number =>
  Date.parse(headers.get('Date') ?? '') || Date.now();

/** The seconds of a response's Retry-After, a date relative to the response's own. */
export const retryAfterOf = (response: Pick<Response, 'headers'>): number | undefined =>
  readRetryAfter(response.headers.get('Retry-After'), sentAtOf(response));

/**
 * Whether the same request can succeed later, by the status of its response: after a limit, or a failure behind the
 * service. Such a response may have a Retry-After header.
 */
export const isPassing = (status: number): boolean => status === 429 || status > 501;

/** Seconds to wait after a stated time: 0 would be a loop, and nothing is worth a wait without end. */
export const waitSeconds = (stated: number): number => Math.min(Math.max(stated, 1), 3_600);
