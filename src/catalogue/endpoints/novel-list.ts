import type { CachePolicy, KeptAnswer, OtherAnswers, Question } from '../../cache/answer.ts';
import type { NovelRecord, OfSelection } from '../catalogue-source.ts';
import type { EndpointMeta } from '../envelope.ts';
import { fieldsOf, selectFields } from '../novels/select-fields.ts';
import { withAllCount } from './search-meta.ts';
import type { EndpointServices } from './endpoint.ts';
import { dataOf, questionOf } from './question.ts';
import type { CatalogueAnswer, LoadForClient } from './question.ts';

/** A list of novels of which `of` chooses the fields. */
interface NovelList {
  of: OfSelection;
  /** The key of the question for other fields; for none given (undefined) it names the list. */
  keyFor: (of: OfSelection) => string;
  /** Members of a record that `of` does not choose: those in front of the novel's fields, and those behind them. */
  before?: readonly string[];
  after?: readonly string[];
  /** Key of the answer that is its one record and nothing else. */
  single?: string | undefined;
  /** Where it deserves another one than its endpoint: it will hardly ever change. */
  policy?: CachePolicy | undefined;
  load: LoadForClient;
}

interface Found {
  answer: KeptAnswer;
  records: NovelRecord[];
  meta: EndpointMeta;
}

/** A kept list with these fields and more. */
async function findWider(
  { fieldSets }: EndpointServices,
  { of, keyFor, single }: NovelList,
  name: string,
  others: OtherAnswers,
): Promise<Found | undefined> {
  for (const wider of fieldSets.widerThan(name, of)) {
    const answer = await others.find(keyFor(wider));
    const records = dataOf(answer) as NovelRecord[] | null;
    if (answer && records) return { answer, records, meta: answer.meta as EndpointMeta };
  }
  const answer = single === undefined ? undefined : await others.find(single);
  const record = dataOf(answer) as NovelRecord | null;
  if (!answer || !record) return undefined;
  return { answer, records: [record], meta: withAllCount(answer.meta as EndpointMeta, 1) };
}

/** The one novel of a kept list with all fields that has no other. */
export async function findInList(others: OtherAnswers, key: string): Promise<CatalogueAnswer | undefined> {
  const answer = await others.find(key);
  const [record, ...more] = (dataOf(answer) ?? []) as NovelRecord[];
  if (!answer || record === undefined || more.length > 0) return undefined;
  const { source } = answer.meta as EndpointMeta;
  return { data: record, meta: { source }, madeOf: [answer], isDerived: true };
}

/** The question for such a list: an answer with more fields, as long as it is fresh, is cut down to those wanted. */
export function novelListQuestion(services: EndpointServices, list: NovelList): Question {
  const { of, keyFor, before = [], after = [], policy } = list;
  const select = (record: NovelRecord) =>
    of === undefined ? record : selectFields(record, [...before, ...of.flatMap(fieldsOf), ...after]);
  const key = keyFor(of);
  return questionOf(services, key, async function cutDownOrLoad(asker, others) {
    const name = of === undefined ? key : keyFor(undefined);
    const found = await findWider(services, list, name, others);
    if (found) {
      const { answer, records, meta } = found;
      const total = answer.total ?? meta.upstreamAllCount;
      return { data: records.map(select), total, meta, policy, madeOf: [answer], isDerived: true };
    }
    const answer = await list.load(asker, others);
    services.fieldSets.note(name, of);
    return { ...answer, policy };
  });
}
