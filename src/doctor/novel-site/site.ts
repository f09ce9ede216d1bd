import type { CatalogueSource, SourceProblem } from '../../catalogue/source/catalogue-source.ts';
import { createNarouSource } from '../../catalogue/narou/narou-source.ts';
import { readReply } from '../../catalogue/narou/reply.ts';
import type { HttpReply, NarouSocket } from '../../catalogue/narou/transport.ts';
import { ServiceError } from '../../errors.ts';
import type { Clock } from '../../process/clock.ts';
import type { OutgoingBudget } from '../../upstream/budget.ts';
import { NotChecked } from '../check.ts';
import { createPace } from '../pace.ts';
import type { PaceParts } from '../pace.ts';
import { readSiteReply } from './site-reply.ts';
import type { SiteReply } from './site-reply.ts';

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

/** Queries the site, one request a second, until it throttles. */
function createRequest(parts: SiteParts) {
  const { socket, clock, budget, signal } = parts;
  const replies = new Map<string, Promise<SiteReply>>();
  const counts = { requests: 0, failures: 0 };
  const atPace = createPace(parts);
  let stopped: NotChecked | undefined;

  async function fetchReply(target: string): Promise<HttpReply> {
    const decision = await budget?.spend(CLIENT);
    if (decision?.spent) throw (stopped = new NotChecked('the daily quota of requests is used up'));
    counts.requests++;
    const either = AbortSignal.any([signal, AbortSignal.timeout(parts.deadlineMs)]);
    return socket.get(target, either, (count) => budget?.addBytes(count, CLIENT));
  }

  /** After throttling, or repeated failures, no further request is sent. */
  function recordFailure(reply: HttpReply | undefined): void {
    counts.failures++;
    const isLimit = reply?.status === 429 || reply?.retryAfterSeconds !== undefined;
    if (isLimit) stopped = new NotChecked('the site throttles');
    else if (counts.failures >= MAX_FAILURES)
      stopped = new NotChecked('the site does not respond as expected');
  }

  async function load(target: string): Promise<SiteReply> {
    if (stopped) throw stopped;
    let reply: HttpReply | undefined;
    try {
      reply = await atPace(() => fetchReply(target));
      const read = await readSiteReply(reply, parts.maxBodyBytes, clock.now());
      if (isUnusable(read, target)) recordFailure(reply);
      else counts.failures = 0;
      return read;
    } catch (error) {
      if (!(error instanceof NotChecked)) recordFailure(reply);
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
  const { request, counts } = createRequest(parts);
  const problems: SourceProblem[] = [];
  let lastReply: SiteReply | undefined;

  const source = createNarouSource({
    transport: {
      get: async (path, query) => {
        const reply = await request(requestsJson(path, query));
        lastReply = reply;
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
    request,
    source,
    drainProblems: () => problems.splice(0),
    lastKeys: () => [...new Set(lastReply?.records?.flatMap((record) => Object.keys(record)))],
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

/** Why the site failed, without addresses: `upstream_timeout`, `ECONNREFUSED`. */
export function failureOf(error: unknown): string {
  const causes: string[] = [];
  for (let each: unknown = error; each instanceof Error && causes.length < 4; each = each.cause) {
    const code = each instanceof ServiceError ? each.code : (each as NodeJS.ErrnoException).code;
    if (code !== undefined) causes.push(code);
  }
  return causes.join(', ') || 'unknown';
}
