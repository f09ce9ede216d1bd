/** Heads are about 900 bytes. */
const HEAD_BYTES = 2_048;

/**
 * A body with space for its head in front, so that a response is one buffer and one write. The constant lines of the
 * head are stored before the body; the lines that differ are written before those each time. If a socket does not
 * accept all bytes at once, the next response needs another buffer.
 */
export class ResponseBuffer {
  readonly #whole: Buffer;
  /** Where the lines before the body begin; undefined until they are written. */
  #linesAt: number | undefined;

  constructor(parts: readonly Buffer[]) {
    const bodyLength = parts.reduce((sum, part) => sum + part.length, 0);
    // Not from Node's pool: a slice would keep the whole pool alive.
    this.#whole = Buffer.allocUnsafeSlow(HEAD_BYTES + bodyLength);
    let at = HEAD_BYTES;
    for (const part of parts) at += part.copy(this.#whole, at);
  }

  /**
   * Head and body as one buffer: `opening` differs each time, `lines` is called once. Both are Latin-1. Undefined if
   * the head is longer than its space.
   */
  withHead(opening: string, lines: () => string): Buffer | undefined {
    if (this.#linesAt === undefined) {
      const text = lines();
      this.#linesAt = HEAD_BYTES - text.length;
      if (this.#linesAt >= 0) this.#whole.write(text, this.#linesAt, 'latin1');
    }
    const start = this.#linesAt - opening.length;
    if (start < 0) return undefined;
    this.#whole.write(opening, start, 'latin1');
    return this.#whole.subarray(start);
  }
}
