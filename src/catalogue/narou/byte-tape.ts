/** Bytes being read and bytes being written; both positions only move forward. */
export interface ByteTape {
  readonly input: Buffer;
  readonly inputView: DataView;
  /** Of the next byte to read. */
  at: number;
  output: Buffer;
  outputView: DataView;
  /** Of the next byte to write. */
  end: number;
}

/** Known bytes, also as whole words, so that they are compared and copied four at a time. */
export interface KnownBytes {
  readonly length: number;
  readonly bytes: Buffer;
  /** The words in reading order (big endian), the last one filled up with zeros. */
  readonly words: Int32Array;
  /** Which bits of the last word count. */
  readonly lastMask: number;
}

export function knownBytes(text: string): KnownBytes {
  const bytes = Buffer.from(text);
  const words = new Int32Array(Math.ceil(bytes.length / 4));
  for (const [i, byte] of bytes.entries())
    words[i >> 2] = (words[i >> 2] ?? 0) | (byte << (24 - 8 * (i & 3)));
  const unused = words.length * 4 - bytes.length;
  return { length: bytes.length, bytes, words, lastMask: -1 << (8 * unused) };
}

/** Kept between tapes up to this size: 500 novels with all fields are under a megabyte. */
const MOST_KEPT_BYTES = 2 * 1024 * 1024;

/** Words may be written up to three bytes past what counts. */
const SLACK = 4;

const viewOf = (buffer: Buffer) => new DataView(buffer.buffer, buffer.byteOffset, buffer.length);

let kept = Buffer.alloc(0);
let keptView = viewOf(kept);

/**
 * A tape over `input`. What is written is good until the next tape is made: tapes share their output, because new
 * memory for every answer costs more than the copying (page faults, garbage collections for "external" memory).
 */
export function createTape(input: Buffer): ByteTape {
  // Room for what is usual: the output is shorter than the input, but for labels.
  const needed = input.length + 4_096;
  let output = kept;
  let outputView = keptView;
  if (output.length < needed) {
    output = Buffer.allocUnsafeSlow(needed);
    outputView = viewOf(output);
    if (needed <= MOST_KEPT_BYTES) {
      kept = output;
      keptView = outputView;
    }
  }
  return { input, inputView: viewOf(input), at: 0, output, outputView, end: 0 };
}

/**
 * Makes sure that `extra` bytes and all that is still to be read fit. Copying never writes more than it reads, so it
 * is asked for only before something is put in.
 */
export function reserve(tape: ByteTape, extra: number): void {
  const needed = tape.end + extra + tape.input.length - tape.at + SLACK;
  if (needed <= tape.output.length) return;
  const larger = Buffer.allocUnsafeSlow(needed * 2);
  tape.output.copy(larger, 0, 0, tape.end);
  tape.output = larger;
  tape.outputView = viewOf(larger);
}

/** Puts bytes in that are not in the input. */
export function put(tape: ByteTape, { bytes, length }: KnownBytes): void {
  reserve(tape, length);
  tape.output.set(bytes, tape.end);
  tape.end += length;
}

/** Whether these bytes are next. */
function isNext({ input, inputView, at }: ByteTape, known: KnownBytes): boolean {
  const { words, bytes } = known;
  const last = words.length - 1;
  if (at + words.length * 4 > input.length) {
    for (let i = 0; i < known.length; i++) if (input[at + i] !== bytes[i]) return false;
    return true;
  }
  for (let i = 0; i < last; i++) if (inputView.getInt32(at + i * 4) !== words[i]) return false;
  return ((inputView.getInt32(at + last * 4) ^ (words[last] as number)) & known.lastMask) === 0;
}

/** Reads and writes exactly these bytes; false, with nothing moved, where others follow. */
export function copyExactly(tape: ByteTape, known: KnownBytes): boolean {
  if (!isNext(tape, known)) return false;
  const { outputView, end } = tape;
  const { words } = known;
  for (let i = 0; i < words.length; i++) outputView.setInt32(end + i * 4, words[i] as number);
  tape.at += known.length;
  tape.end = end + known.length;
  return true;
}

/** Reads these bytes and writes none; false where others follow. */
export function skipExactly(tape: ByteTape, known: KnownBytes): boolean {
  if (!isNext(tape, known)) return false;
  tape.at += known.length;
  return true;
}
