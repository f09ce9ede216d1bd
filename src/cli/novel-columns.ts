import type { AdultNovel, Novel } from '../client/index.ts';
import type { Column } from './table.ts';

/** A record of either kind; which fields are there depends on `of`. */
export type AnyNovel = Partial<Novel & AdultNovel>;

/** What the table shows where `--of` does not say: asked for by these codes. */
export const TABLE_CODES = ['t', 'n', 'w', 'nt', 'e', 'i', 'ga', 'l', 'gp', 'gl'] as const;

const number = (value: number | undefined): string => (value === undefined ? '' : value.toLocaleString('en'));

/** `2026-10-30 07:00:00` (Japan) to its day. */
const day = (value: string | undefined): string => (value ?? '').slice(0, 10);

/** `end` is 0 for complete ones and shorts, `noveltype` 2 for shorts. */
export function stateOf(novel: AnyNovel): string {
  if (novel.noveltype === undefined) return '';
  if (novel.noveltype === 2) return 'short';
  if (novel.end === 0) return 'complete';
  return novel.isstop === 1 ? 'stopped' : 'ongoing';
}

export const NCODE: Column<AnyNovel> = { header: 'NCODE', value: (novel) => novel.ncode ?? '' };
export const TITLE: Column<AnyNovel> = { header: 'TITLE', value: (novel) => novel.title ?? '', least: 30 };
export const AUTHOR: Column<AnyNovel> = {
  header: 'AUTHOR',
  value: (novel) => novel.writer ?? '',
  least: 10,
  dispensable: 2,
};
export const GENRE: Column<AnyNovel> = {
  header: 'GENRE',
  value: (novel) => novel.genre_label ?? novel.nocgenre_label ?? '',
  least: 14,
  dispensable: 4,
};

export const NOVEL_TABLE: readonly Column<AnyNovel>[] = [
  NCODE,
  TITLE,
  AUTHOR,
  GENRE,
  { header: 'STATE', value: stateOf, dispensable: 3 },
  { header: 'EP.', value: (novel) => number(novel.general_all_no), align: 'right', dispensable: 5 },
  { header: 'CHARACTERS', value: (novel) => number(novel.length), align: 'right', dispensable: 6 },
  { header: 'POINTS', value: (novel) => number(novel.global_point), align: 'right', dispensable: 1 },
  { header: 'LATEST', value: (novel) => day(novel.general_lastup), dispensable: 7 },
];

const TEXTS = new Set(['title', 'writer', 'story', 'keyword', 'genre_label', 'nocgenre_label']);

/** One column for each field that the records have: for `--of`. */
export function columnsOfRecords(records: readonly object[]): Column<AnyNovel>[] {
  const fields = new Set<string>();
  for (const record of records) for (const field of Object.keys(record)) fields.add(field);
  return [...fields].map((field) => ({
    header: field,
    value: (novel) => {
      const value = (novel as Record<string, string | number | null | undefined>)[field];
      return value === null || value === undefined ? '' : String(value);
    },
    ...(TEXTS.has(field) ? { least: 20 } : { align: 'right' as const }),
  }));
}
