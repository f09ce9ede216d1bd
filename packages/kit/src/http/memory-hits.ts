import { LRUCache } from 'lru-cache';
import type { CacheEntry } from '../cache/cache-entry.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import type { Admission } from '../limits/admission.ts';
import type { Clock } from '../process/clock.ts';
import type { NextPage } from './endpoint.ts';
import { part } from './part.ts';
import type { Shape } from './respond.ts';
import { nextLink } from './response-headers.ts';
import type { SharedBodies } from './shared-bodies.ts';
import { canWriteAtOnce } from './write-at-once.ts';

/** Some 20,000 short URLs, or 1,000 of the longest. */
const MAX_URL_CHARACTERS = 8_000_000;
/** Memory of a short URL, in characters. */
const URL_OVERHEAD = 400;

/** Computes the path of the next page once for each cache entry. The cache alone decides how long an entry lives. */
export function pathOfNext(url: string, next: NextPage | undefined): Shape['pathOfNext'] {
  if (!next) return () => undefined;
  let last: { readonly of: WeakRef<CacheEntry>; readonly path: string | undefined } | undefined;
  return (entry) => {
    if (last?.of.deref() !== entry) {
      const parameters = next(entry);
      last = { of: new WeakRef(entry), path: parameters && nextLink(url, parameters) };
    }
    return last.path;
  };
}

/** Questions by their URLs as clients write them, if no parameter was ignored and the form is JSON. */
export type KnownUrls = LRUCache<string, Shape>;

export const createKnownUrls = (): KnownUrls =>
  new LRUCache({ maxSize: MAX_URL_CHARACTERS, sizeCalculation: (_shape, url) => url.length + URL_OVERHEAD });

interface MemoryHitsOptions {
  cache: ResponseCache;
  bodies: SharedBodies;
  clock: Clock;
  admission: Admission;
  urls: KnownUrls;
  /** Whether an Accept header prefers JSON. */
  wantsJson: (accept: string | undefined) => boolean;
  /** True during shutdown: Fastify then closes connections. */
  isClosing: () => boolean;
}

/** Sends fresh responses from memory. The hook runs after the limiter: every response counts. */
export const memoryHits = ({
  cache,
  bodies,
  clock,
  admission,
  urls,
  wantsJson,
  isClosing,
}: MemoryHitsOptions) =>
  part((app) => {
    app.addHook('onRequest', function answerFromMemory(request, reply, done) {
      const { raw, method, headers, client } = request;
      const shape = urls.get(raw.url ?? '');
      const entry = shape && cache.findFresh(shape.key, clock.now());
      const body = entry && bodies.findHit(entry, bodies.encodingFor(request));
      const isPlain = (method === 'GET' || method === 'HEAD') && wantsJson(headers.accept);
      // A client with too many unsent responses gets its own answer from the admission.
      if (!body || !isPlain || isClosing() || !canWriteAtOnce(raw) || admission.isFull(client)) done();
      else void reply.respond({ entry, outcome: 'hit', tookMs: 0 }, shape, body);
    });
  });
