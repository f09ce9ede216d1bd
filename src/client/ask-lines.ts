import { errorOf, isRecord, responseFacts, retryAfterSeconds, unreachable } from './ask.ts';
import type { Json, Query, Site } from './ask.ts';
import { MokurokuError } from './mokuroku-error.ts';
import type { ResponseFacts } from './mokuroku-error.ts';

export interface ReceivedLine {
  line: Json;
  response: ResponseFacts;
}

/**
 * Asks for a path that answers with lines of JSON (NDJSON), each as it comes. Rejects with MokurokuError, `unreachable`
 * also when the answer breaks off, or with the signal's reason.
 */
export async function* askLines(
  { urlOf, get }: Site,
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
      throw errorOf(facts, retryAfterSeconds(response.headers), parsed(await response.text()));
    }
    for await (const text of linesOf(response.body)) {
      const line = parsed(text);
      if (!isRecord(line)) throw errorOf(facts, undefined, undefined);
      yield { line, response: facts };
    }
  } catch (cause) {
    signal?.throwIfAborted();
    throw cause instanceof MokurokuError ? cause : unreachable(url, cause);
  }
}

/** Whole lines; what stands behind the last line's end is what came of a line that broke off. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
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
    // Whoever has seen enough ends the request.
    await reader.cancel().catch(() => undefined);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
