import type { Answer, CachePolicy, KeptAnswer, Question } from '../../cache/answer.ts';
import type { SourceAsker } from '../catalogue-source.ts';
import type { EndpointMeta } from '../envelope.ts';

/** The data of an answer and what is said of them. */
export interface CatalogueAnswer extends Pick<Answer, 'madeOf' | 'isDerived'> {
  data: unknown;
  meta: EndpointMeta;
  /** True: it will hardly ever change (a past ranking); kept as long as the route says for those. */
  settled?: boolean;
}

/** How long the answers to a question are kept. */
export interface KeepingTimes {
  cache: CachePolicy;
  /** For answers that will not change any more: a ranking whose day is over. */
  settled?: CachePolicy;
}

/** What a request comes down to. */
export interface CatalogueQuestion extends Pick<Question, 'key' | 'isMany'> {
  load: (asker: SourceAsker, others: OtherQuestions) => Promise<CatalogueAnswer>;
}

/** The answers to other questions, kept or asked for, on the same client's behalf. See OtherAnswers of the cache. */
export interface OtherQuestions {
  find: (key: string) => Promise<KeptAnswer | undefined>;
  get: (question: CatalogueQuestion, times: KeepingTimes) => Promise<KeptAnswer>;
}

/** An answer that says what another one says, by another name. */
export function sameAs(answer: KeptAnswer): CatalogueAnswer {
  return { data: answer.data, meta: answer.meta as EndpointMeta, madeOf: [answer], isDerived: true };
}

/** As the cache takes it, on behalf of a client. */
export function toQuestion(
  { load, ...question }: CatalogueQuestion,
  { settled }: KeepingTimes,
  client: string,
): Question {
  return {
    ...question,
    load: async function loadForClient({ signal, background, others }) {
      let oldest = Infinity;
      const onFetchedAt = (fetchedAt: number) => {
        oldest = Math.min(oldest, fetchedAt * 1000);
      };
      const { settled: isSettled = false, ...answer } = await load(
        { client, background, signal, onFetchedAt },
        {
          find: (other) => others.find(other),
          get: (other, times) => others.get(toQuestion(other, times, client), times.cache),
        },
      );
      return { ...withAge(answer, oldest), ...(isSettled && settled && { policy: settled }) };
    },
  };
}

/** Says in `meta.asOf` when the oldest of the data were fetched, its own or those that it is made of. */
function withAge(answer: Answer, fetchedAt: number): Answer {
  const ofParts = (answer.madeOf ?? []).map(({ meta }) => Date.parse(String(meta['asOf'])) || Infinity);
  const asOf = Math.min(fetchedAt, ...ofParts);
  if (asOf === Infinity) return answer;
  return { ...answer, asOf, meta: { ...answer.meta, asOf: new Date(asOf).toISOString() } };
}
