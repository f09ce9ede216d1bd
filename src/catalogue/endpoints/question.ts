import type { LoadedData, CacheEntry, CacheReader, Question } from '../../cache/cache-entry.ts';
import type { Requester } from '../../upstream/budget.ts';
import type { Provenance } from '../source/catalogue-source.ts';
import type { EndpointMeta } from './envelope.ts';

/** Data and their metadata. */
interface CatalogueAnswer extends LoadedData {
  meta: EndpointMeta;
  /** What the source gave; cache entries are in `madeOf`. */
  from: readonly Provenance[];
}

/** Queries the source for a client, or composes other entries. */
type LoadForClient = (requester: Requester, cache: CacheReader) => Promise<CatalogueAnswer>;

/** The data of a cache entry; null for an absence. */
export const dataOf = (entry: CacheEntry | undefined): unknown =>
  entry?.status === 200 ? JSON.parse(entry.data.toString()) : null;

/** The same data under another key. */
export function aliasOf(entry: CacheEntry): CatalogueAnswer {
  const { data, total } = entry;
  return { data, total, meta: entry.meta as EndpointMeta, from: [], madeOf: [entry], isComposed: true };
}

/** Creates the question of a request, for a client. */
export function questionOf({ client }: { client: string }, key: string, load: LoadForClient): Question {
  return {
    key,
    load: async function loadForClient({ signal, background, cache }) {
      const { from, ...answer } = await load({ client, background, signal }, cache);
      const parts = (answer.madeOf ?? []).map(({ meta }) => meta as EndpointMeta);
      const meta = { ...answer.meta, ...provenanceMeta(from, parts) };
      const asOf = meta.asOf === undefined ? undefined : Date.parse(meta.asOf);
      return { total: meta.upstreamAllCount, ...answer, meta, asOf };
    },
  };
}

/**
 * `meta.asOf`, when the oldest of the data were fetched, and `meta.until`, the last day that all of them know. `parts`
 * has those of the cache entries that a response is made of.
 */
export function provenanceMeta(
  from: readonly Provenance[],
  parts: readonly Pick<EndpointMeta, 'asOf' | 'until'>[] = [],
): Pick<EndpointMeta, 'asOf' | 'until'> {
  const times = from.flatMap(({ fetchedAt = Infinity }) =>
    fetchedAt === Infinity ? [] : [new Date(fetchedAt * 1_000).toISOString()],
  );
  const [asOf] = [...times, ...parts.flatMap((part) => part.asOf ?? [])].sort();
  const [until] = [...from, ...parts].flatMap((part) => part.until ?? []).sort();
  return { ...(asOf !== undefined && { asOf }), ...(until !== undefined && { until }) };
}
