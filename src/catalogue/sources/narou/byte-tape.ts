/** Bytes being read and bytes being written; both positions only move forward. */
export interface ByteTape {
  readonly input: Buffer;
  /** Of the next byte to read. */
  at: number;
  output: Buffer;
  /** Of the next byte to write. */
  end: number;
}

/** Kept between tapes up to this size: 500 novels with all fields are under a megabyte. */
const MOST_KEPT_BYTES = 2 * 1024 * 1024;

let kept = Buffer.alloc(0);

/**
 * A tape over `input`. What is written is good until the next tape is made: tapes share their output, because new
 * memory for every answer costs more than the copying (page faults, garbage collections for "external" memory).
 */
export function createTape(input: Buffer): ByteTape {
  // Room for what is usual: the output is shorter than the input, but for labels.
  const needed = input.length + 4_096;
  if (kept.length >= needed) return { input, at: 0, output: kept, end: 0 };
  const output = Buffer.allocUnsafeSlow(needed);
  if (needed <= MOST_KEPT_BYTES) kept = output;
  return { input, at: 0, output, end: 0 };
}

/**
 * Makes sure that `extra` bytes and all that is still to be read fit. Copying never writes more than it reads, so it
 * is asked for only before something is put in.
 */
export function reserve(tape: ByteTape, extra: number): void {
  const needed = tape.end + extra + tape.input.length - tape.at;
  if (needed <= tape.output.length) return;
  const larger = Buffer.allocUnsafe(needed * 2);
  tape.output.copy(larger, 0, 0, tape.end);
  tape.output = larger;
}

/** Puts bytes in that are not in the input. */
export function put(tape: ByteTape, bytes: Buffer): void {
  reserve(tape, bytes.length);
  tape.output.set(bytes, tape.end);
  tape.end += bytes.length;
}

/** Reads and writes exactly these bytes; false, with nothing moved for good, where others follow. */
export function copyExactly(tape: ByteTape, bytes: Buffer): boolean {
  const { input, at, output, end } = tape;
  const { length } = bytes;
  for (let i = 0; i < length; i++) {
    const byte = bytes[i] as number;
    if (input[at + i] !== byte) return false;
    output[end + i] = byte;
  }
  tape.at = at + length;
  tape.end = end + length;
  return true;
}

/** Reads these bytes and writes none; false where others follow. */
export function skipExactly(tape: ByteTape, bytes: Buffer): boolean {
  const { input, at } = tape;
  for (let i = 0; i < bytes.length; i++) if (input[at + i] !== bytes[i]) return false;
  tape.at = at + bytes.length;
  return true;
}
