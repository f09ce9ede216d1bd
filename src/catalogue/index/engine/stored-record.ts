import type { CatalogueNovel } from '../catalogue-novel.ts';
import type { JsonBytes } from './json-bytes.ts';
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
  /** UTF-16. */
  text(name: Text): Uint16Array;
  /** JSON of the other fields, without the brace that begins it. */
  fields(): string;
}

/** Writes what is wanted of a record. */
export type WriteRecord = (record: StoredRecord, json: JsonBytes) => void;

/** Letters that some stored fields take at least: a name, its quotes, a colon, a value of one letter, a comma. */
const leastLength = (from: number, until: number): number =>
  STORED_FIELDS.slice(from, until).reduce((sum, name) => sum + name.length + 5, 0);

/** What of a record's JSON lies from one field's name up to the name of the next: `"end":1,"length":5`. */
export function sliceOfFields(first: StoredField, last: StoredField): (fields: string) => string {
  const [place, next] = [STORED_FIELDS.indexOf(first), STORED_FIELDS.indexOf(last) + 1];
  const from = `"${first}":`;
  const until = next === STORED_FIELDS.length ? '}' : `,"${STORED_FIELDS[next] ?? ''}":`;
  // Most of what lies before is names, and need not be looked through.
  const [before, within] = [leastLength(0, place), leastLength(place, next) - 1];
  return (fields) => {
    const begin = fields.indexOf(from, before);
    return fields.slice(begin, fields.indexOf(until, begin + within));
  };
}

/** All that is stored, also what is never sent. */
export const writeWhole: WriteRecord = (record, json) => {
  for (const [place, name] of TEXTS.entries()) {
    json.put(`${place === 0 ? '{' : ','}"${name}":`);
    json.putText(record.text(name));
  }
  json.put(`,${record.fields()}`);
};
