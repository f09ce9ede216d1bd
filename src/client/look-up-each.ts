import type { LookUpAnswer } from '../registration/endpoints/look-up-schema.ts';
import { errorOf, waitSecondsAfter } from './ask.ts';
import type { CallOptions, Json, Site } from './ask.ts';
import { askLines } from './ask-lines.ts';
import type { ReceivedLine } from './ask-lines.ts';
import { MokurokuError } from './mokuroku-error.ts';
import type { ResponseFacts } from './mokuroku-error.ts';

/** A look-up's answer, as published. */
export type LookUp = LookUpAnswer;

export interface LookUpCallOptions extends CallOptions {
  /** `registrar`: one hop further, to the registrar's own server. */
  follow?: 'registry' | 'registrar' | undefined;
}

/** What came of one name: an answer, or the error that a look-up of it alone would have rejected with. */
export type NameOutcome =
  | { name: string; data: LookUp; error?: undefined; response: ResponseFacts }
  | { name: string; data?: undefined; error: MokurokuError; response: ResponseFacts | undefined };

/** As many as the service takes at once, in an address that every proxy lets pass. */
const MAX_NAMES = 100;
const MAX_CHARACTERS = 6_000;
/** So often in a row a connection may break off or be refused without one answer. */
const MAX_BREAKS = 3;
const FIRST_PAUSE_MS = 1_000;

/** See `lookUpMany` of the registration client. */
export async function* lookUpEach(
  site: Site,
  names: readonly string[],
  isLookUp: (body: Json) => boolean,
  call: LookUpCallOptions | undefined,
): AsyncGenerator<NameOutcome, void, undefined> {
  const waiting = new Set(names.flatMap((name) => name.split(',').map((part) => part.trim())));
  waiting.delete('');
  let leftSeconds = site.maxWaitSeconds(call);
  let breaks = 0;
  while (waiting.size > 0) {
    const asked = firstOf(waiting);
    const answered = waiting.size;
    let problem: MokurokuError | undefined;
    try {
      const query = { names: asked, follow: call?.follow };
      for await (const received of askLines(site, '/-/look-ups', query, call?.signal)) {
        const outcome = outcomeOf(received, isLookUp);
        if (!waiting.has(outcome.name)) continue;
        if (outcome.error?.code === 'rate_limited') {
          problem = outcome.error;
          continue;
        }
        waiting.delete(outcome.name);
        yield outcome;
      }
      problem ??= asked.some((name) => waiting.has(name)) ? brokenOff(site) : undefined;
    } catch (error) {
      if (!(error instanceof MokurokuError)) throw error;
      problem = error;
    }
    if (waiting.size < answered) {
      leftSeconds = site.maxWaitSeconds(call);
      breaks = 0;
    }
    if (problem === undefined) continue;
    const pauseMs = pauseAfter(problem, leftSeconds, breaks);
    if (pauseMs === undefined) {
      for (const name of problem.status === 429 ? asked : waiting) {
        if (waiting.delete(name)) yield { name, error: problem, response: problem.response };
      }
      continue;
    }
    if (problem.status === 429) leftSeconds -= pauseMs / 1000;
    else breaks++;
    await site.pause(pauseMs, call?.signal);
  }
}

/** How long to wait before what has no answer is asked for again; undefined where that is of no use. */
function pauseAfter(problem: MokurokuError, leftSeconds: number, breaks: number): number | undefined {
  if (problem.status === 429) {
    const seconds = waitSecondsAfter(problem);
    return seconds <= leftSeconds ? seconds * 1000 : undefined;
  }
  const isPassing = problem.code === 'unreachable' || problem.code === 'overloaded';
  return isPassing && breaks < MAX_BREAKS ? FIRST_PAUSE_MS * 2 ** breaks : undefined;
}

function firstOf(names: ReadonlySet<string>): string[] {
  const first: string[] = [];
  let characters = 0;
  for (const name of names) {
    characters += encodeURIComponent(name).length + 1;
    if (first.length > 0 && (first.length === MAX_NAMES || characters > MAX_CHARACTERS)) break;
    first.push(name);
  }
  return first;
}

function outcomeOf({ line, response }: ReceivedLine, isLookUp: (body: Json) => boolean): NameOutcome {
  const { domain, status, retryAfterSeconds } = line;
  const name = typeof domain === 'string' ? domain : '';
  if (isLookUp(line)) return { name, data: line as unknown as LookUp, response };
  const facts = { ...response, status: typeof status === 'number' ? status : response.status };
  const seconds = typeof retryAfterSeconds === 'number' ? retryAfterSeconds : undefined;
  return { name, error: errorOf(facts, seconds, line), response: facts };
}

function brokenOff(site: Site): MokurokuError {
  const url = site.urlOf('/-/look-ups', {});
  return new MokurokuError({ code: 'unreachable', message: 'The answer broke off.', url });
}
