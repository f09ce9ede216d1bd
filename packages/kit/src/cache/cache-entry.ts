import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ServiceError, toErrorBody } from '../errors.ts';
import type { ErrorBody, ErrorKind } from '../errors.ts';

/** How long a response may be served, in seconds since it was fetched. */
export interface CachePolicy {
  /** Served without a request to the source. */
  freshSeconds: number;
  /** After that, served at once while a new one is fetched in the background. */
  staleWhileRevalidateSeconds: number;
  /** Served as stale if the source fails; never after that. At least `freshSeconds`. */
  staleIfErrorSeconds: number;
  /** How long an absence (404) is cached. */
  absentSeconds: number;
}

/** Loaded data. A load reports a missing item by throwing a ServiceError. */
export interface LoadedData extends Pick<CacheEntry, 'total' | 'mayContinue'> {
  /** Any JSON value, or a Buffer with the JSON of a cache entry. */
  data: unknown;
  /** Small facts published beside the data (source, upstreamAllCount, date ...). */
  meta: Readonly<Record<string, unknown>>;
  /** The part of `meta` that the validator covers, so that a 304 keeps no old one. */
  validatedMeta?: Readonly<Record<string, unknown>>;
  /** Replaces the endpoint's policy: some data never change. */
  policy?: CachePolicy | undefined;
  /** Cache entries that alone it is composed of: it is as old as the oldest, expires with the first, and is a hit of hits. */
  madeOf?: readonly CacheEntry[];
  /** When the data were fetched (milliseconds since 1970), if not just now. The age counts from then. */
  asOf?: number | undefined;
}

/** Reads the cache for a load that composes other responses. */
export interface CacheReader {
  /** The fresh entry of a question in memory, as after `get` has rejected for an absence. */
  find(question: Question): CacheEntry | undefined;
  /**
   * The fresh entry of another question, loaded and cached if needed. Rejects as its load does, also for a cached
   * absence.
   */
  get(question: Question, policy: CachePolicy): Promise<CacheEntry>;
}

/** Context of a load. */
export interface LoadContext {
  /** Aborted when no client waits any longer. */
  signal: AbortSignal;
  /** True if no client waits, because a stale entry was served. */
  background: boolean;
  cache: CacheReader;
  /**
   * Waits for a turn of the event loop between two parts of a large answer, so that requests come in. Rejects if no
   * client waits any longer.
   */
  nextTurn: () => Promise<void>;
}

/** A question to a source. */
export interface Question {
  /** Normalised: equal questions have equal keys. */
  key: string;
  /** True if the answer consists of many others: its load may take as long as several. */
  isComposed?: boolean;
  /** The client that it is loaded for, as the rate limiter names it. */
  client?: string;
  /** Memory that the load needs, with its result and its parts; absent if it is little. */
  memoryBytes?: number;
  /** Queries the source, or composes other entries. Rejects with a ServiceError. */
  load(context: LoadContext): Promise<LoadedData>;
}

/** What the store has of a cached response beside its data. Times are milliseconds since 1970. */
export const ENTRY_FACTS = z.object({
  /** 404 for an absence. */
  status: z.literal([200, 404]),
  meta: z.record(z.string(), z.unknown()),
  /** Number of all items of a list, if known. */
  total: z.int().min(0).optional(),
  /** True if a list may continue beyond `total`, which may be outdated. */
  mayContinue: z.boolean().optional(),
  /** Weak validator over the data and the `validatedMeta` of the load. */
  etag: z.string().regex(/^W\/"[\w-]+"$/),
  /** When the data were fetched. */
  fetchedAt: z.int().min(0),
  freshUntil: z.int().min(0),
  revalidateUntil: z.int().min(0),
  staleIfErrorUntil: z.int().min(0),
});

/** A cached response. */
export interface CacheEntry extends z.infer<typeof ENTRY_FACTS> {
  /** Its JSON, serialised once; for an absence the whole error body. */
  data: Buffer;
}

