/** Heads are about 900 bytes. */
const HEAD_ROOM = 2_048;

/**
 * A body with room for its head in front, so that a response can be one buffer and one write. The lines of the head
 * that are the same for every response stand before the body, what differs is written before those anew each time:
 * whoever hands the bytes to a socket that has not taken them all at once must take another buffer for the next.
 */
export class ResponseBuffer {
  readonly #whole: Buffer;
  /** Where the lines before the body begin; undefined until they are written. */
  #linesAt: number | undefined;

  constructor(parts: readonly Buffer[]) {
    const bodyLength = parts.reduce((sum, part) => sum + part.length, 0);
    // Of its own: a slice of Node's pool would keep its neighbours alive.
    this.#whole = Buffer.allocUnsafeSlow(HEAD_ROOM + bodyLength);
    let at = HEAD_ROOM;
    for (const part of parts) at += part.copy(this.#whole, at);
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
