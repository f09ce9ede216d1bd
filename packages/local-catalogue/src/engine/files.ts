import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { crc32 } from 'node:zlib';

type FileNumbers = Uint8Array | Uint16Array | Uint32Array | Int32Array;

/**
 * A file was read, and is not as written. This alone is remembered: any other error (of the system, of a thread, of
 * memory) says nothing about the content, which is read again.
 */
export class DamagedFile extends Error {
  readonly what: string;
  /** The folder of an index whose newest generation has the file. */
  readonly folder: string | undefined;

  constructor(what: string, folder?: string) {
    super(folder ? `${folder} has damaged files: ${what}` : `${what} of the index: not as written`);
    this.name = 'DamagedFile';
    this.what = what;
    this.folder = folder;
  }
}

const isMissingFile = (error: unknown): boolean =>
  error instanceof Error && (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Undefined if there is no such file or folder. Any other failure is thrown: it is no evidence of that. */
export function ifThere<Read>(read: () => Read): Read | undefined {
  try {
    return read();
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
  }
}

/** Throws DamagedFile unless the bytes have the stored CRC-32. */
export function checkSum(bytes: FileNumbers, sum: number | undefined, what: string): void {
  if (crc32(bytes) !== sum) throw new DamagedFile(what);
}

/** Reads numbers from a byte offset of a file. A file that ends earlier is damaged. */
export function readFully(file: number, numbers: FileNumbers, position: number): void {
  for (let done = 0; done < numbers.byteLength;) {
    const read = fs.readSync(file, numbers, done, numbers.byteLength - done, position + done);
    if (read === 0) throw new DamagedFile(`byte ${position + done} of a file`);
    done += read;
  }
}

export function writeFully(file: number, numbers: FileNumbers, position: number): void {
  for (let done = 0; done < numbers.byteLength;) {
    done += fs.writeSync(file, numbers, done, numbers.byteLength - done, position + done);
  }
}

/** Calls a function with an open file, and closes the file. */
export function withFile<Result>(
  path: string,
  flags: 'r' | 'r+' | 'w' | 'wx',
  use: (file: number) => Result,
): Result {
  const file = fs.openSync(path, flags);
  try {
    return use(file);
  } finally {
    fs.closeSync(file);
  }
}

/** Opens files for reading: all, or none. */
export function openAll(paths: readonly string[]): number[] {
  const open: number[] = [];
  try {
    for (const path of paths) open.push(fs.openSync(path, 'r'));
    return open;
  } catch (error) {
    for (const file of open) fs.closeSync(file);
    throw error;
  }
}

/** 32-bit numbers of a file: all, or the first ones. */
export const readNumbers = (path: string, count?: number): Uint32Array<ArrayBuffer> =>
  withFile(path, 'r', (file) => {
    const numbers = new Uint32Array(count ?? fs.fstatSync(file).size / 4);
    readFully(file, numbers, 0);
    return numbers;
  });

/** Size and checksum of a file. */
export interface FileFacts {
  readonly bytes: number;
  readonly sha256: string;
}

const CHUNK_BYTES = 1 << 16;

export const factsOfFile = (path: string): FileFacts =>
  withFile(path, 'r', (file) => {
    const hash = createHash('sha256');
    const chunk = new Uint8Array(CHUNK_BYTES);
    let bytes = 0;
    for (let read = -1; read !== 0; bytes += read) {
      read = fs.readSync(file, chunk, 0, chunk.length, bytes);
      hash.update(chunk.subarray(0, read));
    }
    return { bytes, sha256: hash.digest('hex') };
  });
