import type { CacheResult, ResponseCache } from '../cache/response-cache.ts';
import { describeFailure } from '../process/throttled-log.ts';
import type { ThrottledLog } from '../process/throttled-log.ts';
import { asServiceError, toErrorBody } from '../errors.ts';
import type {
  Endpoint,
  EndpointQuestion,
  EndpointRequest,
  Envelope,
  RequestMeta,
  TextAnswer,
} from './endpoint.ts';
import { noteFailure } from './error-handler.ts';
import { JSON_TYPE } from './response-headers.ts';

/** A request, however it came: over HTTP or as an agent's message. */
export interface QuestionRequest extends Omit<EndpointRequest, 'reportFailure'> {
  /** For the log. */
  requestId: string;
  /** Reserves memory for a body until it is sent. Throws `overloaded`. */
  reserveMemory: (body: object, bytes: number) => Promise<void>;
}

/** A question with its cached or loaded response. */
export interface CachedAnswer {
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

/** Answers requests from the cache, or loads. The one way for HTTP and agents. */
export function createAnswerer(cache: ResponseCache, failureLog: ThrottledLog): AnswerRequest {
  return async function answerRequest(endpoint, { requestId, reserveMemory, ...request }) {
    const question = await endpoint.parse({
      ...request,
      reportFailure: (error) => noteFailure(failureLog, error, requestId),
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
  { ignored, echo }: Pick<EndpointQuestion, 'ignored' | 'echo'>,
): RequestMeta {
  const stale = outcome === 'stale' || outcome === 'revalidating';
  return { cached: stale || outcome === 'hit', stale, tookMs, ignored, echo };
}

/** Whether the body contains what only this request has, so that no other shares it. Other forms than JSON do not. */
export const hasOwnBody = ({
  ignored,
  echo,
  form,
}: Pick<EndpointQuestion, 'ignored' | 'echo' | 'form'>): boolean =>
  form === undefined && (ignored.length > 0 || echo !== undefined);

/**
 * Calls an endpoint by its name, as a request would, through the cache, in JSON or as the text of its lines. Never
 * rejects. The signal is aborted when the caller no longer waits.
 */
export type CallEndpoint = (
  name: string,
  request: QuestionRequest,
  signal: AbortSignal,
) => Promise<{ status: number; contentType: string; text: string; retryAfterSeconds?: number | undefined }>;

async function readText({ body }: TextAnswer, signal: AbortSignal): Promise<string> {
  if (typeof body === 'string') return body;
  const parts: Buffer[] = [];
  for await (const part of body(signal)) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString();
}

interface CallerOptions {
  endpoints: readonly Endpoint[];
  answerRequest: AnswerRequest;
  envelope: Envelope;
  failureLog: ThrottledLog;
}

export function createEndpointCaller(options: CallerOptions): CallEndpoint {
  const { endpoints, answerRequest, envelope, failureLog } = options;
  const byName = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]));
  return async (name, request, signal) => {
    try {
      const endpoint = byName.get(name);
      if (!endpoint) throw new Error(`There is no endpoint ${name}.`);
      const answer = await answerRequest(endpoint, request);
      if ('body' in answer)
        return { status: 200, contentType: answer.contentType, text: await readText(answer, signal) };
      const { question, result } = answer;
      const { status, data } = result.entry;
      const parts = status === 200 ? envelope(result.entry, requestMetaOf(result, question)) : [data];
      return { status, contentType: JSON_TYPE, text: Buffer.concat(parts).toString() };
    } catch (error) {
      const failure = asServiceError(error);
      noteFailure(failureLog, failure, request.requestId);
      const { status, retryAfterSeconds } = failure;
      const text = JSON.stringify(toErrorBody(failure));
      return { status, contentType: JSON_TYPE, text, retryAfterSeconds };
    }
  };
}
