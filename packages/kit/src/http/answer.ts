import type { CacheResult, ResponseCache } from '../cache/response-cache.ts';
import { describeFailure } from '../process/throttled-log.ts';
import type { ThrottledLog } from '../process/throttled-log.ts';
import type { Endpoint, EndpointQuestion, EndpointRequest, RequestMeta, TextAnswer } from './endpoint.ts';
import { recordFailure } from './error-handler.ts';

interface QuestionRequest extends Omit<EndpointRequest, 'reportFailure'> {
  /** For the log. */
  requestId: string;
  /** Reserves memory for a body until it is sent. Throws `overloaded`. */
  reserveMemory: (body: object, bytes: number) => Promise<void>;
}

/** A question with its cached or loaded response. */
interface CachedAnswer {
  question: EndpointQuestion;
  result: CacheResult;
}

/** Rejects with a ServiceError. */
export type AnswerRequest = (
  endpoint: Endpoint,
  request: QuestionRequest,
) => Promise<CachedAnswer | TextAnswer>;

/** Buffered lines of a stream: the maximum read ahead of the client. */
const STREAM_BYTES = 65_536;

/** Answers requests from the cache, or loads. */
export function createAnswerer(cache: ResponseCache, failureLog: ThrottledLog): AnswerRequest {
  return async function answerRequest(endpoint, { requestId, reserveMemory, ...request }) {
    const question = await endpoint.parse({
      ...request,
      reportFailure: (error) => recordFailure(failureLog, error, requestId),
    });
    if ('body' in question) {
      await reserveMemory(question, STREAM_BYTES + (question.memoryBytes ?? 0));
      return question;
    }
    const result = await cache.get(question, question.policy);
    if (result.failure !== undefined) {
      const facts = { id: requestId, key: question.key, reason: describeFailure(result.failure) };
      failureLog.logOncePerPeriod('warn', 'stale', facts, 'served stale');
    }
    // Requests that wait for the same response share its bodies.
    const { entry } = result;
    await reserveMemory(hasOwnBody(question) ? question : entry, entry.data.length);
    return { question, result };
  };
}

export function requestMetaOf(
  { outcome, tookMs }: CacheResult,
  { ignored, requestedSpelling }: Pick<EndpointQuestion, 'ignored' | 'requestedSpelling'>,
): RequestMeta {
  const stale = outcome === 'stale' || outcome === 'revalidating';
  return { cached: stale || outcome === 'hit', stale, tookMs, ignored, requestedSpelling };
}

/** Whether the body contains what only this request has, so that no other shares it. Other forms than JSON do not. */
export const hasOwnBody = ({
  ignored,
  requestedSpelling,
  form,
}: Pick<EndpointQuestion, 'ignored' | 'requestedSpelling' | 'form'>): boolean =>
  form === undefined && (ignored.length > 0 || requestedSpelling !== undefined);
