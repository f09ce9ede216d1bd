import { STORED_FIELDS, sliceOfFields } from '../index/engine/stored-record.ts';
import type { StoredField, Text, WriteRecord } from '../index/engine/stored-record.ts';
import { TEXTS } from '../index/engine/layout.ts';
import { FIELD_LABELS } from '../novels/genres.ts';
import type { NovelQuery } from '../novels/novel-query.ts';
import { OF_FIELDS, findOfField } from '../novels/of-fields.ts';
import type { NovelField, NovelInterface } from '../novels/of-fields.ts';

type PublishedField = NovelField | 'weekly_unique' | 'gensaku';

/** Gives some members of a published record, out of the JSON of what it has beside its texts. */
type Slice = (fields: string) => string;

const isText = (field: unknown): field is Text => TEXTS.some((text) => text === field);

const typeOf = sliceOfFields('novel_type', 'novel_type');

function labelPiece(field: StoredField, labels: ReadonlyMap<number, string>): Slice {
  const codeOf = sliceOfFields(field, field);
  const written = new Map([...labels].map(([code, label]) => [`"${field}":${code}`, JSON.stringify(label)]));
  return (fields) => `"${field}_label":${written.get(codeOf(fields)) ?? '""'}`;
}

/** What a field is written by; by its name where it is published as it is stored. */
function* membersOf(field: PublishedField): Iterable<Slice | Text | StoredField> {
  if (isText(field)) yield field;
  else if (field === 'gensaku') yield () => '"gensaku":""';
  else if (field === 'noveltype') yield (fields) => typeOf(fields).replace('novel_type', 'noveltype');
  else {
    yield field;
    const labels = FIELD_LABELS[field];
    if (labels) yield labelPiece(field, labels);
  }
}

/** Stored fields that lie one behind the other are one slice. */
function joinSlices(members: readonly (Slice | Text | StoredField)[]): (Slice | Text)[] {
  const pieces: (Slice | Text)[] = [];
  for (let at = 0; at < members.length; at++) {
    const first = members[at] as Slice | Text | StoredField;
    if (typeof first === 'function' || isText(first)) {
      pieces.push(first);
      continue;
    }
    let place = STORED_FIELDS.indexOf(first);
    while (members[at + 1] !== undefined && members[at + 1] === STORED_FIELDS[place + 1]) {
      place++;
      at++;
    }
    pieces.push(sliceOfFields(first, STORED_FIELDS[place] as StoredField));
  }
  return pieces;
}

/** All fields in the upstream's order, with the relic that no code selects. */
function* wholeRecord(upstream: NovelInterface): Iterable<PublishedField> {
  for (const { field, servedBy } of OF_FIELDS) {
    if (field === 'keyword') yield 'gensaku';
    if (servedBy === 'any' || servedBy === upstream) yield field;
  }
}

/**
 * Writes stored records as JSON of what the narou source publishes for the same novels: the fields that `of` selects, in
 * its order, or all of them. Nothing is parsed, which would take five times as long.
 */
export function novelWriter(
  upstream: NovelInterface,
  { of, opt }: Pick<NovelQuery, 'of' | 'opt'>,
): WriteRecord {
  const chosen: PublishedField[] = of?.flatMap((code) => findOfField(code)?.field ?? []) ?? [
    ...wholeRecord(upstream),
  ];
  if (opt === 'weekly') chosen.push('weekly_unique');
  const pieces = joinSlices(chosen.flatMap((field) => [...membersOf(field)]));
  return (record, json) => {
    const fields = record.fields();
    let plain = '{';
    for (const [place, piece] of pieces.entries()) {
      if (place > 0) plain += ',';
      if (typeof piece === 'function') {
        plain += piece(fields);
      } else {
        json.put(`${plain}"${piece}":`);
        json.putText(record.text(piece));
        plain = '';
      }
    }
    json.put(`${plain}}`);
  };
}
