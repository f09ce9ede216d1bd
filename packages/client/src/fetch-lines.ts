import { DeadlineError } from '@mokuroku/kit/deadline';
import { isRecord, parseJson } from '@mokuroku/kit/json';
import {
  BOUNDS,
  ResponseTooLarge,
  openResponse,
  readParts,
  readText,
  retryAfterOf,
} from '@mokuroku/kit/requests';
import { errorOf, responseFacts, unreachable, untilAdmitted } from './fetch-body.ts';
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
  transport: Transport,
  path: string,
  query: Query,
  call: CallOptions | undefined,
): AsyncGenerator<ReceivedLine, void, undefined> {
  const url = transport.urlOf(path, query);
  const signal = call?.signal;
  try {
    const response = await untilAdmitted(transport, call, async () => {
      const opened = await openResponse(transport.requestOf(url), signal);
      if (opened.ok && opened.headers.get('Content-Type')?.includes('ndjson')) return opened;
      const body = parseJson(await readText(opened, signal));
      throw errorOf(responseFacts(url, opened), retryAfterOf(opened), body);
    });
    const facts = responseFacts(url, response);
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
  let lineBegan = 0;
  for await (const part of readParts(response, signal)) {
    const [first = '', ...others] = decoder.decode(part, { stream: true }).split('\n');
    rest += first;
    for (const next of others) {
      yield rest;
      rest = next;
    }
    if (rest.length > BOUNDS.maxBytes) throw new ResponseTooLarge(response);
    if (others.length > 0 || rest === first) lineBegan = performance.now();
    else if (performance.now() - lineBegan > BOUNDS.deadlineMs)
      throw new DeadlineError('a line does not end');
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
  for await (const { line, response } of fetchLines(transport, path, query, call)) {
    const { meta } = line;
    if (!isRecord(meta)) yield line as Item;
    else if (meta['complete'] === true) return;
    else throw errorOf(response, undefined, meta);
  }
  throw endedEarly(transport.urlOf(path, query));
}
