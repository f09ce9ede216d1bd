import type { FastifyReply } from 'fastify';
import type { CacheResult } from '../cache/response-cache.ts';
import type { Clock } from '../process/clock.ts';
import { ONCE, chooseEncoding, encodeBody } from './encoding.ts';
import type { EncodedBody } from './encoding.ts';
import type { ComposeBody, EndpointQuestion } from './endpoint.ts';
import type { KeptBodies } from './response-buffer.ts';
import { JSON_TYPE, ageSeconds, answerHeaders, cacheStatus, matchesEtag } from './response-headers.ts';

export interface AnswerWriterOptions {
  clock: Clock;
  /** Names the cache in Cache-Status (RFC 9211). */
  cacheName: string;
  compose: ComposeBody;
  bodies: KeptBodies;
}

export type SendAnswer = (
  reply: FastifyReply,
  result: CacheResult,
  question: Pick<EndpointQuestion, 'ignored' | 'echo'>,
) => Promise<FastifyReply>;

/** The one writer of answers that are not errors: status, validator, age, encoding, body. */
export function createAnswerWriter(options: AnswerWriterOptions): SendAnswer {
  const { clock, bodies, compose } = options;

  function bodyOf(
    { answer, outcome }: CacheResult,
    { request }: FastifyReply,
    { ignored, echo }: Pick<EndpointQuestion, 'ignored' | 'echo'>,
  ): Promise<EncodedBody> {
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    if (outcome === 'hit' && ignored.length === 0 && echo === undefined) return bodies.get(answer, encoding);
    if (answer.status !== 200) return encodeBody(answer.data, encoding, ONCE);
    const stale = outcome === 'stale' || outcome === 'revalidating';
    const tookMs = Math.round(clock.monotonic() - request.startedAt);
    const cached = stale || outcome === 'hit' || outcome === 'derived';
    const circumstances = { cached, stale, tookMs, ignored, echo };
    return encodeBody(compose(answer, circumstances), encoding, ONCE);
  }

  return async function sendAnswer(reply, result, question) {
    const { answer, outcome } = result;
    const now = clock.now();
    reply.request.outcome = outcome;
    reply.headers(Object.fromEntries(answerHeaders(answer)));
    reply.header('age', String(ageSeconds(answer, now)));
    reply.header('cache-status', cacheStatus(options.cacheName, answer, outcome, now));
    if (answer.status === 200 && matchesEtag(reply.request.headers['if-none-match'], answer.etag)) {
      return reply.code(304).send();
    }
    const body = await bodyOf(result, reply, question);
    if (body.encoding !== 'identity') reply.header('content-encoding', body.encoding);
    return reply.code(answer.status).type(JSON_TYPE).send(body.bytes);
  };
}
