import type { KeptAnswer } from '../cache/answer.ts';
import type { Circumstances, ComposeBody } from './endpoint.ts';
import { OFTEN, encodeBody } from './encoding.ts';
import type { EncodedBody, Encoding } from './encoding.ts';

/** Heads are about 900 bytes. */
const HEAD_ROOM = 2_048;

/**
 * A body with room for its head in front, so that an answer can be one buffer and one write. The lines of the head
 * that are the same for every answer stand before the body, what differs is written before those anew each time:
 * whoever hands the bytes to a socket that has not taken them all at once must take another buffer for the next.
 */
export class ResponseBuffer implements EncodedBody {
  /** The body alone. */
  readonly bytes: Buffer;
  readonly encoding: Encoding;
  readonly #whole: Buffer;
  /** Where the lines before the body begin; undefined until they are written. */
  #linesAt: number | undefined;

  constructor(body: EncodedBody) {
    // Of its own: a slice of Node's pool would keep its neighbours alive.
    this.#whole = Buffer.allocUnsafeSlow(HEAD_ROOM + body.bytes.length);
    body.bytes.copy(this.#whole, HEAD_ROOM);
    this.bytes = this.#whole.subarray(HEAD_ROOM);
    this.encoding = body.encoding;
  }

  /**
   * Head and body in one: what differs each time, then the lines that never do, which are asked for once. All is
   * Latin-1. Undefined when the head is longer than the room.
   */
  withHead(opening: string, lines: () => string): Buffer | undefined {
    if (this.#linesAt === undefined) {
      const text = lines();
      this.#linesAt = HEAD_ROOM - text.length;
      if (this.#linesAt >= 0) this.#whole.write(text, this.#linesAt, 'latin1');
    }
    const start = this.#linesAt - opening.length;
    if (start < 0) return undefined;
    this.#whole.write(opening, start, 'latin1');
    return this.#whole.subarray(start);
  }
}

/** What a kept answer weighs times its data: plain, gzip and brotli bodies beside it. JSON shrinks to a quarter. */
export const KEPT_WEIGHT = 2.5;

/** What an in-memory hit took: under half a millisecond, so 0 whole ones. */
const HIT: Circumstances = { cached: true, stale: false, tookMs: 0, ignored: [], echo: undefined };

type Bodies = Partial<Record<Encoding, ResponseBuffer | Promise<ResponseBuffer>>>;

/** The bodies of kept answers, made when first asked for and gone with the answer. */
export class KeptBodies {
  readonly #compose: ComposeBody;
  readonly #bodies = new WeakMap<KeptAnswer, Bodies>();

  constructor(compose: ComposeBody) {
    this.#compose = compose;
  }

  /** The body of a hit, if it has been made. */
  made(answer: KeptAnswer, encoding: Encoding): ResponseBuffer | undefined {
    const body = this.#bodies.get(answer)?.[encoding];
    return body instanceof ResponseBuffer ? body : undefined;
  }

  /** The body of a hit. All that ask while it is being compressed wait for the same. */
  async get(answer: KeptAnswer, encoding: Encoding): Promise<ResponseBuffer> {
    let bodies = this.#bodies.get(answer);
    if (!bodies) this.#bodies.set(answer, (bodies = {}));
    bodies[encoding] ??= this.#make(answer, encoding);
    const body = await bodies[encoding];
    return (bodies[encoding] = body);
  }

  /** The buffer that was made is still on its way to a client: the next answer gets its own. */
  replace(answer: KeptAnswer, body: ResponseBuffer): void {
    const bodies = this.#bodies.get(answer);
    for (const encoding of ['identity', 'gzip', 'br'] as const) {
      if (bodies?.[encoding] === body) bodies[encoding] = new ResponseBuffer(body);
    }
  }

  async #make(answer: KeptAnswer, encoding: Encoding): Promise<ResponseBuffer> {
    const plain = answer.status === 200 ? this.#compose(answer, HIT) : answer.data;
    return new ResponseBuffer(await encodeBody(plain, encoding, OFTEN));
  }
}
