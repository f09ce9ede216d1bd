import type { FastifyInstance } from 'fastify';
import type { ResponseCache } from '../cache/response-cache.ts';
import { describeFailure } from '../process/recurring-log.ts';
import type { RecurringLog } from '../process/recurring-log.ts';
import type { SendAnswer } from './answers.ts';
import type { Endpoint } from './endpoint.ts';
import { refuseOtherMethods } from './failures.ts';
import type { KeptAnswers } from './kept-answer.ts';
import { endpointRequest, sendText } from './text-endpoint.ts';

interface Served {
  cache: ResponseCache;
  troubles: RecurringLog;
  sendAnswer: SendAnswer;
  keptAnswers: KeptAnswers;
}

/** The way of an answer that is not ready in memory: understood, looked up or loaded, written. */
export function serveEndpoint(
  app: FastifyInstance,
  endpoint: Endpoint,
  { cache, troubles, sendAnswer, keptAnswers }: Served,
): void {
  app.get(endpoint.path, async (request, reply) => {
    const question = endpoint.ask(endpointRequest(request));
    const { ignored, echo, form } = question;
    if (form && 'lines' in form) {
      const body = form.lines(cache);
      return sendText(reply, { body, cacheControl: 'no-store', ignored, contentType: form.contentType });
    }
    const result = await cache.get(question, endpoint.cache);
    if (result.failure !== undefined) {
      const reason = describeFailure(result.failure);
      troubles.note('warn', 'stale', { id: request.id, key: question.key, reason }, 'served stale');
    }
    await sendAnswer(reply, result, { ignored, echo, form });
    // What is for the next request comes when this one has its answer.
    if (ignored.length === 0 && echo === undefined && form === undefined) {
      keptAnswers.remember(request.originalUrl, question.key);
    }
    return reply;
  });
  refuseOtherMethods(app, endpoint.path);
}
