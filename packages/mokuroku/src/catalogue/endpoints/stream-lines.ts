import { ServiceError, asServiceError, toErrorBody } from '@mokuroku/kit';
import type { NovelStream, StreamBatch } from '@mokuroku/narou/source';
import type { NovelQuery } from '@mokuroku/narou/queries';
import type { NovelInterface } from '@mokuroku/narou';
import { systemSleep } from '@mokuroku/kit/clock';
import type { Sleep } from '@mokuroku/kit/clock';
import type { EndpointServices } from './endpoint.ts';
import type { Lines } from '../forms/index.ts';
import { provenanceMeta, nextRows } from './catalogue-answer.ts';
import { NOVEL_ERRORS } from '@mokuroku/narou';

/** Number of streamed lines that counts as one request, as many as a page has. */
export const LINES_A_REQUEST = 500;

/** Maximum duration of a stream: it keeps a replaced generation open. */
const MAX_MS = 3_600_000;

/**
 * Counts lines before they are sent, as a request for each 500 beyond the first, which the request itself pays for. Waits
 * for the client's limit. Rejects with `upstream_timeout` after an hour, and as soon as the connection is closed.
 */
export function createLineThrottle(
  { clock, limiter, client }: EndpointServices,
  signal: AbortSignal,
  sleep: Sleep = systemSleep,
) {
  const startedAt = clock.monotonic();
  let linesLeft = LINES_A_REQUEST;

  return async (count: number): Promise<void> => {
    for (;;) {
      if (clock.monotonic() - startedAt > MAX_MS) throw new ServiceError(NOVEL_ERRORS.upstream_timeout);
      if (limiter === undefined || linesLeft > 0) break;
      const decision = await limiter.admit(client);
      if (decision.isAllowed) linesLeft += LINES_A_REQUEST;
      else await sleep(decision.waitMs, signal);
    }
    linesLeft -= count;
  };
}

/** Each match needs a row number in memory. */
const BYTES_A_MATCH = 4;
/** Batches that wait for a reader that stalls, as records and as lines. */
const BYTES_OF_BATCHES = 100_000;

/** Every novel, then a final line. A stream without that line is incomplete. */
async function* streamedLines(
  services: EndpointServices,
  site: NovelInterface,
  { fetchedAt, unknown }: NovelStream,
  batches: Iterable<StreamBatch>,
  signal: AbortSignal,
): AsyncGenerator<string | Buffer, void, undefined> {
  const throttleLines = createLineThrottle(services, signal);
  const lacks = unknown.length > 0 && { unknown };
  let count = 0;
  let oldest = Infinity;
  const last = (more: object): string => {
    const provenance = provenanceMeta([{ fetchedAt: count === 0 ? fetchedAt : oldest }]);
    return `${JSON.stringify({ meta: { source: site, count, ...provenance, ...lacks, ...more } })}\n`;
  };
  try {
    for (const batch of batches) {
      await throttleLines(batch.count);
      yield batch.lines;
      count += batch.count;
      oldest = Math.min(oldest, batch.fetchedAt ?? Infinity);
    }
  } catch (error) {
    if (signal.aborted) return;
    const failure = asServiceError(error);
    services.reportFailure(failure);
    yield last({ complete: false, ...toErrorBody(failure) });
    return;
  }
  yield last({ complete: true });
}

/** All novels of a search as lines; needs a local catalogue. */
export function novelLines(services: EndpointServices, site: NovelInterface, query: NovelQuery): Lines {
  const stream = services.source.novels[site].stream?.(query);
  if (stream === undefined) {
    const message =
      'Only a local catalogue streams all matches (CATALOGUE_SOURCE=local). Request them page by page.';
    throw new ServiceError(NOVEL_ERRORS.not_available_here, { message });
  }
  const { total } = stream;
  const next = nextRows(query, services.source.maxStart)({ total });
  const lines = (signal: AbortSignal) =>
    streamedLines(services, site, stream, stream.batches(signal), signal);
  return { total, next, memoryBytes: BYTES_OF_BATCHES + total * BYTES_A_MATCH, lines };
}
