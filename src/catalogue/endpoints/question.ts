import type { LoadedData, CacheEntry, CacheReader, Question } from '../../cache/answer.ts';
import type { SourceAsker } from '../source/catalogue-source.ts';
import type { EndpointMeta } from './envelope.ts';

/** The data of an answer and what is said of them. */
export interface CatalogueAnswer extends LoadedData {
  meta: EndpointMeta;
}

/** Asks the source on somebody's behalf, or makes the answer of others. */
export type LoadForClient = (asker: SourceAsker, cache: CacheReader) => Promise<CatalogueAnswer>;

/** The data of a kept answer, null where there are none. */
export const dataOf = (answer: CacheEntry | undefined): unknown =>
  answer?.status === 200 ? JSON.parse(answer.data.toString()) : null;

/** An answer that says what another one says, by another name. */
export function aliasOf(answer: CacheEntry): CatalogueAnswer {
  const { data, total } = answer;
  return { data, total, meta: answer.meta as EndpointMeta, madeOf: [answer], isComposed: true };
}

/** What a request comes down to, asked on behalf of a client. */
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
      const asker = { client, background, signal, onFetchedAt, onKnownUntil };
      const answer = await load(asker, cache);
      return withUntil(withAge({ total: answer.meta.upstreamAllCount, ...answer }, oldest), until);
    },
  };
}

/** Says in `meta.until` up to which day the histories in an answer are known, its own or those that it is made of. */
function withUntil(answer: LoadedData, own: string | undefined): LoadedData {
  const ofParts = (answer.madeOf ?? []).map(({ meta }) => meta['until']);
  const days = [own, ...ofParts].filter((day) => typeof day === 'string');
  const [until] = days.sort();
  return until === undefined ? answer : { ...answer, meta: { ...answer.meta, until } };
}

/** Says in `meta.asOf` when the oldest of the data were fetched, its own or those that it is made of. */
function withAge(answer: LoadedData, fetchedAt: number): LoadedData {
  const ofParts = (answer.madeOf ?? []).map(({ meta }) => Date.parse(String(meta['asOf'])) || Infinity);
  const asOf = Math.min(fetchedAt, ...ofParts);
  if (asOf === Infinity) return answer;
  return { ...answer, asOf, meta: { ...answer.meta, asOf: new Date(asOf).toISOString() } };
}
