import type { FastifyReply } from 'fastify';
import type { CacheResult } from '../cache/response-cache.ts';
import type { Clock } from '../process/clock.ts';
import { ONCE, chooseEncoding, encodeBody } from './encoding.ts';
import type { EncodedBody } from './encoding.ts';
import type { ComposeBody, EndpointQuestion, NextPage, WrittenForm } from './endpoint.ts';
import { requestTarget } from './request-target.ts';
import type { KeptBodies } from './response-buffer.ts';
import {
  JSON_TYPE,
  ageSeconds,
  answerHeaders,
  cacheStatus,
  downloadAs,
  linkToNext,
  matchesEtag,
  nameIgnored,
  nextLink,
} from './response-headers.ts';

interface AnswerWriterOptions {
  clock: Clock;
  /** Names the cache in Cache-Status (RFC 9211). */
  cacheName: string;
  compose: ComposeBody;
  bodies: KeptBodies;
}

/** What of a question shapes its answer. */
type Shape = Pick<EndpointQuestion, 'ignored' | 'echo' | 'form' | 'next'>;

export type SendAnswer = (reply: FastifyReply, result: CacheResult, shape: Shape) => Promise<FastifyReply>;

/** Each form has its own validator, made of that of the data. */
const etagFor = (etag: string, form: WrittenForm) => etag.replace(/"$/, `-${form.name}"`);

function addLink(reply: FastifyReply, next: ReturnType<NextPage>): void {
  if (next === undefined) return;
  const { raw, originalUrl, isFromProxy } = reply.request;
  const { origin } = requestTarget(raw, originalUrl, isFromProxy);
  reply.header('link', linkToNext(origin, nextLink(originalUrl, next)));
}

/** The one writer of answers that are not errors: status, validator, age, encoding, body. */
export function createAnswerWriter(options: AnswerWriterOptions): SendAnswer {
  const { clock, bodies, compose } = options;

  function bodyOf(
    { answer, outcome }: CacheResult,
    { request }: FastifyReply,
    { ignored, echo, form }: Shape,
  ): Promise<EncodedBody> {
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    if (form) {
      const target = requestTarget(request.raw, request.originalUrl, request.isFromProxy);
      return encodeBody(Buffer.from(form.write(answer, target)), encoding, ONCE);
    }
    if (outcome === 'hit' && ignored.length === 0 && echo === undefined) return bodies.get(answer, encoding);
    if (answer.status !== 200) return encodeBody(answer.data, encoding, ONCE);
    const stale = outcome === 'stale' || outcome === 'revalidating';
    const tookMs = Math.round(clock.monotonic() - request.startedAt);
    const cached = stale || outcome === 'hit' || outcome === 'derived';
    const circumstances = { cached, stale, tookMs, ignored, echo };
    return encodeBody(compose(answer, circumstances), encoding, ONCE);
  }

  return async function sendAnswer(reply, result, { ignored, echo, form: wanted, next }) {
    const { answer, outcome } = result;
    const now = clock.now();
    // What does not exist is said in JSON, whatever form was asked for.
    const form = answer.status === 200 ? wanted : undefined;
    const etag = form ? etagFor(answer.etag, form) : answer.etag;
    reply.request.outcome = outcome;
    reply.headers(Object.fromEntries(answerHeaders(answer)));
    reply.header('etag', etag);
    reply.header('age', String(ageSeconds(answer, now)));
    reply.header('cache-status', cacheStatus(options.cacheName, answer, outcome, now));
    addLink(reply, answer.status === 200 ? next?.(answer) : undefined);
    if (form) {
      nameIgnored(reply, ignored);
      reply.headers(Object.fromEntries(downloadAs(reply.request.originalUrl, form.extension)));
    }
    if (answer.status === 200 && matchesEtag(reply.request.headers['if-none-match'], etag)) {
      return reply.code(304).send();
    }
    const body = await bodyOf(result, reply, { ignored, echo, form });
    if (body.encoding !== 'identity') reply.header('content-encoding', body.encoding);
    return reply
      .code(answer.status)
      .type(form?.contentType ?? JSON_TYPE)
      .send(body.bytes);
  };
}
