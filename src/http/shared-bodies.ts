import { LRUCache } from 'lru-cache';
import type { CacheEntry } from '../cache/cache-entry.ts';
import { encodePrefix } from './encoding.ts';
import type { EncodedPrefix, Encoding } from './encoding.ts';
import type { RequestMeta, Envelope } from './endpoint.ts';
import { ResponseBuffer } from './response-buffer.ts';

/** A body as it is sent: buffers that other connections may be sending too, so they are never changed. */
export interface Body {
  encoding: Encoding;
  parts: readonly Buffer[];
  /** Bytes of all parts. */
  length: number;
}

/** Memory of a cached response as a multiple of its data: plain, gzip and brotli bodies. JSON shrinks to a quarter. */
export const CACHED_WEIGHT = 3;

/** Responses in other forms than JSON: some forty of 500 novels each. */
const MAX_WRITTEN_BYTES = 16_000_000;
const ENTRY_OVERHEAD_BYTES = 1_000;

/** A hit in memory takes less than half a millisecond, hence 0. */
const HIT: RequestMeta = { cached: true, stale: false, tookMs: 0, ignored: [], echo: undefined };

/** The body of one response in one encoding. All responses of the same data share its beginning. */
export class SharedBody {
  readonly #prefix: EncodedPrefix;
  readonly #endOfHit: Buffer;
  #oneBuffer: ResponseBuffer | undefined;
  readonly encoding: Encoding;
  /** Bytes of the body of a hit. */
  readonly length: number;

  constructor(prefix: EncodedPrefix, endOfHit: string) {
    this.#prefix = prefix;
    this.encoding = prefix.encoding;
    this.#endOfHit = prefix.endWith(Buffer.from(endOfHit));
    this.length = this.hit().length;
  }

  /** The body of a hit. */
  hit(): Body {
    return this.#bodyWith(this.#endOfHit);
  }

  /** The same body with another end. */
  endingWith(end: string): Body {
    return this.#bodyWith(this.#prefix.endWith(Buffer.from(end)));
  }

  /** The body of a hit, with space for its head. */
  inOneBuffer(): ResponseBuffer {
    return (this.#oneBuffer ??= new ResponseBuffer(this.hit().parts));
  }

  /** Call if the buffer is still being sent: the next response gets another. */
  releaseBuffer(): void {
    this.#oneBuffer = undefined;
  }

  #bodyWith(end: Buffer): Body {
    const parts = [...this.#prefix.parts, end].filter((part) => part.length > 0);
    return { encoding: this.encoding, parts, length: parts.reduce((sum, part) => sum + part.length, 0) };
  }
}

type Bodies = Partial<Record<Encoding, SharedBody | Promise<SharedBody> | undefined>>;

/**
 * The bodies of responses. Each is composed and compressed once, for all requests that need it. JSON bodies are freed
 * with their cache entry; other forms have their own bound.
 */
export class SharedBodies {
  readonly #envelope: Envelope;
  readonly #bodies = new WeakMap<CacheEntry, Bodies>();
  readonly #byKey = new LRUCache<string, SharedBody>({
    maxSize: MAX_WRITTEN_BYTES,
    sizeCalculation: (body, key) => body.length + key.length * 2 + ENTRY_OVERHEAD_BYTES,
  });
  readonly #pending = new Map<string, Promise<SharedBody>>();

  constructor(envelope: Envelope) {
    this.#envelope = envelope;
  }

  /** The body of a response, if it exists already. */
  findReady(entry: CacheEntry, encoding: Encoding): SharedBody | undefined {
    const body = this.#bodies.get(entry)?.[encoding];
    return body instanceof SharedBody ? body : undefined;
  }

  /** With `echo`, requests that are written alike share it. */
  async get(entry: CacheEntry, encoding: Encoding, echo?: string): Promise<SharedBody> {
    if (echo !== undefined) {
      const key = `echo ${entry.fetchedAt} ${entry.etag} ${echo}`;
      return this.getKeyed(key, encoding, () =>
        Buffer.concat(this.#envelope.opening(entry, echo)).toString(),
      );
    }
    const bodies = this.#bodies.get(entry) ?? {};
    this.#bodies.set(entry, bodies);
    bodies[encoding] ??= this.#make(entry, encoding).catch((error: unknown) => {
      // The next request tries again.
      bodies[encoding] = undefined;
      throw error;
    });
    return (bodies[encoding] = await bodies[encoding]);
  }

  /** A body by its key, in another form than JSON or with an echo. Equal keys mean equal texts. */
  async getKeyed(key: string, encoding: Encoding, write: () => string): Promise<SharedBody> {
    const name = `${encoding} ${key}`;
    const cached = this.#byKey.get(name);
    if (cached) return cached;
    let pending = this.#pending.get(name);
    if (!pending) {
      pending = encodePrefix([Buffer.from(write())], encoding)
        .then((prefix) => new SharedBody(prefix, ''))
        .finally(() => this.#pending.delete(name));
      this.#pending.set(name, pending);
    }
    const body = await pending;
    this.#byKey.set(name, body);
    return body;
  }

  /** The end of the body for one request: a few bytes. */
  endOf(entry: CacheEntry, requestMeta: RequestMeta): string {
    // A 404 is the same for every request.
    return entry.status === 200 ? this.#envelope.ending(entry, requestMeta) : '';
  }

  async #make(entry: CacheEntry, encoding: Encoding): Promise<SharedBody> {
    const parts = entry.status === 200 ? this.#envelope.opening(entry) : [entry.data];
    return new SharedBody(await encodePrefix(parts, encoding), this.endOf(entry, HIT));
  }
}