/** Clocks of replicas differ by less. Entries from further in the future are not served. */
const CLOCK_TOLERANCE_MS = 1_000;

/** Whether it may be served at all: not too old, and not from the future (a clock was set back). */
export function isUsable(entry: CacheEntry, now: number): boolean {
  return entry.fetchedAt <= now + CLOCK_TOLERANCE_MS && now < entry.staleIfErrorUntil;
}

/** Whether it may be served without a request to the source. */
export const isFresh = (entry: CacheEntry, now: number): boolean =>
  isUsable(entry, now) && now < entry.freshUntil;

/** An entry from the store, served no longer than an entry of this policy may be. */
export function cutToPolicy(entry: CacheEntry, policy: CachePolicy): CacheEntry {
  const seconds = entry.status === 200 ? policy.staleIfErrorSeconds : policy.absentSeconds;
  const within = (until: number) => Math.min(until, entry.fetchedAt + seconds * 1000);
  return {
    ...entry,
    freshUntil: within(entry.freshUntil),
    staleIfErrorUntil: within(entry.staleIfErrorUntil),
  };
}

function etagOf(...contents: readonly (Buffer | string)[]): string {
  const sum = createHash('sha1');
  for (const content of contents) sum.update(content);
  return `W/"${sum.digest('base64url')}"`;
}

export function createDataEntry(loaded: LoadedData, routePolicy: CachePolicy, now: number): CacheEntry {
  const { policy = routePolicy, madeOf = [], validatedMeta = {} } = loaded;
  const { freshSeconds, staleWhileRevalidateSeconds, staleIfErrorSeconds } = policy;
  const data = Buffer.isBuffer(loaded.data) ? loaded.data : Buffer.from(JSON.stringify(loaded.data));
  const asOf = Math.min(now, loaded.asOf ?? now);
  const earliest = (own: number, of: (part: CacheEntry) => number) => Math.min(own, ...madeOf.map(of));
  const staleIfErrorUntil = earliest(asOf + staleIfErrorSeconds * 1000, (part) => part.staleIfErrorUntil);
  const freshUntil = Math.min(now + freshSeconds * 1000, staleIfErrorUntil);
  return {
    status: 200,
    data,
    meta: loaded.meta,
    total: loaded.total,
    mayContinue: loaded.mayContinue,
    etag: etagOf(data, JSON.stringify(validatedMeta)),
    fetchedAt: earliest(asOf, (part) => part.fetchedAt),
    freshUntil: earliest(freshUntil, (part) => part.freshUntil),
    revalidateUntil: earliest(
      freshUntil + staleWhileRevalidateSeconds * 1000,
      (part) => part.revalidateUntil,
    ),
    staleIfErrorUntil,
  };
}

/**
 * The entry of an absence, which expires after `absentSeconds`, or with the first of the entries that its load read.
 * The validator does not depend on the details: some (the duration of a query) differ each time.
 */
export function createAbsenceEntry(
  error: ServiceError,
  { absentSeconds }: CachePolicy,
  now: number,
  madeOf: readonly CacheEntry[],
): CacheEntry {
  const policy = {
    freshSeconds: absentSeconds,
    staleWhileRevalidateSeconds: 0,
    staleIfErrorSeconds: absentSeconds,
    absentSeconds,
  };
  const entry = createDataEntry({ data: toErrorBody(error), meta: {}, madeOf }, policy, now);
  return { ...entry, status: 404, etag: etagOf(`${error.code} ${error.message}`), fetchedAt: now };
}

/** The error that a stored body was created from. */
export function errorOf({ error }: ErrorBody, kind: Pick<ErrorKind, 'status' | 'isAbsence'>): ServiceError {
  const { code, message, details } = error;
  return new ServiceError({ code, message, ...kind }, { details });
}

/** The error that a cached absence was created from. */
export const cachedError = ({ data, status }: CacheEntry): ServiceError =>
  errorOf(JSON.parse(data.toString()) as ErrorBody, { status, isAbsence: true });
