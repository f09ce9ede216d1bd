import { LRUCache } from 'lru-cache';
import type { CacheEntry } from '../cache/cache-entry.ts';
import type { EndpointQuestion, Envelope, RequestMeta } from './endpoint.ts';
import type { Release } from '../limits/admission.ts';
import { encodeBody } from './negotiation.ts';
import type { Encoding } from './negotiation.ts';

/** Responses in other forms than JSON: some forty of 500 rows each. */
const MAX_WRITTEN_BYTES = 16_000_000;
const ENTRY_OVERHEAD_BYTES = 1_000;

/** A hit in memory takes less than half a millisecond, hence 0. */
const HIT: RequestMeta = { cached: true, stale: false, tookMs: 0, ignored: [], requestedSpelling: undefined };

/** Larger bodies are not copied: concurrent responses share the buffers of their parts. */
export const MAX_COPIED_BYTES = 131_072;

/** Space for a head, which has about 900 bytes. */
const HEAD_BYTES = 2_048;

/** A body as it is sent: buffers that other connections may be sending too, so they are never changed. */
export class Body {
  readonly encoding: Encoding;
  readonly parts: readonly Buffer[];
  /** Bytes of all parts. */
  readonly length: number;
  /** The constant lines of the head of a 304, once one was sent. */
  unchangedLines: string | undefined;
  /** The body with space for its head in front. */
  #buffer: Buffer | undefined;
  /** Where the constant lines of the head begin in the buffer; undefined until they are written. */
  #linesAt: number | undefined;

  constructor(encoding: Encoding, parts: readonly Buffer[]) {
    this.encoding = encoding;
    this.parts = parts;
    this.length = parts.reduce((sum, part) => sum + part.length, 0);
  }

  /** The body in one buffer, which all its responses share; undefined if it is large. */
  get whole(): Buffer | undefined {
    if (this.parts.length === 1) return this.parts[0];
    return this.length > MAX_COPIED_BYTES ? undefined : this.#inOneBuffer().subarray(HEAD_BYTES);
  }

  /**
   * Head and body as one buffer, so that a response is one write: `opening` differs each time, `lines` is called once.
   * Both are Latin-1. Undefined if the head is longer than its space. The next call writes to the same buffer: see
   * `releaseBuffer`.
   */
  withHead(opening: string, lines: () => string): Buffer | undefined {
    const buffer = this.#inOneBuffer();
    if (this.#linesAt === undefined) {
      const text = lines();
      this.#linesAt = HEAD_BYTES - text.length;
      if (this.#linesAt >= 0) buffer.write(text, this.#linesAt, 'latin1');
    }
    const start = this.#linesAt - opening.length;
    if (start < 0) return undefined;
    buffer.write(opening, start, 'latin1');
    return buffer.subarray(start);
  }

  /** Call if the buffer is still being sent: the next response gets another. */
  releaseBuffer(): void {
    this.#buffer = undefined;
    this.#linesAt = undefined;
  }

  #inOneBuffer(): Buffer {
    if (this.#buffer === undefined) {
      // Not from Node's pool: a slice would keep the whole pool alive.
      this.#buffer = Buffer.allocUnsafeSlow(HEAD_BYTES + this.length);
      let at = HEAD_BYTES;
      for (const part of this.parts) at += part.copy(this.#buffer, at);
    }
    return this.#buffer;
  }
}

/** Whether the JSON contains what only this request has, so that no other shares it. */
export const hasOwnBody = ({ ignored }: Pick<EndpointQuestion, 'ignored'>): boolean => ignored.length > 0;

/** Plain parts are not concatenated: they contain the data of the cache entry, which all its bodies share. */
async function encodeParts(parts: readonly Buffer[], encoding: Encoding, client?: string): Promise<Body> {
  if (encoding === 'identity') return new Body(encoding, parts);
  const plain = Buffer.concat(parts);
  const bytes = await encodeBody(plain, encoding, client);
  return bytes === plain ? new Body('identity', parts) : new Body(encoding, [bytes]);
}

/** How to write a body in another form than JSON, in small parts, and how to let other requests come in between. */
interface Writing {
  client?: string | undefined;
  /** Reserves memory until it is written. Throws `overloaded`. */
  reserve: () => Release;
  write: () => Iterable<string>;
  nextTurn: () => Promise<void>;
}

/** Characters written in a turn of the event loop: some milliseconds. */
const CHARACTERS_A_TURN = 200_000;

async function writeInTurns({ write, nextTurn }: Writing): Promise<Buffer[]> {
  const parts: Buffer[] = [];
  let text = '';
  for (const piece of write()) {
    text += piece;
    if (text.length < CHARACTERS_A_TURN) continue;
    parts.push(Buffer.from(text));
    text = '';
    await nextTurn();
  }
  return [...parts, Buffer.from(text)];
}

/** The body of a load or of all hits. */
interface SharedBody {
  /** The members of `meta` that the requests have in common. */
  readonly common: string;
  readonly made: Promise<Body>;
}

/**
 * The bodies of responses, each composed and compressed once for all requests that need it. An entry has one body an
 * encoding: that of its load, for all requests that waited for it, until the first hit replaces it. They are freed with
 * their entry; other forms than JSON have their own bound.
 */
export class SharedBodies {
  readonly #envelope: Envelope;
  readonly #bodies = new WeakMap<CacheEntry, Partial<Record<Encoding, SharedBody | undefined>>>();
  readonly #byKey = new LRUCache<string, Body>({
    maxSize: MAX_WRITTEN_BYTES,
    sizeCalculation: (body, key) => body.length + key.length * 2 + ENTRY_OVERHEAD_BYTES,
  });
  /** Those who wait for a body get it, also if others have used up the space meanwhile. */
  readonly #writings = new Map<string, Promise<Body>>();

  constructor(envelope: Envelope) {
    this.#envelope = envelope;
  }

  async get(entry: CacheEntry, encoding: Encoding, requestMeta: RequestMeta, client?: string): Promise<Body> {
    // A 404 is the same for every request.
    const meta = entry.status === 200 ? requestMeta : HIT;
    const make = async () => {
      const parts = entry.status === 200 ? this.#envelope(entry, meta) : [entry.data];
      return encodeParts(parts, encoding, client);
    };
    if (hasOwnBody(meta)) return make();
    const bodies = this.#bodies.get(entry) ?? {};
    this.#bodies.set(entry, bodies);
    const common = `${meta.cached} ${meta.stale} ${meta.tookMs} ${meta.requestedSpelling ?? ''}`;
    const existing = bodies[encoding];
    if (existing?.common === common) return existing.made;
    const shared = { common, made: make() };
    bodies[encoding] = shared;
    // After a failure the next request tries again.
    shared.made.catch(() => {
      if (bodies[encoding] === shared) bodies[encoding] = undefined;
    });
    return shared.made;
  }

  /**
   * A body in another form than JSON, by its key. Equal keys mean equal texts. Rejects with `overloaded` only the request
   * that would begin to write.
   */
  async getKeyed(key: string, encoding: Encoding, writing: Writing): Promise<Body> {
    const name = `${encoding} ${key}`;
    const shared = this.#byKey.get(name) ?? this.#writings.get(name);
    if (shared) return shared;
    const release = writing.reserve();
    const write = async () => {
      const body = await encodeParts(await writeInTurns(writing), encoding, writing.client);
      this.#byKey.set(name, body);
      return body;
    };
    const made = write().finally(() => {
      release();
      this.#writings.delete(name);
    });
    this.#writings.set(name, made);
    return made;
  }
}
