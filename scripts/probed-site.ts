import { readReply, unpackLayers } from '../packages/narou/src/live/transport.ts';
import type { Clock } from '@mokuroku/kit/process';

/** A reply of the novel site. */
export type SiteReply = Awaited<ReturnType<typeof readSiteReply>>;

const PAUSE_MS = 1_000;
const TIMEOUT_MS = 30_000;
const MAX_BODY_BYTES = 20_000_000;
/** All open points need fewer. */
const MAX_REQUESTS = 60;
/** After this many unusable replies in a row no further request is sent. */
const MAX_FAILURES = 3;

interface SiteOptions {
  readonly baseUrl: string;
  readonly userAgent: string;
  readonly clock: Clock;
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

/**
 * The novel site, one request a second. Several points may need the same reply, which is fetched once. Rejects once
 * the site throttles, fails repeatedly, or has had enough requests.
 */
export function openProbedSite({ baseUrl, userAgent, clock, pause }: SiteOptions) {
  const replies = new Map<string, Promise<SiteReply>>();
  let [sentCount, failures, lastEndedAt] = [0, 0, -Infinity];
  let stopped: string | undefined;

  async function load(target: string): Promise<SiteReply> {
    if (sentCount >= MAX_REQUESTS) stopped ??= `${MAX_REQUESTS} requests were sent`;
    if (failures >= MAX_FAILURES) stopped ??= 'the site does not respond as expected';
    if (stopped !== undefined) throw new Error(stopped);
    const restMs = lastEndedAt + PAUSE_MS - clock.monotonic();
    if (restMs > 0) await pause(restMs);
    sentCount++;
    failures++; // Until the reply has proved usable.
    try {
      const response = await fetch(`${baseUrl.replace(/\/+$/, '')}${target}`, {
        headers: { 'user-agent': userAgent, accept: 'application/json' },
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (response.status === 429 || response.headers.has('retry-after')) stopped = 'the site throttles';
      const reply = await readSiteReply(response);
      const isOtherFormat = !target.includes('out=json&') && reply.status < 400 && !/^\s*</.test(reply.text);
      if (reply.isReadable || isOtherFormat) failures = 0;
      return reply;
    } finally {
      lastEndedAt = clock.monotonic();
    }
  }

  return {
    request: (target: string): Promise<SiteReply> => {
      const reply = replies.get(target) ?? load(target);
      replies.set(target, reply);
      return reply;
    },
    now: () => clock.now(),
    sentCount: () => sentCount,
    /** Why no further request is sent. */
    stopped: () => stopped,
  };
}

/** Nothing if the body is no reply. */
function contentOf(status: number, body: Buffer): { json?: unknown; errorText?: string } {
  try {
    return readReply({ status, retryAfterSeconds: undefined, body }, MAX_BODY_BYTES);
  } catch {
    return {};
  }
}

async function readSiteReply(response: Response) {
  const { status, headers } = response;
  const received = Buffer.from(await response.arrayBuffer());
  const body = unpackLayers(received, MAX_BODY_BYTES);
  const content = contentOf(status, body);
  const isList = Array.isArray(content.json);
  const rows = isList ? (content.json as (Record<string, unknown> | null)[]) : [];
  const records = rows.filter((row) => row !== null).filter((row) => !('allcount' in row));
  const listed = records.length === 0 ? 'empty' : 'rows';
  return {
    status,
    /** `application/json`, without parameters; `none` if missing. */
    contentType: headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? 'none',
    /** Whether the body was a gzip file. */
    isPacked: body !== received,
    text: body.toString(),
    /** Whether it is JSON or one of the site's plain-text errors. */
    isReadable: Object.keys(content).length > 0,
    /** The records of a list, without the leading count. */
    records,
    ncodes: records.map((record) => String(record['ncode']).toUpperCase()),
    allcount: rows[0]?.['allcount'],
    /** `error`, `empty`, `rows`, or the status of something unknown. */
    kind: content.errorText !== undefined ? 'error' : isList ? listed : `other (${status})`,
  };
}
