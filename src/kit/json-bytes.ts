/** Data that are JSON already, as bytes of UTF-8: kept and sent as they are. */
export class JsonBytes {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}
