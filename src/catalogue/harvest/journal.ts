import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

/** Four bytes in front of each entry: how long it is. */
const HEAD_BYTES = 4;
const GZIP_LEVEL = 3;

/** Values appended to a file one by one, each of which is there whole or not at all, whenever the process ends. */
export interface Journal<Entry> {
  append(entry: Entry): void;
  /** From the first on. */
  entries(): Iterable<Entry>;
  /** Puts one entry in the place of all, in one step. */
  restart(entry: Entry): void;
  /** Bytes on disk. */
  readonly bytes: number;
  close(): void;
}

/** Opens or makes a journal. What was left of an entry by a process that was killed is cut off. */
export function openJournal<Entry>(file: string): Journal<Entry> {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  let open = fs.openSync(file, fs.existsSync(file) ? 'r+' : 'w+');
  let bytes = wholeBytes(open);
  fs.ftruncateSync(open, bytes);

  function append(entry: Entry): void {
    const packed = pack(entry);
    try {
      writeAll(open, packed, bytes);
      fs.fdatasyncSync(open);
    } catch (error) {
      // A disk that is full has taken a part of it.
      fs.ftruncateSync(open, bytes);
      throw error;
    }
    bytes += packed.length;
  }

  return {
    append,
    entries: () => readEntries<Entry>(file, bytes),
    restart: (entry) => {
      const packed = pack(entry);
      const next = `${file}.part`;
      try {
        fs.writeFileSync(next, packed, { flush: true });
        fs.renameSync(next, file);
      } catch (error) {
        fs.rmSync(next, { force: true });
        throw error;
      }
      fs.closeSync(open);
      open = fs.openSync(file, 'r+');
      bytes = packed.length;
    },
    get bytes() {
      return bytes;
    },
    close: () => {
      fs.closeSync(open);
    },
  };
}

/** The entries of a journal's file, up to a length that is known to be whole. */
export function* readEntries<Entry>(file: string, bytes: number): Generator<Entry> {
  const open = fs.openSync(file, 'r');
  try {
    for (let at = 0; at < bytes;) {
      const packed = readEntry(open, at);
      yield JSON.parse(gunzipSync(packed).toString()) as Entry;
      at += HEAD_BYTES + packed.length;
    }
  } finally {
    fs.closeSync(open);
  }
}

function pack(entry: unknown): Buffer {
  const body = gzipSync(JSON.stringify(entry), { level: GZIP_LEVEL });
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(body.length);
  return Buffer.concat([head, body]);
}

function writeAll(open: number, data: Buffer, position: number): void {
  for (let done = 0; done < data.length;) {
    done += fs.writeSync(open, data, done, data.length - done, position + done);
  }
}

function readEntry(open: number, at: number): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  fs.readSync(open, head, 0, HEAD_BYTES, at);
  const body = Buffer.alloc(head.readUInt32LE());
  for (let done = 0; done < body.length;) {
    const read = fs.readSync(open, body, done, body.length - done, at + HEAD_BYTES + done);
    if (read === 0) throw new Error(`the journal ends within an entry, at byte ${at}`);
    done += read;
  }
  return body;
}

/** How far a file is whole. Only the last entry can be broken: by a kill it is short, by a loss of power also spoilt. */
function wholeBytes(open: number): number {
  const { size } = fs.fstatSync(open);
  const head = Buffer.alloc(HEAD_BYTES);
  let last = 0;
  let end = 0;
  while (end + HEAD_BYTES <= size) {
    fs.readSync(open, head, 0, HEAD_BYTES, end);
    const next = end + HEAD_BYTES + head.readUInt32LE();
    if (next > size) break;
    last = end;
    end = next;
  }
  return end > 0 && !isReadable(open, last) ? last : end;
}

function isReadable(open: number, at: number): boolean {
  try {
    gunzipSync(readEntry(open, at));
    return true;
  } catch {
    return false;
  }
}
