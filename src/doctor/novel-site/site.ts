import type { CatalogueSource, SourceProblem } from '../../catalogue/source/catalogue-source.ts';
import { createNarouSource } from '../../catalogue/narou/narou-source.ts';
import { readReply, unpackLayers } from '../../catalogue/narou/reply.ts';
import type { HttpReply, NarouSocket } from '../../catalogue/narou/transport.ts';
import { ServiceError } from '../../errors.ts';
import type { Clock } from '../../process/clock.ts';
import { parseJson } from '../../process/json.ts';
import type { OutgoingBudget } from '../../upstream/budget.ts';
import { NotChecked, fillPhrase } from '../check.ts';
import type { FilledPhrase } from '../check.ts';

/** A reply of the novel site with its metadata. */
export interface SiteReply {
  readonly status: number;
  /** `application/json`, without parameters; `none` if missing. */
  readonly contentType: string;
  /** The `Date` header, in milliseconds since 1970. */
  readonly date: number | undefined;
  /** When it was received, by this machine's clock. */
  readonly readAt: number;
  /** Whether the body was a gzip file. */
  readonly isPacked: boolean;
  readonly text: string;
  /** One of the site's plain-text errors. */
  readonly errorText: string | undefined;
  readonly json: unknown;
}

/** The novel site, queried one request at a time. Replies are cached: several checks may need the same one. */
export interface NovelSite {
  /**
   * GETs `/novelapi/api/?...`. Rejects with NotChecked once the site must not be queried any more, with ServiceError
   * if it fails.
   */
  request(target: string): Promise<SiteReply>;
  /** The service's own client over `request`. */
  readonly source: CatalogueSource;
  /** Unexpected fields and values since the last call. */
  drainProblems(): SourceProblem[];
  /** The keys of the records in the last reply that the client read. */
  lastKeys(): string[];
  readonly requests: number;
  readonly clock: Clock;
}

interface SiteParts {
  readonly socket: NarouSocket;
  readonly clock: Clock;
  readonly pause: (milliseconds: number) => Promise<unknown>;
  readonly signal: AbortSignal;
  readonly budget: OutgoingBudget | undefined;
  /** Timeout of one request. */
  readonly deadlineMs: number;
  readonly maxBodyBytes: number;
}

const PAUSE_MS = 1_000;
/** After this many failed requests in a row the checks stop. */
const MAX_FAILURES = 3;
/** Background work: it may not use the last fifth of the daily quota. */
const CLIENT = { client: 'doctor', background: true };

/** Queries the site, one request a second, until it throttles. */
function createRequest(parts: SiteParts) {
  const { socket, clock, budget, signal } = parts;
  const replies = new Map<string, Promise<SiteReply>>();
  const counts = { requests: 0, failures: 0 };
  let lastRequestAt = -Infinity;
  let stopped: FilledPhrase | undefined;

  async function fetchReply(target: string): Promise<HttpReply> {
    const restMs = lastRequestAt + PAUSE_MS - clock.monotonic();
    if (restMs > 0) await parts.pause(restMs);
    const decision = await budget?.spend(CLIENT);
    if (decision?.spent) stop(fillPhrase('the daily quota of requests is used up'));
    counts.requests++;
    const either = AbortSignal.any([signal, AbortSignal.timeout(parts.deadlineMs)]);
    try {
      return await socket.get(target, either, (count) => budget?.addBytes(count, CLIENT));
    } finally {
      lastRequestAt = clock.monotonic();
    }
  }

  function stop(reason: FilledPhrase): never {
    stopped = reason;
    throw new NotChecked(reason);
  }

  /** After throttling, or repeated failures, no further request is sent. */
  function noteFailure(reply: HttpReply | undefined): void {
    counts.failures++;
    const isLimit = reply?.status === 429 || reply?.retryAfterSeconds !== undefined;
    if (isLimit) stopped = fillPhrase('the site throttles');
    else if (counts.failures >= MAX_FAILURES) stopped = fillPhrase('the site does not respond as expected');
  }

  async function load(target: string): Promise<SiteReply> {
    if (stopped) throw new NotChecked(stopped);
    let reply: HttpReply | undefined;
    try {
      reply = await fetchReply(target);
      const read = await readSiteReply(reply, parts.maxBodyBytes, clock.now());
      if (isUnusable(read, target)) noteFailure(reply);
      else counts.failures = 0;
      return read;
    } catch (error) {
      if (!(error instanceof NotChecked)) noteFailure(reply);
      throw error;
    }
  }

  const request = (target: string): Promise<SiteReply> => {
    const reply = replies.get(target) ?? load(target);
    replies.set(target, reply);
    return reply;
  };

  return { request, counts };
}

/** Requests by path and query, so that the client and the checks share them. */
export function openSite(parts: SiteParts): NovelSite {
  const { socket, clock } = parts;
  const { request: sendRequest, counts } = createRequest(parts);
  const problems: SourceProblem[] = [];
  let lastJson: unknown;

  const source = createNarouSource({
    transport: {
      get: async (path, query) => {
        const reply = await sendRequest(`${path}?out=json&gzip=5${query === '' ? '' : `&${query}`}`);
        lastJson = reply.json;
        if (reply.errorText !== undefined) return { errorText: reply.errorText };
        // The service's own message describes the fault.
        const body = Buffer.from(reply.text);
        return readReply({ status: reply.status, retryAfterSeconds: undefined, body }, parts.maxBodyBytes);
      },
      close: () => socket.close(),
    },
    report: (problem) => problems.push(problem),
    maxStart: null,
    clock,
  });

  return {
    request: sendRequest,
    source,
    drainProblems: () => problems.splice(0),
    lastKeys: () => recordKeys(lastJson),
    get requests() {
      return counts.requests;
    },
    clock,
  };
}

/** Not an error text, and one of: a status of 400 or more, a web page, invalid JSON. */
const isUnusable = ({ status, text, errorText, json }: SiteReply, target: string): boolean => {
  if (errorText !== undefined) return false;
  return status >= 400 || /^\s*</.test(text) || (target.includes('out=json&') && json === undefined);
};

/** The names of the fields of all records; the leading count is no record. */
function recordKeys(json: unknown): string[] {
  const rows = Array.isArray(json) ? (json as unknown[]) : [];
  const records = rows.filter((row) => typeof row === 'object' && row !== null && !('allcount' in row));
  return [...new Set(records.flatMap((row) => Object.keys(row as object)))];
}

const ERROR_TEXT = /^\s*(?:Error:|DATE ERROR\[)/;

async function readSiteReply(reply: HttpReply, maxBytes: number, readAt: number): Promise<SiteReply> {
  const bytes = await unpackLayers(reply.body, maxBytes);
  const text = bytes.toString().replace(/^\ufeff/, '');
  const date = Date.parse(reply.date ?? '');
  return {
    status: reply.status,
    contentType: reply.contentType?.split(';')[0]?.trim().toLowerCase() ?? 'none',
    date: Number.isNaN(date) ? undefined : date,
    readAt,
    isPacked: bytes !== reply.body,
    text,
    errorText: ERROR_TEXT.test(text) ? text.trim().slice(0, 200) : undefined,
    json: parseJson(text),
  };
}

/** Why the site failed, without addresses: `upstream_timeout`, `ECONNREFUSED`. */
export function failureOf(error: unknown): string {
  const causes: string[] = [];
  for (let each: unknown = error; each instanceof Error && causes.length < 4; each = each.cause) {
    const code = each instanceof ServiceError ? each.code : (each as NodeJS.ErrnoException).code;
    if (code !== undefined) causes.push(code);
  }
  return causes.join(', ') || 'unknown';
}
