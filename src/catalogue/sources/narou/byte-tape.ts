/** Bytes being read and bytes being written; both positions only move forward. */
export interface ByteTape {
  readonly input: Buffer;
  /** Of the next byte to read. */
  at: number;
  output: Buffer;
  /** Of the next byte to write. */
  end: number;
}

/** Room for what is usual: the output is shorter than the input, but for labels. */
export function createTape(input: Buffer): ByteTape {
  return { input, at: 0, output: Buffer.allocUnsafe(input.length + 4_096), end: 0 };
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
