import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { CacheEntry } from '../cache/cache-entry.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import { part } from './part.ts';
import { headOfEntry } from './response-headers.ts';
import type { Body } from './shared-bodies.ts';
import { canWriteAtOnce, createWriteAtOnce } from './write-at-once.ts';
import type { WriterOptions } from './write-at-once.ts';

/** Some 20,000 short URLs, or 1,000 of the longest. */
const MAX_URL_CHARACTERS = 8_000_000;
/** Memory of a short URL, in characters. */
const URL_OVERHEAD = 400;

/** A hit that was sent, for equal requests. The cache alone decides how long an entry and its bodies live. */
interface MemoryHit {
  key: string;
  entry: WeakRef<CacheEntry>;
  body: WeakRef<Body>;
  /** The path of the next page; undefined on the last page. */
  nextPath: string | undefined;
}

/** Hits by what a request may choose its response with. */
export type MemoryHits = LRUCache<string, MemoryHit>;

export const createMemoryHits = (): MemoryHits =>
  new LRUCache({
    maxSize: MAX_URL_CHARACTERS,
    sizeCalculation: (_hit, choice) => choice.length + URL_OVERHEAD,
  });

export const choiceOf = ({ headers, originalUrl }: FastifyRequest): string =>
  `${headers.accept ?? ''}\n${headers['accept-encoding'] ?? ''}\n${originalUrl}`;

interface MemoryHitsOptions extends WriterOptions {
  cache: ResponseCache;
  hits: MemoryHits;
  cacheName: string;
  /** True during shutdown: Fastify then closes connections. */
  isClosing: () => boolean;
}

/** Sends fresh responses from memory. The hook runs after the limiter: every response counts. */
export const memoryHits = (options: MemoryHitsOptions) =>
  part((app) => {
    const { cache, clock, admission, hits, cacheName, isClosing } = options;
    const writeAtOnce = createWriteAtOnce(app, options);
    app.addHook('onRequest', function answerFromMemory(request, reply, done) {
      const { raw, method, client } = request;
      const now = clock.now();
      const hit = hits.get(choiceOf(request));
      const entry = hit && cache.findFresh(hit.key, now);
      const body = hit?.entry.deref() === entry ? hit?.body.deref() : undefined;
      const isRead = method === 'GET' || method === 'HEAD';
      // A client with too many unsent responses gets its own answer from the admission.
      if (!entry || !body || !isRead || isClosing() || !canWriteAtOnce(raw) || admission.isFull(client)) {
        done();
        return;
      }
      request.outcome = 'hit';
      writeAtOnce(reply, headOfEntry(request, { entry, outcome: 'hit' }, hit, { cacheName, now }), body);
    });
  });
