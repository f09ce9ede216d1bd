import type { FastifyInstance } from 'fastify';
import type { ResponseCache } from '../cache/response-cache.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import { systemSleep } from '../deadline.ts';
import type { HowToClose } from '../process/shutdown.ts';
import { createThrottledLog } from '../process/throttled-log.ts';
import { accessLog } from './access-log.ts';
import type { AccessLogOptions } from './access-log.ts';
import { rateLimit, requestAdmission } from './admit-request.ts';
import type { ConnectionStats } from './connections.ts';
import { createServer } from './create-server.ts';
import type { ServerOptions } from './create-server.ts';
import { documentRoutes } from './documents.ts';
import type { Endpoint, Envelope } from './endpoint.ts';
import { errorHandler } from './error-handler.ts';
import { createMemoryHits, memoryHits } from './memory-hits.ts';
import type { Operator, ServiceDescription } from './openapi.ts';
import { pageRoutes } from './pages.ts';
import type { BuiltPages, PageAddresses } from './pages.ts';
import { part } from './part.ts';
import { createClientAddressReader, requestContext } from './request-context.ts';
import { commonHeaders, createCommonHeaders } from './response-headers.ts';
import type { Shutdown } from './response-headers.ts';
import { preflight, routingErrors } from './routing.ts';
import type { RoutingErrorOptions } from './routing.ts';
import { endpointRoutes } from './serve-endpoint.ts';
import { SharedBodies } from './shared-bodies.ts';
import { writeTimeout } from './slow-readers.ts';
import type { WriteTimeoutOptions } from './slow-readers.ts';

/** Whether the source can serve all requests, some (`degraded`), or none. */
export interface ReadinessFacts extends Readonly<Record<string, unknown>> {
  readonly status: 'ready' | 'degraded' | 'not ready';
}

/** Infrastructure of a service. */
export interface ServiceParts extends Omit<ServerOptions, 'clientOf'>, AccessLogOptions, WriteTimeoutOptions {
  cache: ResponseCache;
  /** undefined: no limit. */
  limiter: RateLimiter | undefined;
  trustedProxies: readonly string[];
  /** Sample data: every response says so. */
  isSample: () => boolean;
  pageAddresses?: PageAddresses;
  /** The source's part of /readyz; by default always ready. */
  readinessFacts?: () => ReadinessFacts;
  operator?: Operator;
}

/** Infrastructure and definition of a service. */
export interface HttpAppOptions extends ServiceParts, RoutingErrorOptions {
  description: ServiceDescription;
  endpoints: readonly Endpoint[];
  envelope: Envelope;
  pages?: BuiltPages;
}

export interface HttpApp {
  app: FastifyInstance;
  connections: () => ConnectionStats;
  /** Binds and resolves to the address, `http://127.0.0.1:3000`. Port 0 means any free port. */
  listen: (host: string, port: number) => Promise<string>;
  /** Drains, stops accepting, waits for requests in flight, closes idle connections. */
  close: (how?: HowToClose) => Promise<void>;
}

/** Connections that wait to be accepted; the kernel may allow fewer. Beyond it, a client retries after a second. */
const LISTEN_BACKLOG = 4_096;

/** Assembles a service: its hooks in the order of a request, its endpoints, its documents and its page. */
export function createHttpApp(options: HttpAppOptions): HttpApp {
  const { clock, cache, log, limiter, admission, isSample, operator, description, endpoints } = options;
  const shutdown = { hasBegun: false };
  const clients = createClientAddressReader(options.trustedProxies);
  const { app, connections } = createServer({ ...options, clientOf: clients.clientOf });
  // Each failure has a line in the access log; its cause is logged once a minute.
  const failureLog = createThrottledLog({ logger: log.logger, clock });
  const isChosenByAccept = endpoints.some(({ otherForms }) => otherForms?.length);
  const common = createCommonHeaders({ isChosenByAccept, isSample });
  const bodies = new SharedBodies(options.envelope);
  const cacheName = `mokuroku-${description.name}`;
  // Written by `endpointRoutes`, which sends the first hit of an address, and read by `memoryHits`, which sends the others.
  const hits = createMemoryHits();
  const pages = options.pages && { ...options.pages, isSample, operator };

  void app
    .register(errorHandler({ failureLog }))
    .register(writeTimeout(options))
    .register(requestContext({ clock, clients }))
    .register(accessLog(options))
    // Before all that answers: wrong paths and responses from memory count.
    .register(rateLimit({ limiter }))
    .register(routingErrors(options))
    .register(memoryHits({ cache, hits, clock, admission, common, cacheName, shutdown }))
    .register(requestAdmission({ admission }))
    .register(commonHeaders({ common, shutdown }))
    // The routes.
    .register(preflight())
    .register(endpointRoutes(endpoints, { cache, admission, bodies, clock, cacheName, hits, failureLog }))
    .register(healthRoutes(shutdown, options.readinessFacts))
    .register(documentRoutes(options))
    .register(pageRoutes(pages, options.pageAddresses));

  return {
    app,
    connections: () => connections.stats,
    listen: (host, port) => app.listen({ host, port, backlog: LISTEN_BACKLOG }),
    close: async (how) => {
      shutdown.hasBegun = true;
      if (how) await systemSleep(how.drainMs);
      await app.close();
    },
  };
}

const healthRoutes = (shutdown: Shutdown, facts: HttpAppOptions['readinessFacts']) =>
  part((app) => {
    const config = { isExempt: true };
    app.get('/livez', { config }, (_request, reply) =>
      reply.header('cache-control', 'no-store').send({ status: 'ok' }),
    );
    app.get('/readyz', { config }, (_request, reply) => {
      const { status: ofSource, ...more } = facts?.() ?? { status: 'ready' };
      const status = shutdown.hasBegun ? 'not ready' : ofSource;
      return reply
        .code(status === 'not ready' ? 503 : 200)
        .header('cache-control', 'no-store')
        .send({ status, ...more });
    });
  });
