import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { syncFolder, writeAtomically } from '@mokuroku/kit/process';
import { readFully, writeFully } from '../engine/files.ts';

/** Bytes of the length before each entry. */
const HEAD_BYTES = 4;
const GZIP_LEVEL = 3;

/**
 * Values appended to a file one by one. Each is stored completely or not at all, whenever the process ends. Opens or
 * creates a journal in an existing folder, and calls `onEntry` with each entry. Truncates it before the first
 * unreadable one, or one that is no entry, and calls `onCut` with the number of bytes. A killed process leaves an
 * incomplete entry; a power loss or a bad disk damages more, and later entries depend on earlier ones.
 */
export function openJournal<Entry>(
  file: string,
  isEntry: (value: unknown) => value is Entry,
  onEntry: (entry: Entry) => void,
  onCut: (bytes: number) => void,
) {
  let open = fs.openSync(file, fs.constants.O_RDWR | fs.constants.O_CREAT);
  // Else a power loss could remove a new journal with all its entries.
  syncFolder(path.dirname(file));
  const { size } = fs.fstatSync(open);
  let bytes = 0;
  for (let next = entryAt(open, 0, size); next !== null; next = entryAt(open, bytes, size)) {
    if (!isEntry(next.entry)) break;
    onEntry(next.entry);
    bytes = next.end;
  }
  if (bytes < size) onCut(size - bytes);
  fs.ftruncateSync(open, bytes);

  function append(entry: Entry): void {
    const packed = pack(entry);
    // A part that a full disk has stored is overwritten by the next entry, or cut off.
    writeFully(open, packed, bytes);
    fs.fdatasyncSync(open);
    bytes += packed.length;
  }

  return {
    append,
    /** Replaces all entries by others, atomically. */
    restart: (entries: readonly Entry[]): void => {
      const packed = Buffer.concat(entries.map(pack));
      writeAtomically(file, packed);
      const opened = fs.openSync(file, 'r+');
      fs.closeSync(open);
      open = opened;
      bytes = packed.length;
    },
    get bytes(): number {
      return bytes;
    },
    close: (): void => fs.closeSync(open),
  };
}

/** The entries of a journal's file, up to a length that was found undamaged. */
export function* readEntries<Entry>(file: string, bytes: number): Generator<Entry> {
  const open = fs.openSync(file, 'r');
  try {
    for (let at = 0; at < bytes;) {
      const next = entryAt(open, at, bytes);
      if (next === null) throw new Error(`the journal ${file} cannot be read at byte ${at}`);
      yield next.entry as Entry;
      at = next.end;
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

/** The entry that begins at a byte, and its end; null if there is none, or it is damaged. */
function entryAt(open: number, at: number, size: number): { entry: unknown; end: number } | null {
  const begin = at + HEAD_BYTES;
  if (begin > size) return null;
  const end = begin + readAt(open, HEAD_BYTES, at).readUInt32LE();
  if (end > size) return null;
  const packed = readAt(open, end - begin, begin);
  try {
    return { entry: JSON.parse(gunzipSync(packed).toString()) as unknown, end };
  } catch {
    return null;
  }
}

function readAt(open: number, length: number, position: number): Buffer {
  const bytes = Buffer.alloc(length);
  readFully(open, bytes, position);
  return bytes;
}
