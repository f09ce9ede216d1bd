/** Bytes that one UTF-16 unit becomes at most: an escape. */
const MOST_BYTES = 6;

const escapeOf = (unit: number): string => JSON.stringify(String.fromCharCode(unit)).slice(1, -1);

/** Of ASCII, the letter that stands behind the backslash: `n` for a line break. 0: none does. */
const SHORT_ESCAPES = Uint8Array.from({ length: 0x80 }, (_, unit) => {
  const escape = escapeOf(unit);
  return escape.length === 2 ? escape.charCodeAt(1) : 0;
});

/** Whether a whole surrogate pair begins there. */
const isPair = (units: Uint16Array, at: number): boolean =>
  at + 1 < units.length &&
  ((units[at] as number) & 0xfc00) === 0xd800 &&
  ((units[at + 1] as number) & 0xfc00) === 0xdc00;

/**
 * JSON put together as UTF-8 in one buffer. Texts are written unit by unit from the UTF-16 that they are stored in:
 * strings in between, made, escaped, joined and encoded, took three times as long for a page of novels.
 */
export class JsonBytes {
  #bytes = Buffer.allocUnsafeSlow(65_536);
  #length = 0;

  /** JSON as it is. */
  put(json: string): void {
    this.#makeRoom(json.length * 3);
    this.#length += this.#bytes.write(json, this.#length);
  }

  /** A string of these units, as JSON.stringify writes it: half a surrogate pair is escaped. */
  putText(units: Uint16Array): void {
    this.#makeRoom(units.length * MOST_BYTES + 2);
    const bytes = this.#bytes;
    let length = this.#length;
    bytes[length++] = 0x22;
    for (let at = 0; at < units.length; at++) {
      const unit = units[at] as number;
      if (unit >= 0x800 && (unit < 0xd800 || unit > 0xdfff)) {
        bytes[length++] = 0xe0 | (unit >> 12);
        bytes[length++] = 0x80 | ((unit >> 6) & 0x3f);
        bytes[length++] = 0x80 | (unit & 0x3f);
      } else if (unit >= 0x80 && unit < 0x800) {
        bytes[length++] = 0xc0 | (unit >> 6);
        bytes[length++] = 0x80 | (unit & 0x3f);
      } else if (unit < 0x80 && SHORT_ESCAPES[unit] !== 0) {
        bytes[length++] = 0x5c;
        bytes[length++] = SHORT_ESCAPES[unit] as number;
      } else if (unit >= 0x20 && unit < 0x80) {
        bytes[length++] = unit;
      } else {
        const rare = isPair(units, at) ? String.fromCharCode(unit, units[++at] as number) : escapeOf(unit);
        length += bytes.write(rare, length);
      }
    }
    bytes[length++] = 0x22;
    this.#length = length;
  }

  /** What was put together, in a buffer of its own; the next begins empty. */
  take(): Buffer {
    const json = Buffer.allocUnsafeSlow(this.#length);
    this.#bytes.copy(json);
    this.#length = 0;
    return json;
  }

  #makeRoom(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.#length + bytes));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
