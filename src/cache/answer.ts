import { hash } from 'node:crypto';
import { ServiceError, toErrorBody } from '../errors.ts';
import type { ErrorBody, ErrorCode } from '../errors.ts';

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

/** What a source says to a question. That something does not exist is thrown, as a ServiceError. */
export interface LoadedData {
  /** Anything that JSON can hold, or the JSON of a kept answer as it is (a Buffer). */
  data: unknown;
  /** Small facts published beside the data (source, upstreamAllCount, date ...). */
  meta: Readonly<Record<string, unknown>>;
  /** Of a list: how many items there are in all, where that is known. */
  total?: number | undefined;
  /** When this very answer deserves another policy than its endpoint (a past ranking never changes). */
  policy?: CachePolicy | undefined;
  /** Kept answers that it is made of: it is as old as the oldest of them, and serves no longer than any. */
  madeOf?: readonly CacheEntry[];
  /** True when it is made of those alone: a hit where each of them was one. */
  isComposed?: boolean;
  /** When its data were fetched (milliseconds since 1970), where that was not just now: its age counts from then. */
  asOf?: number | undefined;
}

/** The cache, for a load whose answer is made of other answers. */
export interface CacheReader {
  /** What is kept under a key, fresh; nobody is asked. */
  find(key: string): Promise<CacheEntry | undefined>;
  /**
   * The fresh answer to another question: kept, or asked for now, once for all who want it, and kept from now on.
   * Rejects as its load does, also with a kept absence.
   */
  get(question: Question, policy: CachePolicy): Promise<CacheEntry>;
}

/** What a load is told, and works with. */
export interface LoadContext {
  /** Aborted when nobody waits any longer. */
  signal: AbortSignal;
  /** True when nobody waits at all, because a stale answer has been served. */
  background: boolean;
  others: CacheReader;
}

/** What is asked of a source. */
export interface Question {
  /** Normalised: equal questions have equal keys. */
  key: string;
  /** True where the answer is made of many others, each with its own deadline: the whole has none. */
  isMany?: boolean;
  /** Asks the source, or makes the answer of others. Rejects with a ServiceError. */
  load(context: LoadContext): Promise<LoadedData>;
}

/** An answer as it is kept: the JSON of its data, made once when it was fetched. */
export interface CacheEntry {
  /** 200, or the status of a kept absence (404). */
  status: number;
  /** JSON of the data; of a kept absence the whole error body. */
  data: Buffer;
  meta: Readonly<Record<string, unknown>>;
  /** Of a list: how many items there are in all, where that is known. */
  total?: number | undefined;
  /** Weak validator over `data` alone, so that it does not change with `meta`. */
  etag: string;
  /** When its data were fetched, in milliseconds since 1970. */
  storedAt: number;
  freshUntil: number;
  revalidateUntil: number;
  keepUntil: number;
}

/** Clocks of replicas differ by less; an answer from further in the future has an age that nobody knows. */
const CLOCK_TOLERANCE_MS = 1_000;

/** Whether it may be served at all at `now`: not too old, and not from the future of a clock that was set back. */
export function isUsable(answer: CacheEntry, now: number): boolean {
  return answer.storedAt <= now + CLOCK_TOLERANCE_MS && now < answer.keepUntil;
}

/** Whether it may be served without asking anyone. */
export function isFresh(answer: CacheEntry, now: number): boolean {
  return now < answer.freshUntil && answer.storedAt <= now + CLOCK_TOLERANCE_MS;
}

function etagOf(content: Buffer | string): string {
  return `W/"${hash('sha1', content, 'base64url')}"`;
}

/** The cache entry for what a load brought; `parts` are the responses that it read from the cache. */
export function createEntry(
  loaded: LoadedData | ServiceError,
  policy: CachePolicy,
  now: number,
  parts: readonly { answer: CacheEntry }[],
): CacheEntry {
  if (!(loaded instanceof ServiceError)) return createCacheEntry(loaded, policy, now);
  const absences = parts.map(({ answer }) => answer).filter(({ status }) => status !== 200);
  return createAbsenceEntry(loaded, policy, now, absences);
}

export function createCacheEntry(answer: LoadedData, routePolicy: CachePolicy, now: number): CacheEntry {
  const { policy = routePolicy, madeOf = [] } = answer;
  const { freshSeconds, staleWhileRevalidateSeconds, keepSeconds } = policy;
  const data = Buffer.isBuffer(answer.data) ? answer.data : Buffer.from(JSON.stringify(answer.data));
  const fetchedAt = Math.min(now, answer.asOf ?? now);
  const keepUntil = fetchedAt + Math.max(freshSeconds, keepSeconds) * 1000;
  const freshUntil = Math.min(now + freshSeconds * 1000, keepUntil);
  const least = (bound: number, of: (part: CacheEntry) => number) => Math.min(bound, ...madeOf.map(of));
  return {
    status: 200,
    data,
    meta: answer.meta,
    total: answer.total,
    etag: etagOf(data),
    storedAt: least(fetchedAt, (part) => part.storedAt),
    freshUntil: least(freshUntil, (part) => part.freshUntil),
    revalidateUntil: least(freshUntil + staleWhileRevalidateSeconds * 1000, (part) => part.revalidateUntil),
    keepUntil: least(keepUntil, (part) => part.keepUntil),
  };
}

/** Whether one answer is to be preferred to another of the same question. */
export function isYounger(answer: CacheEntry, other: CacheEntry): boolean {
  // What a local catalogue gives was fetched long ago, and may be given twice.
  if (answer.storedAt !== other.storedAt) return answer.storedAt > other.storedAt;
  return answer.freshUntil > other.freshUntil;
}

/** Errors that are answers: they say that something does not exist. All others are failures and are never kept. */
const ABSENCE: ReadonlySet<ErrorCode> = new Set(['not_found', 'ranking_not_published', 'not_registered']);

export function isAbsence(error: unknown): error is ServiceError {
  return error instanceof ServiceError && ABSENCE.has(error.code);
}

/**
 * "There is no such thing", fresh for `absentSeconds` and then gone. The validator is made of what is said, not of
 * its details, some of which (how long a server took) differ each time. Where other absences led to this one, it is
 * gone with the first of them.
 */
export function createAbsenceEntry(
  error: ServiceError,
  policy: CachePolicy,
  now: number,
  madeOf: readonly CacheEntry[] = [],
): CacheEntry {
  const data = Buffer.from(JSON.stringify(toErrorBody(error)));
  const until = Math.min(now + policy.absentSeconds * 1000, ...madeOf.map((part) => part.keepUntil));
  return {
    status: error.status,
    data,
    meta: {},
    etag: etagOf(`${error.code} ${error.message}`),
    storedAt: now,
    freshUntil: until,
    revalidateUntil: until,
    keepUntil: until,
  };
}

/** What was thrown when this absence was kept. */
export function cachedError({ data }: CacheEntry): ServiceError {
  const { error } = JSON.parse(data.toString()) as ErrorBody;
  return new ServiceError(error.code, { message: error.message, details: error.details });
}
