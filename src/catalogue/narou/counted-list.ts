import type { UpstreamReply } from './reply.ts';
import { isRecord } from './field-values.ts';
import type { RawRecord } from './field-values.ts';
import type { Problems } from './problems.ts';
import { invalid } from './upstream-failure.ts';

/** `[{"allcount": N}, record, record ...]`, the form of novelapi, novel18api and userapi. */
export interface CountedList {
  allCount: number | undefined;
  records: RawRecord[];
}

const countOf = (value: unknown): number | undefined => {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
  return typeof value === 'string' && /^[0-9]{1,15}$/.test(value) ? Number(value) : undefined;
};

export interface CountedListForm {
  /** Whether `[]` may mean "no matches" as `[{"allcount":0}]` does. */
  emptyMeansNone: boolean;
}

/**
 * Takes such a list apart. A list without the count in front is taken as records; any other form is
 * upstream_invalid.
 */
export function readCountedList(
  reply: UpstreamReply,
  problems: Problems,
  { emptyMeansNone }: CountedListForm,
): CountedList {
  if ('errorText' in reply) throw invalid(new Error(`upstream said: ${reply.errorText}`));
  const { json } = reply;
  if (!Array.isArray(json)) throw invalid(new Error('upstream gave no list'));
  if (emptyMeansNone && json.length === 0) return { allCount: 0, records: [] };
  const first: unknown = json[0];
  if (!isRecord(first) || Object.keys(first).length === 0)
    throw invalid(new Error('upstream gave an empty list'));
  const counted = 'allcount' in first;
  const allCount = counted ? countOf(first['allcount']) : undefined;
  if (allCount === undefined) problems.note('missing_field', 'allcount');
  const records: RawRecord[] = [];
  for (let i = counted ? 1 : 0; i < json.length; i++) {
    const record: unknown = json[i];
    if (isRecord(record)) records.push(record);
    else problems.note('unreadable_record', typeof record);
  }
  return { allCount, records };
}

/** Where the upstream gave no count: a page that is not full is the last one, so that the count can be told. */
export function allCountOf(list: CountedList, page: { st: number; lim: number }): number | undefined {
  if (list.allCount !== undefined) return list.allCount;
  const { length } = list.records;
  return length < page.lim && (length > 0 || page.st === 1) ? page.st - 1 + length : undefined;
}
