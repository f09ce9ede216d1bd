import { isRecord, parseJson } from '@mokuroku/kit/json';
import {
  BOUNDS,
  ResponseTooLarge,
  openResponse,
  readParts,
  readText,
  retryAfterOf,
} from '@mokuroku/kit/requests';
import { errorOf, responseFacts, unreachable } from './fetch-body.ts';
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
  { urlOf, requestOf }: Transport,
  path: string,
  query: Query,
  signal: AbortSignal | undefined,
): AsyncGenerator<ReceivedLine, void, undefined> {
  const url = urlOf(path, query);
  try {
    const response = await openResponse(requestOf(url), signal);
    const facts = responseFacts(url, response);
    const isOurs = response.headers.get('Content-Type')?.includes('ndjson') === true;
    if (!response.ok || !isOurs) {
      throw errorOf(facts, retryAfterOf(response), parseJson(await readText(response, signal)));
    }
    for await (const text of completeLines(response, signal)) {
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
async function* completeLines(
  response: Response,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of readParts(response, signal)) {
    const [first = '', ...others] = decoder.decode(part, { stream: true }).split('\n');
    rest += first;
    for (const next of others) {
      yield rest;
      rest = next;
    }
    if (rest.length > BOUNDS.maxBytes) throw new ResponseTooLarge(response);
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
