import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { ServiceError, asServiceError, toErrorBody } from '../../errors.ts';
import type { NovelStream } from '../source/catalogue-source.ts';
import type { NovelQuery } from '../novels/novel-query.ts';
import type { NovelInterface } from '../novels/of-fields.ts';
import type { EndpointServices } from './endpoint.ts';
import type { Lines } from './forms.ts';
import { nextRows } from './search-meta.ts';

/** Number of novels that counts as one request, as with pages. */
const NOVELS_A_REQUEST = 500;

/** Maximum duration of a stream: it keeps a replaced generation open. */
const MAX_SECONDS = 3_600;

/** Each match needs a row number in memory. */
const BYTES_A_MATCH = 4;

/** Counts another request of the client; waits if its limit is used up. */
async function countRequest({ limiter, client }: EndpointServices): Promise<void> {
  while (limiter !== undefined) {
    const { isAllowed, waitMs, resetSeconds } = await limiter.admit(client);
    if (isAllowed) return;
    await wait(waitMs ?? resetSeconds * 1_000);
  }
}

/** Every novel, then a final line. A stream without that line is incomplete. */
async function* streamedLines(
  services: EndpointServices,
  site: NovelInterface,
  { batches }: NovelStream,
): AsyncGenerator<string | Buffer, void, undefined> {
  const began = services.clock.monotonic();
  let count = 0;
  let counted = NOVELS_A_REQUEST;
  let oldest = Infinity;
  const last = (more: object): string => {
    const asOf = oldest === Infinity ? {} : { asOf: new Date(oldest * 1_000).toISOString() };
    return `${JSON.stringify({ meta: { source: site, count, ...asOf, ...more } })}\n`;
  };
  try {
    for (const batch of batches) {
      if (count >= counted) {
        await countRequest(services);
        counted += NOVELS_A_REQUEST;
      }
      if (services.clock.monotonic() - began > MAX_SECONDS * 1_000)
        throw new ServiceError('upstream_timeout');
      yield batch.lines;
      count += batch.count;
      oldest = Math.min(oldest, batch.oldest);
      await nextTurn();
    }
  } catch (error) {
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
    throw new ServiceError('not_available_here', { message });
  }
  const { total } = stream;
  const next = nextRows(query, services.source.maxStart)({ total });
  return { total, next, memoryBytes: total * BYTES_A_MATCH, lines: streamedLines(services, site, stream) };
}
