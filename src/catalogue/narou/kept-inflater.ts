import { constants, createGunzip, gzipSync } from 'node:zlib';

/**
 * What Node's gunzip streams are made of. Not part of its public interface, so it is looked for and tried first;
 * without it the caller unpacks in the ordinary way.
 */
interface InflaterInside {
  _handle?: {
    reset?: () => void;
    writeSync?: (...call: [number, Buffer, number, number, Buffer, number, number]) => void;
    onerror?: () => void;
  };
  /** After a call: how much room is left, how much input. */
  _writeState?: Uint32Array;
}

/** Unpacks a whole gzip file that is expected to unpack to `size` bytes. */
export type Unpack = (file: Buffer, size: number) => Buffer | undefined;

/** The output for 500 novels with all fields is under a megabyte. */
const MOST_KEPT_BYTES = 2 * 1024 * 1024;
const MARGIN = 64;

function createUnpack(): Unpack | undefined {
  const { _handle: handle, _writeState: state } = createGunzip() as unknown as InflaterInside;
  const { reset, writeSync } = handle ?? {};
  if (!handle || !reset || !writeSync || state?.length !== 2) return undefined;
  let output = Buffer.alloc(0);
  let failures = 0;
  handle.onerror = () => {
    failures++;
  };
  return (file, size) => {
    const needed = size + MARGIN;
    if (needed > MOST_KEPT_BYTES) return undefined;
    if (output.length < needed) output = Buffer.allocUnsafeSlow(needed);
    const failuresBefore = failures;
    reset.call(handle);
    writeSync.call(handle, constants.Z_FINISH, file, 0, file.length, output, 0, output.length);
    const [roomLeft = 0] = state;
    // No room left: the file says less than it holds.
    return failures > failuresBefore || roomLeft === 0
      ? undefined
      : output.subarray(0, output.length - roomLeft);
  };
}

/** Also behind a damaged file it must go on. */
function worksWell(unpack: Unpack): boolean {
  const text = Buffer.from('a text, a text, a text');
  const file = gzipSync(text);
  try {
    const damaged = unpack(file.subarray(0, -9), text.length);
    return damaged === undefined && unpack(file, text.length)?.equals(text) === true;
  } catch {
    return false;
  }
}

/**
 * Unpacks with one inflater and one output that are kept: new ones for every answer cost as much again as small
 * answers themselves, and their memory brings on garbage collections. undefined where Node is built otherwise. What
 * it gives is good until the next call; it gives undefined for what should be unpacked in the ordinary way, which also
 * tells what is wrong with damaged files.
 */
export function createKeptInflater(): Unpack | undefined {
  const unpack = createUnpack();
  return unpack && worksWell(unpack) ? unpack : undefined;
}
