/** JSON that a source has made by itself, as bytes. */
export class JsonBytes {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = Buffer.from(bytes);
  }
}
