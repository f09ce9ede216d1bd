import type { ResponseCache } from '../cache/response-cache.ts';
import { asServiceError, toErrorBody } from '../errors.ts';
import type { ThrottledLog } from '../process/throttled-log.ts';
import { requestMetaOf } from './endpoint.ts';
import type { Endpoint, EndpointRequest, Envelope } from './endpoint.ts';
import { noteFailure } from './error-handler.ts';
import { JSON_TYPE } from './response-headers.ts';

/** The response of an endpoint to an internal call. */
interface InternalResponse {
  status: number;
  contentType: string;
  text: string;
  retryAfterSeconds?: number | undefined;
}

interface EndpointCall extends Omit<EndpointRequest, 'reportFailure'> {
  /** The endpoint's name. */
  name: string;
  /** Id of the request that caused it, for the log. */
  requestId: string;
  /** Aborted when the caller no longer waits. */
  signal: AbortSignal;
  /** Reserves memory for the loaded data before they are copied. Throws `overloaded`. */
  reserveMemory: (body: object, bytes: number) => Promise<void>;
}

/** Calls an endpoint as a request would, through the cache, in JSON. Never rejects. */
export type CallEndpoint = (call: EndpointCall) => Promise<InternalResponse>;

interface CallerOptions {
  endpoints: readonly Endpoint[];
  cache: ResponseCache;
  envelope: Envelope;
  failureLog: ThrottledLog;
}

export function createEndpointCaller(options: CallerOptions): CallEndpoint {
  const { endpoints, cache, envelope, failureLog } = options;
  const byName = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]));

  async function reply({ name, reserveMemory, signal, ...request }: EndpointCall): Promise<InternalResponse> {
    const endpoint = byName.get(name);
    if (!endpoint) throw new Error(`There is no endpoint ${name}.`);
    const question = await endpoint.ask({
      ...request,
      reportFailure: (error) => noteFailure(failureLog, error, request.requestId),
    });
    if ('body' in question) {
      const { body, contentType } = question;
      if (typeof body === 'string') return { status: 200, contentType, text: body };
      const parts: Buffer[] = [];
      for await (const part of body(signal)) parts.push(Buffer.from(part));
      return { status: 200, contentType, text: Buffer.concat(parts).toString() };
    }
    const result = await cache.get(question, question.policy);
    const { entry } = result;
    const { status, data } = entry;
    await reserveMemory(entry, data.length);
    if (status !== 200) return { status, contentType: JSON_TYPE, text: data.toString() };
    const text = Buffer.concat(envelope(entry, requestMetaOf(result, question))).toString();
    return { status, contentType: JSON_TYPE, text };
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
