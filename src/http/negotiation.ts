import type { Encoding } from '../cache/stored-answer.ts';

const MAX_SEEN = 1_000;

function quality(parameters: string): number {
  const match = /^\s*;\s*q=(\d(?:\.\d{0,3})?)\s*$/i.exec(parameters);
  return match ? Number(match[1]) : 1;
}

function read(header: string): Encoding {
  const offered = new Map<string, number>();
  for (const part of header.split(',')) {
    const semicolon = part.indexOf(';');
    const name = (semicolon < 0 ? part : part.slice(0, semicolon)).trim().toLowerCase();
    offered.set(name, semicolon < 0 ? 1 : quality(part.slice(semicolon)));
  }
  const any = offered.get('*') ?? 0;
  const br = offered.get('br') ?? any;
  const gzip = offered.get('gzip') ?? offered.get('x-gzip') ?? any;
  if (br > 0 && br >= gzip) return 'br';
  return gzip > 0 ? 'gzip' : 'identity';
}

/**
 * Tells the best of our encodings that a client takes (RFC 9110, section 12.5.3), plain where it takes none.
 * Clients send a handful of different texts: each is read once.
 */
export function createEncodingChoice() {
  const seen = new Map<string, Encoding>();
  return function chooseEncoding(header: string | string[] | undefined): Encoding {
    if (header === undefined) return 'identity';
    const text = Array.isArray(header) ? header.join(',') : header;
    const known = seen.get(text);
    if (known !== undefined) return known;
    const encoding = text.length > 200 ? 'identity' : read(text);
    if (seen.size < MAX_SEEN) seen.set(text, encoding);
    return encoding;
  };
}

/** If-None-Match: a list of validators or `*`, compared weakly (RFC 9110, section 13.1.2). */
export function matchesEtag(header: string, etag: string): boolean {
  if (header === etag || header.trim() === '*') return true;
  const opaque = etag.slice(2);
  return header.split(',').some((candidate) => {
    const validator = candidate.trim();
    return validator === opaque || validator === etag;
  });
}
