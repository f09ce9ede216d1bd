import { hash } from 'node:crypto';
import { JsonBytes } from './json-bytes.ts';
import type { WireFrame } from '../http/wire-frame.ts';
import type { WireHead } from '../http/wire-head.ts';

/** How long an answer may be used. All in seconds from the moment it was fetched. */
export interface CachePolicy {
  /** Served without asking anyone. */
  freshSeconds: number;
  /** After that, served at once while a new one is fetched behind it. */
  staleWhileRevalidateSeconds: number;
  /** Served marked stale when the source fails; never after that. */
  keepSeconds: number;
  /** How long "there is no such thing" is believed. */
  absentSeconds: number;
}

export type Encoding = 'identity' | 'gzip' | 'br';

/** One way an answer goes over the wire when it comes from memory: the bytes and their header block. */
export interface WireForm {
  body: Buffer;
  /** What follows the body, where it is not the same for all. */
  after?: string;
  head: WireHead;
  /** The head that says that the client has it already; made when first needed. */
  notModified?: WireHead;
  /** The body with room for a head; made when first needed, and the body is then its. */
  frame?: WireFrame | undefined;
}

/** What stands around `data` in a body. Registration answers are `data` itself; catalogue answers an envelope. */
export interface BodyShape {
  before: string;
  /** The closing brace of `data` is left to `after`, so that members can stand beside the data's own. */
  leavesDataOpen?: boolean;
  /** Built once per answer for cached hits, and per request for all others. */
  after(meta: Readonly<Record<string, unknown>>, how: AnswerCircumstances): string;
}

export interface AnswerCircumstances {
  cached: boolean;
  stale: boolean;
  /** Whole milliseconds. */
  tookMs: number;
  /** Query parameters that had no effect. */
  ignored: readonly string[];
  /** How this request wrote what others of the same key write otherwise, where the body repeats it. */
  echo: string | undefined;
}

/** An answer as it is kept: bytes ready to be written, made once when it was fetched. */
export interface StoredAnswer {
  /** 200, or the status of a kept error (404). */
  status: number;
  /** The whole body of a cached hit. */
  body: Buffer;
  /** Where the JSON of `data` ends in `body`; a kept error is all data. */
  dataEnd: number;
  /** Small facts published beside the data (source, upstreamAllCount, date ...). */
  meta: Readonly<Record<string, unknown>>;
  /** Weak validator over `data` alone, so that it does not change with `meta`. */
  etag: string;
  /** Milliseconds since 1970. */
  storedAt: number;
  freshUntil: number;
  revalidateUntil: number;
  keepUntil: number;
  /** Made when first asked for; compressed ones never while somebody waits. */
  forms: Map<Encoding, WireForm>;
}

/** What an in-memory hit took: under half a millisecond, so 0 whole ones. */
const HIT: AnswerCircumstances = { cached: true, stale: false, tookMs: 0, ignored: [], echo: undefined };

export interface AnswerParts {
  status: number;
  /** JSON as text or bytes: the answer's `data`, or as text the whole error body. */
  json: string | JsonBytes;
  meta: Readonly<Record<string, unknown>>;
  storedAt: number;
  policy: CachePolicy;
  shape: BodyShape;
}

function bodyOf({ json, meta, shape }: AnswerParts): { body: Buffer; dataStart: number; dataEnd: number } {
  const after = shape.after(meta, HIT);
  const closing = shape.leavesDataOpen ? 1 : 0;
  const body =
    json instanceof JsonBytes
      ? json.wrap(shape.before, json.bytes.length - closing, after)
      : Buffer.from(shape.before + json.slice(0, json.length - closing) + after);
  const dataStart = Buffer.byteLength(shape.before);
  return { body, dataStart, dataEnd: body.length - Buffer.byteLength(after) };
}

function wholeBody(json: string | JsonBytes): { body: Buffer; dataStart: number; dataEnd: number } {
  const body = json instanceof JsonBytes ? json.bytes : Buffer.from(json);
  return { body, dataStart: 0, dataEnd: body.length };
}

/** Builds the kept form. A kept error is fresh for `absentSeconds` and then gone. */
export function storeAnswer(parts: AnswerParts): StoredAnswer {
  const { policy, storedAt } = parts;
  const good = parts.status === 200;
  const { body, dataStart, dataEnd } = good ? bodyOf(parts) : wholeBody(parts.json);
  const freshUntil = storedAt + (good ? policy.freshSeconds : policy.absentSeconds) * 1000;
  return {
    status: parts.status,
    body,
    dataEnd,
    meta: parts.meta,
    etag: `W/"${hash('sha1', body.subarray(dataStart, dataEnd), 'base64url')}"`,
    storedAt,
    freshUntil,
    revalidateUntil: good ? freshUntil + policy.staleWhileRevalidateSeconds * 1000 : freshUntil,
    keepUntil: good ? Math.max(freshUntil, storedAt + policy.keepSeconds * 1000) : freshUntil,
    forms: new Map(),
  };
}
