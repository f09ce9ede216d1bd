import { createCutter, parseStored, fieldPlace } from '../index/engine/records.ts';
import type { StoredField } from '../index/catalogue-novel.ts';
import type { WriteRecord } from '../index/engine/open-index.ts';
import { FIELD_LABELS } from '../novels/genres.ts';
import type { NovelQuery } from '../novels/novel-query.ts';
import { OF_FIELDS, findOfField } from '../novels/of-fields.ts';
import type { NovelField, NovelInterface } from '../novels/of-fields.ts';

type PublishedField = NovelField | 'weekly_unique' | 'gensaku';

/** A range of STORED_FIELDS (end excluded), and its published form. */
interface Piece {
  readonly from: number;
  readonly to: number;
  readonly write?: (slice: string) => string;
}

const piece = (field: StoredField, write?: Piece['write']): Piece => {
  const from = fieldPlace(field);
  return { from, to: from + 1, ...(write && { write }) };
};

/** JSON as a Latin-1 string, one character per byte, like stored records. */
const toBytes = (json: string): string => Buffer.from(json).toString('latin1');

function labelPiece(field: StoredField, labels: ReadonlyMap<number, string>): Piece {
  const written = new Map(
    [...labels].map(([code, label]) => [`"${field}":${code}`, toBytes(JSON.stringify(label))]),
  );
  // An unknown code has no label.
  written.set(`"${field}":null`, 'null');
  return piece(field, (slice) => `"${field}_label":${written.get(slice) ?? '""'}`);
}

/** The writer of a field; unchanged if stored and published form are equal. */
function* fieldPieces(field: PublishedField): Iterable<Piece> {
  if (field === 'gensaku') yield { from: 0, to: 0, write: () => '"gensaku":""' };
  else if (field === 'noveltype') {
    yield piece('novel_type', (slice) => slice.replace('novel_type', 'noveltype'));
  } else {
    yield piece(field);
    const labels = FIELD_LABELS[field];
    if (labels) yield labelPiece(field, labels);
  }
}

/** Stands for an absent field, but may also occur in a text. */
const ABSENT = ':null';

/** Joins adjacent stored fields to one piece. */
function joinPieces(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (const next of pieces) {
    const last = joined.at(-1);
    if (last && !last.write && !next.write && last.to === next.from) {
      joined[joined.length - 1] = { from: last.from, to: next.to };
    } else joined.push(next);
  }
  return joined;
}

/** All fields in the upstream's order, including `gensaku`, which no code selects. */
function* wholeRecord(upstream: NovelInterface): Iterable<PublishedField> {
  for (const { field, servedBy } of OF_FIELDS) {
    if (field === 'keyword') yield 'gensaku';
    if (servedBy === 'any' || servedBy === upstream) yield field;
  }
}

/**
 * Writes stored records as the JSON that the narou source publishes for the same novels: the fields of `of` in its
 * order, or all. Records are cut into pieces instead of parsed, which would take five times as long.
 */
export function novelWriter(
  upstream: NovelInterface,
  { of, opt }: Pick<NovelQuery, 'of' | 'opt'>,
): WriteRecord {
  const chosen: PublishedField[] = of?.flatMap((code) => findOfField(code)?.field ?? []) ?? [
    ...wholeRecord(upstream),
  ];
  if (opt === 'weekly') chosen.push('weekly_unique');
  const pieces = joinPieces(chosen.flatMap((field) => [...fieldPieces(field)]));
  const indexes = [...new Set(pieces.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
  const cut = createCutter(indexes);
  const plan = pieces.map(({ from, to, write }) => ({
    from: indexes.indexOf(from),
    to: indexes.indexOf(to),
    write,
  }));
  return (stored) => {
    const cuts = cut(stored);
    let json = '{';
    for (const { from, to, write } of plan) {
      const slice = stored.slice(cuts[from], (cuts[to] as number) - 1);
      json += `${json === '{' ? '' : ','}${write === undefined ? slice : write(slice)}`;
    }
    json += '}';
    return json.includes(ABSENT) ? JSON.stringify(parseStored(json)) : json;
  };
}
