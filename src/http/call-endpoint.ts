import { asServiceError, toErrorBody } from '../errors.ts';
import type { ThrottledLog } from '../process/throttled-log.ts';
import type { AnswerRequest, QuestionRequest } from './answer.ts';
import { requestMetaOf } from './endpoint.ts';
import type { Endpoint, Envelope } from './endpoint.ts';
import { noteFailure } from './error-handler.ts';
import { JSON_TYPE } from './response-headers.ts';

/** The response of an endpoint to an internal call. */
interface InternalResponse {
  status: number;
  contentType: string;
  text: string;
  retryAfterSeconds?: number | undefined;
}

interface EndpointCall extends QuestionRequest {
  /** The endpoint's name. */
  name: string;
  /** Aborted when the caller no longer waits. */
  signal: AbortSignal;
}

/** Calls an endpoint as a request would, through the cache, in JSON. Never rejects. */
export type CallEndpoint = (call: EndpointCall) => Promise<InternalResponse>;

interface CallerOptions {
  endpoints: readonly Endpoint[];
  answerRequest: AnswerRequest;
  envelope: Envelope;
  failureLog: ThrottledLog;
}

export function createEndpointCaller(options: CallerOptions): CallEndpoint {
  const { endpoints, answerRequest, envelope, failureLog } = options;
  const byName = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]));

  async function reply({ name, signal, ...request }: EndpointCall): Promise<InternalResponse> {
    const endpoint = byName.get(name);
    if (!endpoint) throw new Error(`There is no endpoint ${name}.`);
    const answer = await answerRequest(endpoint, request);
    if ('body' in answer) {
      const { body, contentType } = answer;
      if (typeof body === 'string') return { status: 200, contentType, text: body };
      const parts: Buffer[] = [];
      for await (const part of body(signal)) parts.push(Buffer.from(part));
      return { status: 200, contentType, text: Buffer.concat(parts).toString() };
    }
    const { entry } = answer.result;
    const parts =
      entry.status === 200 ? envelope(entry, requestMetaOf(answer.result, answer.question)) : [entry.data];
    return { status: entry.status, contentType: JSON_TYPE, text: Buffer.concat(parts).toString() };
  }

  return async (call) => {
    try {
      return await reply(call);
    } catch (error) {
      const failure = asServiceError(error);
      noteFailure(failureLog, failure, call.requestId);
      const { status, retryAfterSeconds } = failure;
      const text = JSON.stringify(toErrorBody(failure));
      return { status, contentType: JSON_TYPE, text, retryAfterSeconds };
    }
  };
}
