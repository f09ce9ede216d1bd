import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifySchema } from 'fastify';
import { exchangeOf } from './exchange.ts';
import type { HotUrls } from './hot-urls.ts';
import type { Logger } from '../process/logger.ts';
import { parseQueryString } from './query-string.ts';
import type { QueryString } from './query-string.ts';
import type { Loaded, ResponseCache } from '../cache/response-cache.ts';
import type { ResponseWriter } from './response-writer.ts';
import type { CachePolicy } from '../cache/stored-answer.ts';

/** One request, understood: what to look up in the cache and how to load it. */
export interface PreparedRequest {
  /** Normalised: equal questions have equal keys. */
  key: string;
  policy: CachePolicy;
  /** Names of query parameters that have no effect. */
  ignored: readonly string[];
  /** What the body repeats as this request wrote it; left out when it is written as the key has it. */
  echo?: string;
  load: () => Promise<Loaded>;
}

export interface Route {
  /** Fastify's form: `/v1/novels/:ncode`. */
  url: string;
  /** Published in OpenAPI; the parsing is done by `prepare`, from the same schemas. */
  schema: FastifySchema;
  /** Throws ServiceError (invalid_parameter ...) naming every fault. */
  prepare(input: { params: Readonly<Record<string, string>>; query: QueryString }): PreparedRequest;
}

export interface RouteServices {
  cache: ResponseCache;
  hotUrls: HotUrls;
  writer: ResponseWriter;
  logger: Logger;
}

/** Answers one request of a route: understood, looked up or loaded, written. Rejects with what cannot be answered. */
export async function serveRoute(
  services: RouteServices,
  route: Route,
  params: Readonly<Record<string, string>>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { cache, hotUrls, writer, logger } = services;
  const url = request.url ?? '';
  const question = url.indexOf('?');
  const query = parseQueryString(question < 0 ? '' : url.slice(question + 1));
  const { key, policy, ignored, echo, load } = route.prepare({ params, query });
  const served = await cache.get(key, policy, load);
  const exchange = exchangeOf(request);
  if (served.failure !== undefined) {
    logger.warn({ id: exchange.id, key, err: served.failure }, 'served stale');
  }
  writer.writeAnswer(request, response, exchange, {
    answer: served.answer,
    outcome: served.outcome,
    ignored,
    echo,
  });
  // What is for the next request comes when this one has its answer.
  if (ignored.length === 0 && echo === undefined) hotUrls.remember(url, key);
}
