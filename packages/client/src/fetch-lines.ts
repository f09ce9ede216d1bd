import {
  errorOf,
  isRecord,
  parseJson,
  responseFacts,
  readRetryAfterHeader,
  unreachable,
} from './fetch-body.ts';
import type { CallOptions, Json, Query, Transport } from './fetch-body.ts';
import { MokurokuError } from './mokuroku-error.ts';
import type { ResponseFacts } from './mokuroku-error.ts';

export interface ReceivedLine {
  line: Json;
  response: ResponseFacts;
}

/** The error of a list whose end is missing. */
export const endedEarly = (url: string): MokurokuError => unreachable(url, new Error('the list ended early'));

/**
 * Requests a path that responds with lines of JSON (NDJSON) and yields each as it arrives. Rejects with MokurokuError
 * (`unreachable` also when the response breaks off), or with the signal's reason.
 */
export async function* fetchLines(
  { urlOf, get }: Transport,
  path: string,
  query: Query,
  signal: AbortSignal | undefined,
): AsyncGenerator<ReceivedLine, void, undefined> {
  const url = urlOf(path, query);
  try {
    const response = await get(url, signal);
    const facts = responseFacts(url, response);
    const isOurs = response.headers.get('Content-Type')?.includes('ndjson') === true;
    if (!response.ok || !isOurs || response.body === null) {
      throw errorOf(facts, readRetryAfterHeader(response.headers), parseJson(await response.text()));
    }
    for await (const text of completeLines(response.body)) {
      const line = parseJson(text);
      if (!isRecord(line)) throw errorOf(facts, undefined, undefined);
      yield { line, response: facts };
    }
  } catch (cause) {
    signal?.throwIfAborted();
    throw cause instanceof MokurokuError ? cause : unreachable(url, cause);
  }
}

/** Complete lines only; text after the last line end belongs to an incomplete line. */
async function* completeLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } finally {
    // Leaving the loop aborts the request.
    await reader.cancel().catch(() => undefined);
  }
}

/**
 * The items of an NDJSON list. The last line says that the list is complete. Without it the connection broke off:
 * rejects with `unreachable`, or with the error that ended the list.
 */
export async function* streamOf<Item>(
  transport: Transport,
  path: string,
  search: object,
  call: CallOptions | undefined,
): AsyncGenerator<Item, void, undefined> {
  const query = { ...search, format: 'ndjson' } as Query;
  for await (const { line, response } of fetchLines(transport, path, query, call?.signal)) {
    const { meta } = line;
    if (!isRecord(meta)) yield line as Item;
    else if (meta['complete'] === true) return;
    else throw errorOf(response, undefined, meta);
  }
  throw endedEarly(transport.urlOf(path, query));
}
