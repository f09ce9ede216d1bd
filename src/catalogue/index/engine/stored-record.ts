import type { CatalogueNovel } from '../catalogue-novel.ts';
import { TEXTS } from './layout.ts';

export type Text = (typeof TEXTS)[number];

/**
 * The fields of a record beside its texts, in the order in which their JSON is stored: those that are published in the
 * order in which they are, so that what lies together is taken as one piece, and then those that are not.
 */
export const STORED_FIELDS = [
  ...(['ncode', 'userid', 'biggenre', 'genre', 'nocgenre'] as const),
  ...([
    'general_firstup',
    'general_lastup',
    'novel_type',
    'end',
    'general_all_no',
    'length',
    'time',
  ] as const),
  ...(['isstop', 'isr15', 'isbl', 'isgl', 'iszankoku', 'istensei', 'istenni'] as const),
  ...([
    'global_point',
    'daily_point',
    'weekly_point',
    'monthly_point',
    'quarter_point',
    'yearly_point',
  ] as const),
  ...(['fav_novel_cnt', 'impression_cnt', 'review_cnt', 'all_point', 'all_hyoka_cnt', 'sasie_cnt'] as const),
  ...([
    'kaiwaritu',
    'novelupdated_at',
    'updated_at',
    'weekly_unique',
    'xid',
    'buntai',
    'fetched_at',
  ] as const),
] as const satisfies readonly Exclude<keyof CatalogueNovel, Text>[];

export type StoredField = (typeof STORED_FIELDS)[number];

/** A record as it lies on disk; good until the next one is read. */
export interface StoredRecord {
  text(name: Text): string;
  /** JSON of the other fields, without the brace that begins it. */
  fields(): string;
}

/** What of a record's JSON lies from one field's name up to the name of the next: `"end":1,"length":5`. */
export function sliceOfFields(first: StoredField, last: StoredField): (fields: string) => string {
  const next = STORED_FIELDS[STORED_FIELDS.indexOf(last) + 1];
  const [from, until] = [`"${first}":`, next === undefined ? '}' : `,"${next}":`];
  return (fields) => {
    const begin = fields.indexOf(from);
    return fields.slice(begin, fields.indexOf(until, begin));
  };
}

/** The JSON of all that is stored, also of what is never sent. */
export function wholeJson(record: StoredRecord): string {
  const texts = TEXTS.map((name) => `"${name}":${JSON.stringify(record.text(name))}`);
  return `{${texts.join(',')},${record.fields()}`;
}
