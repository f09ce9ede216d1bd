import type { ResponseFacts } from './ask.ts';
import type { Meta } from './search-types.ts';

/** The service's envelope, and what its headers say. */
export interface Answer<Data, AnswerMeta extends Meta = Meta> {
  data: Data;
  meta: AnswerMeta;
  response: ResponseFacts;
}
