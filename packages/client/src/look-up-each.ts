import { DeadlineError } from '@mokuroku/kit/deadline';
import type { DomainLookUpResult } from 'mokuroku-whois/source';
import { errorOf, waitSecondsAfter, wellFormed } from './fetch-body.ts';
import type { CallOptions, Json, Transport } from './fetch-body.ts';
import { endedEarly, fetchLines } from './fetch-lines.ts';
import type { ReceivedLine } from './fetch-lines.ts';
import { MokurokuError } from './mokuroku-error.ts';
import type { ResponseFacts } from './mokuroku-error.ts';

/** A look-up's response, as published. */
export interface LookUp extends DomainLookUpResult {
  /** Query parameters that had no effect. */
  ignored?: string[];
}

export interface LookUpCallOptions extends CallOptions {
  /** `registrar`: also query the registrar's own server. */
  follow?: 'registry' | 'registrar' | undefined;
}

/** Outcome of one name: a response, or the error of its look-up. */
export type NameOutcome =
  | { name: string; data: LookUp; error?: undefined; response: ResponseFacts }
  | { name: string; data?: undefined; error: MokurokuError; response: ResponseFacts | undefined };

const PATH = '/-/look-ups';
/** Names per request: as many as the service accepts, in a URL that every proxy passes. */
const MAX_NAMES = 100;
const MAX_CHARACTERS = 6_000;
/** Failed attempts in a row, without any new result, before giving up. */
const MAX_BREAKS = 3;
const FIRST_PAUSE_MS = 1_000;

/** The names of a list, each once. A text may contain several, separated by commas. */
function namesOf(texts: readonly string[]): Set<string> {
  const names = texts.flatMap((text) => wellFormed(text).split(','));
  return new Set(names.map((name) => name.trim()).filter((name) => name !== ''));
}

/** See `lookUpMany` of the registration client. */
export async function* lookUpEach(
  transport: Transport,
  names: readonly string[],
  isLookUp: (body: Json) => boolean,
  call: LookUpCallOptions | undefined,
): AsyncGenerator<NameOutcome, void, undefined> {
  const waiting = namesOf(names);
  // Waits are counted here, from result to result.
  const withoutWait = { signal: call?.signal, waitWhenLimited: false };
  let leftSeconds = transport.maxWaitSeconds(call);
  let breaks = 0;
  while (waiting.size > 0) {
    const batch = firstBatch(waiting);
    const waitingBefore = waiting.size;
    let problem: MokurokuError | undefined;
    let lines = 0;
    try {
      const query = { names: batch, follow: call?.follow };
      for await (const received of fetchLines(transport, PATH, query, withoutWait)) {
        // A service sends one line a name; another program may never end its list.
        if (++lines > batch.length) throw errorOf(received.response, undefined, undefined);
        const outcome = nameOutcome(received, isLookUp);
        if (outcome.error?.code === 'rate_limited') problem = outcome.error;
        else if (waiting.delete(outcome.name)) yield outcome;
      }
      problem ??= batch.some((name) => waiting.has(name)) ? endedEarly(transport.urlOf(PATH, {})) : undefined;
    } catch (error) {
      if (!(error instanceof MokurokuError)) throw error;
      problem = error;
    }
    if (waiting.size < waitingBefore) {
      leftSeconds = transport.maxWaitSeconds(call);
      breaks = 0;
    }
    if (problem === undefined) continue;
    const pauseMs = pauseAfter(problem, leftSeconds, breaks);
    if (pauseMs === undefined) {
      for (const name of waiting) yield { name, error: problem, response: problem.response };
      return;
    }
    if (problem.status === 429) leftSeconds -= pauseMs / 1000;
    else breaks++;
    await transport.pause(pauseMs, call?.signal, problem);
  }
}

/** Milliseconds until unfinished names are requested again; undefined if a retry is useless. */
function pauseAfter(problem: MokurokuError, leftSeconds: number, breaks: number): number | undefined {
  if (problem.status === 429) {
    const seconds = waitSecondsAfter(problem);
    return seconds <= leftSeconds ? seconds * 1000 : undefined;
  }
  // Another program is reported at once, and a service that says nothing after the deadline of one request.
  const canHelp =
    problem.retryable && problem.code !== 'not_json' && !(problem.cause instanceof DeadlineError);
  return canHelp && breaks < MAX_BREAKS ? FIRST_PAUSE_MS * 2 ** breaks : undefined;
}

function firstBatch(names: ReadonlySet<string>): string[] {
  const first: string[] = [];
  let characters = 0;
  for (const name of names) {
    characters += encodeURIComponent(name).length + 1;
    if (first.length > 0 && (first.length === MAX_NAMES || characters > MAX_CHARACTERS)) break;
    first.push(name);
  }
  return first;
}

function nameOutcome({ line, response }: ReceivedLine, isLookUp: (body: Json) => boolean): NameOutcome {
  const { domain, status, retryAfterSeconds } = line;
  const name = typeof domain === 'string' ? domain : '';
  if (isLookUp(line)) return { name, data: line as unknown as LookUp, response };
  const facts = { ...response, status: typeof status === 'number' ? status : response.status };
  const seconds = typeof retryAfterSeconds === 'number' ? retryAfterSeconds : undefined;
  return { name, error: errorOf(facts, seconds, line), response: facts };
}
