import { isAscii, isUtf8 } from 'node:buffer';
import { CHARSETS, charsetOf } from './servers.ts';

/** Decodes any byte, and is the most frequent charset of 8-bit answers. */
const LAST_RESORT = 'windows-1252';
/** `ESC $ B`, `ESC $ @`, `ESC ( J` and `ESC ( I` are 7-bit, so they also pass as UTF-8. */
const ISO_2022_JP = /\x1b(?:\$[@B]|\([IJ])/;
/** Maximum runs of lines with their own charset; the rest is decoded as one. */
const MAX_RUNS = 512;

/**
 * 0x80 to 0x9f of windows-1252 (Encoding Standard). Needed because `TextDecoder` of several Node releases decodes
 * windows-1252 as ISO-8859-1 (nodejs/node issue 56542).
 */
const C1 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

type Decode = (bytes: Uint8Array) => string;

/** An empty list if this Node was built without the charset. */
function decoderOf(label: string): [[string, Decode]] | [] {
  try {
    const decoder = new TextDecoder(label);
    return [[label, (bytes) => decoder.decode(bytes)]];
  } catch {
    return [];
  }
}

const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ...['utf-8', 'utf-16le', 'utf-16be', ...CHARSETS].flatMap(decoderOf),
  [LAST_RESORT, decodeWindows1252],
]);

/**
 * Decodes a WHOIS answer. A byte order mark selects the charset, then escape sequences (ISO-2022-JP). Otherwise each line
 * is decoded as UTF-8 if valid, else in the server's charset (default: windows-1252). Removes NUL bytes. Never throws.
 */
export function decodeWhois(bytes: Uint8Array, server: string | null): string {
  const marked = markedCharset(bytes);
  if (marked !== null) return decode(marked, bytes);
  const text = bytes.includes(0) ? bytes.filter((byte) => byte !== 0) : bytes;
  if (ISO_2022_JP.test(latin1(text))) return decode('iso-2022-jp', text);
  if (isAscii(text)) return latin1(text);
  if (isUtf8(text) || isCutUtf8(text)) return decode('utf-8', text);
  return decodeLines(text, charsetOf(server?.toLowerCase() ?? '') ?? LAST_RESORT);
}

function decode(label: string, bytes: Uint8Array): string {
  return (DECODERS.get(label) ?? decodeWindows1252)(bytes);
}

function decodeWindows1252(bytes: Uint8Array): string {
  return latin1(bytes).replace(/[\x80-\x9f]/g, (char) => C1.charAt(char.charCodeAt(0) - 0x80));
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

function markedCharset(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return isUtf8(bytes) ? 'utf-8' : null;
  // An answer begins with ASCII: without a mark, two of its characters show the charset.
  const shown = bytes
    .subarray(0, 4)
    .map((byte) => Number(byte === 0))
    .join('');
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || shown === '0101') return 'utf-16le';
  return (bytes[0] === 0xfe && bytes[1] === 0xff) || shown === '1010' ? 'utf-16be' : null;
}

/** UTF-8 whose last character may be truncated by a size limit or a reset. */
function isCutUtf8(bytes: Uint8Array): boolean {
  for (let back = 1; back <= 3 && back < bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return false;
    if (byte < 0xc0) continue;
    const rest = bytes.subarray(0, bytes.length - back);
    // Without other bytes beyond ASCII, an 8-bit charset is more likely.
    return isUtf8(rest) && !isAscii(rest);
  }
  return false;
}

/** Decodes runs of lines: a registry's notice and a registrant's name may be in different charsets. */
function decodeLines(bytes: Uint8Array, fallback: string): string {
  const parts: string[] = [];
  let start = 0;
  let isRunUtf8 = true;
  for (let line = 0; line < bytes.length && parts.length < MAX_RUNS;) {
    const newline = bytes.indexOf(0x0a, line);
    const end = newline < 0 ? bytes.length : newline + 1;
    const isLineUtf8 = isUtf8(bytes.subarray(line, end));
    if (isLineUtf8 !== isRunUtf8 && line > start) {
      parts.push(decode(isRunUtf8 ? 'utf-8' : fallback, bytes.subarray(start, line)));
      start = line;
    }
    isRunUtf8 = isLineUtf8;
    line = end;
  }
  const last = bytes.subarray(start);
  parts.push(decode(isUtf8(last) ? 'utf-8' : fallback, last));
  return parts.join('');
}
