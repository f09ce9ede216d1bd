/** Room for what may stand before and behind the data in a body. */
const BEFORE = 64;
const BEHIND = 512;

/**
 * Data that are JSON already, as bytes of UTF-8: kept and sent as they are. They are copied once, into a buffer with
 * room for what an envelope puts around them, so that no other copy is needed.
 */
export class JsonBytes {
  readonly bytes: Buffer;
  readonly #whole: Buffer;

  constructor(bytes: Buffer) {
    this.#whole = Buffer.allocUnsafeSlow(BEFORE + bytes.length + BEHIND);
    bytes.copy(this.#whole, BEFORE);
    this.bytes = this.#whole.subarray(BEFORE, BEFORE + bytes.length);
  }

  /**
   * The data from its first byte up to `dataLength` with texts around them, as one buffer: the room is used, and what
   * it held is overwritten.
   */
  wrap(before: string, dataLength: number, after: string): Buffer {
    const front = Buffer.byteLength(before);
    const back = Buffer.byteLength(after);
    if (front > BEFORE || dataLength + back > this.bytes.length + BEHIND) {
      return Buffer.concat([Buffer.from(before), this.bytes.subarray(0, dataLength), Buffer.from(after)]);
    }
    this.#whole.write(before, BEFORE - front);
    this.#whole.write(after, BEFORE + dataLength);
    return this.#whole.subarray(BEFORE - front, BEFORE + dataLength + back);
  }
}
