import type { LoadedData, CacheEntry, CacheReader, Question } from '../../cache/cache-entry.ts';
import type { SourceRequester } from '../source/catalogue-source.ts';
import type { EndpointMeta } from './envelope.ts';

/** Data and their metadata. */
interface CatalogueAnswer extends LoadedData {
  meta: EndpointMeta;
}

/** Queries the source for a client, or composes other entries. */
type LoadForClient = (requester: SourceRequester, cache: CacheReader) => Promise<CatalogueAnswer>;

/** The data of a cache entry; null for an absence. */
export const dataOf = (entry: CacheEntry | undefined): unknown =>
  entry?.status === 200 ? JSON.parse(entry.data.toString()) : null;

/** The same data under another key. */
export function aliasOf(entry: CacheEntry): CatalogueAnswer {
  const { data, total } = entry;
  return { data, total, meta: entry.meta as EndpointMeta, madeOf: [entry], isComposed: true };
}

/** Creates the question of a request, for a client. */
export function questionOf({ client }: { client: string }, key: string, load: LoadForClient): Question {
  return {
    key,
    load: async function loadForClient({ signal, background, cache }) {
      let oldest = Infinity;
      const onFetchedAt = (fetchedAt: number) => {
        oldest = Math.min(oldest, fetchedAt * 1000);
      };
      let until: string | undefined;
      const onKnownUntil = (date: string) => {
        until = date;
      };
      const requester = { client, background, signal, onFetchedAt, onKnownUntil };
      const answer = await load(requester, cache);
      return withUntil(withAge({ total: answer.meta.upstreamAllCount, ...answer }, oldest), until);
    },
  };
}

/** Sets `meta.until`: the last known day of the histories in the answer, or in its parts. */
function withUntil(answer: LoadedData, own: string | undefined): LoadedData {
  const ofParts = (answer.madeOf ?? []).map(({ meta }) => meta['until']);
  const days = [own, ...ofParts].filter((day) => typeof day === 'string');
  const [until] = days.sort();
  return until === undefined ? answer : { ...answer, meta: { ...answer.meta, until } };
}

/** Sets `meta.asOf`: when the oldest of the data, or of its parts, were fetched. */
function withAge(answer: LoadedData, fetchedAt: number): LoadedData {
  const ofParts = (answer.madeOf ?? []).map(({ meta }) => Date.parse(String(meta['asOf'])) || Infinity);
  const asOf = Math.min(fetchedAt, ...ofParts);
  if (asOf === Infinity) return answer;
  return { ...answer, asOf, meta: { ...answer.meta, asOf: new Date(asOf).toISOString() } };
}
