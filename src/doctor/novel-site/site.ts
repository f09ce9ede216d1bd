import type { SourceProblem } from '../../catalogue/source/catalogue-source.ts';
import { createNarouSource } from '../../catalogue/narou/narou-source.ts';
import { readReply, unpackLayers } from '../../catalogue/narou/reply.ts';
import type { HttpReply, NarouSocket } from '../../catalogue/narou/transport.ts';
import { ServiceError } from '../../errors.ts';
import type { OutgoingBudget } from '../../upstream/budget.ts';
import type { Need } from '../check.ts';
import { createPace } from '../pace.ts';
import type { PaceParts } from '../pace.ts';
import { text } from '../../process/text.ts';

/** A reply of the novel site. */
export type SiteReply = Awaited<ReturnType<typeof readSiteReply>>;

/** The novel site, queried one request at a time. Replies are cached: several checks may need the same one. */
export type NovelSite = ReturnType<typeof openSite>;

interface SiteParts extends PaceParts {
  readonly socket: NarouSocket;
  readonly signal: AbortSignal;
  readonly budget: OutgoingBudget | undefined;
  /** Timeout of one request. */
  readonly deadlineMs: number;
  readonly maxBodyBytes: number;
}

/** The path and query of a request for JSON, as the client sends it. */
export const requestsJson = (path: string, query: string): string =>
  `${path}?out=json&gzip=5${query && `&${query}`}`;

/** After this many failed requests in a row the checks stop. */
const MAX_FAILURES = 3;
/** Background work: it may not use the last fifth of the daily quota. */
const CLIENT = { client: 'doctor', background: true };

/** Queries the site, one request a second, until it throttles, fails repeatedly, or the daily quota is used up. */
function createRequest(parts: SiteParts, replies: Need) {
  const { socket, clock, budget, signal, deadlineMs, maxBodyBytes } = parts;
  const atPace = createPace(parts);
  const cached = new Map<string, Promise<SiteReply>>();
  const counts = { requests: 0, failures: 0 };

  async function fetchReply(target: string): Promise<HttpReply> {
    const decision = await budget?.spend(CLIENT);
    if (decision?.spent) {
      replies.missing = text('the daily quota of requests is used up', '1 日の上限に達しました');
      throw new ServiceError('upstream_budget_spent');
    }
    counts.requests++;
    const either = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]);
    const reply = await socket.get(target, either, (count) => budget?.addBytes(count, CLIENT));
    const isThrottled = reply.status === 429 || reply.retryAfterSeconds !== undefined;
    if (isThrottled) replies.missing = text('the site throttles', 'レート制限されました');
    return reply;
  }

  async function load(target: string): Promise<SiteReply> {
    if (replies.missing) throw new ServiceError('upstream_unavailable');
    // Counts as a failure until the reply has proved usable.
    counts.failures++;
    try {
      const fetched = await atPace(() => fetchReply(target));
      const reply = await readSiteReply(fetched, maxBodyBytes, clock.now());
      if (isUsable(reply, target)) counts.failures = 0;
      return reply;
    } catch (cause) {
      // What cannot be unpacked has not been read.
      const isUnread = cause instanceof ServiceError && cause.code === 'upstream_invalid';
      throw isUnread ? new ServiceError('upstream_unavailable', { cause }) : cause;
    } finally {
      if (counts.failures >= MAX_FAILURES) {
        replies.missing ??= text('the site does not respond as expected', '想定どおりの応答がありません');
      }
    }
  }

  /** GETs `/novelapi/api/?...` once, for the client and all checks. Rejects with a ServiceError if there is no reply. */
  const request = (target: string): Promise<SiteReply> => {
    const reply = cached.get(target) ?? load(target);
    cached.set(target, reply);
    return reply;
  };
  return { request, counts };
}

/** The site for the checks, and for the service's own client over the same requests. */
export function openSite(parts: SiteParts) {
  const { socket, clock } = parts;
  const replies: Need = {};
  const problems: SourceProblem[] = [];
  const { request, counts } = createRequest(parts, replies);
  let lastReply: SiteReply | undefined;

  const get = async (path: string, query: string) => {
    lastReply = await request(requestsJson(path, query));
    const { failure, errorText, json } = lastReply;
    if (failure !== undefined) throw failure as Error;
    return errorText === undefined ? { json } : { errorText };
  };
  const transport = { get, close: () => socket.close() };
  const report = (problem: SourceProblem) => problems.push(problem);
  return {
    request,
    source: createNarouSource({ transport, report, maxStart: null, clock }),
    /** Unexpected fields and values that the client found; emptied by each check. */
    problems,
    /** Missing once the site must not be queried any more. */
    replies,
    /** The last reply to the client. */
    lastReply: () => lastReply,
    requests: () => counts.requests,
    now: () => clock.now(),
  };
}

/** JSON or an error text; or, if another format was requested, neither a web page nor a status of 400 or more. */
const isUsable = ({ failure, status, text }: SiteReply, target: string): boolean =>
  failure === undefined || (!target.includes('out=json&') && status < 400 && !/^\s*</.test(text));

async function readSiteReply(reply: HttpReply, maxBytes: number, readAt: number) {
  const { status, contentType, date = '', body: packed } = reply;
  const body = await unpackLayers(packed, maxBytes);
  const content: { json?: unknown; errorText?: string; failure?: unknown } = await readReply(
    { ...reply, body },
    maxBytes,
  ).catch((failure: unknown) => ({ failure }));
  const rows = Array.isArray(content.json) ? (content.json as (Record<string, unknown> | null)[]) : undefined;
  const records = rows?.filter((row) => row !== null && typeof row === 'object' && !('allcount' in row));
  const allcount = rows?.[0]?.['allcount'];
  const listed = records === undefined ? `other (${status})` : records.length === 0 ? 'empty' : 'rows';
  return {
    status,
    /** `application/json`, without parameters; `none` if missing. */
    contentType: contentType?.split(';')[0]?.trim().toLowerCase() ?? 'none',
    /** This machine's clock minus the `Date` header; NaN if missing. */
    clockOffMs: readAt - Date.parse(date),
    /** Whether the body was a gzip file. */
    isPacked: body !== packed,
    text: body.toString(),
    /** As the client reads it: JSON, one of the site's plain-text errors, or why neither. */
    ...content,
    /** The records without the leading count; undefined if it is no list. */
    records,
    ncodes: (records ?? []).map((record) => String(record?.['ncode']).toUpperCase()),
    allcount: typeof allcount === 'number' ? allcount : undefined,
    /** `error`, `empty`, `rows`, or the status of something unknown. */
    kind: content.errorText === undefined ? listed : 'error',
  };
}
