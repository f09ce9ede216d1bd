import { EXAMPLES } from './examples.ts';

/** The upstream interfaces that return novel records. */
export type NovelInterface = 'novelapi' | 'novel18api';

/** What an `of` code selects. */
export interface OfField {
  readonly code: string;
  /** Name in the record. `nt` is always `noveltype` here; without `of` the upstream names it `novel_type`. */
  readonly field: string;
  /** `flag`: the number 0 or 1. `datetime`: `YYYY-MM-DD HH:MM:SS` in Japan time, without a zone. */
  readonly type: 'string' | 'integer' | 'flag' | 'datetime';
  /** Unit of a number or time zone of a date; '' if there is none. */
  readonly unit: string;
  /** The upstream interface that knows the code: `any` means both. */
  readonly servedBy: NovelInterface | 'any';
  /** Bytes of the number in the index. Default: 1 for a flag, else 4. Fewer mean few values, each with a bitmap. */
  readonly bytes?: 1 | 2;
  readonly meaning: string;
  readonly example: string | number;
}

/**
 * The codes of `of` in record order: the 37 of the contract, and `ng`, which only novel18api has. Source: the manuals
 * of novelapi and novel18api, as of August 2025. (The upstream's full record also contains `gensaku`, always empty,
 * which no code selects.)
 */
// prettier-ignore
export const OF_FIELDS = [
  { code: 't',    field: 'title',           type: 'string',   unit: '',              servedBy: 'any',         example: EXAMPLES.title, meaning: 'Title, at most 100 characters.' },
  { code: 'n',    field: 'ncode',           type: 'string',   unit: '',              servedBy: 'any',         example: EXAMPLES.ncode, meaning: 'Code of the novel, upper case.' },
  { code: 'u',    field: 'userid',          type: 'integer',  unit: '',              servedBy: 'novelapi',    example: EXAMPLES.userid, meaning: 'User id of the author.' },
  { code: 'w',    field: 'writer',          type: 'string',   unit: '',              servedBy: 'any',         example: EXAMPLES.writer, meaning: 'Pen name of the author.' },
  { code: 's',    field: 'story',           type: 'string',   unit: '',              servedBy: 'any',         example: '星図師の娘は、雨の街で地図を拾った。', meaning: 'Synopsis, at most 1000 characters, with line breaks.' },
  { code: 'bg',   field: 'biggenre',        type: 'integer',  unit: 'code',          servedBy: 'novelapi',    bytes: 1, example: 2, meaning: 'Big genre: a code of /v1/meta/genres.' },
  { code: 'g',    field: 'genre',           type: 'integer',  unit: 'code',          servedBy: 'novelapi',    bytes: 2, example: 201, meaning: 'Genre: a code of /v1/meta/genres.' },
  { code: 'ng',   field: 'nocgenre',        type: 'integer',  unit: 'code',          servedBy: 'novel18api',  bytes: 1, example: 2, meaning: 'Adult genre: a code of /v1/meta/nocgenres.' },
  { code: 'k',    field: 'keyword',         type: 'string',   unit: '',              servedBy: 'any',         example: '冒険 魔法 成長', meaning: 'Keywords, separated by blanks.' },
  { code: 'gf',   field: 'general_firstup', type: 'datetime', unit: 'JST',           servedBy: 'any',         example: '2024-03-08 18:00:12', meaning: 'First publication.' },
  { code: 'gl',   field: 'general_lastup',  type: 'datetime', unit: 'JST',           servedBy: 'any',         example: '2026-10-30 07:00:00', meaning: 'Publication of the latest episode.' },
  { code: 'nt',   field: 'noveltype',       type: 'integer',  unit: '',              servedBy: 'any',         example: 1, meaning: '1 serial, 2 short.' },
  { code: 'e',    field: 'end',             type: 'flag',     unit: '',              servedBy: 'any',         example: 1, meaning: '0 complete or short, 1 ongoing.' },
  { code: 'ga',   field: 'general_all_no',  type: 'integer',  unit: 'episodes',      servedBy: 'any',         example: 84, meaning: 'Number of episodes; 1 for a short.' },
  { code: 'l',    field: 'length',          type: 'integer',  unit: 'characters',    servedBy: 'any',         example: 212345, meaning: 'Length without blanks and line breaks.' },
  { code: 'ti',   field: 'time',            type: 'integer',  unit: 'minutes',       servedBy: 'any',         example: 425, meaning: 'Reading time: length / 500, rounded up.' },
  { code: 'i',    field: 'isstop',          type: 'flag',     unit: '',              servedBy: 'any',         example: 0, meaning: '1 if ongoing without an episode for 63 days or more.' },
  { code: 'ir',   field: 'isr15',           type: 'flag',     unit: '',              servedBy: 'novelapi',    example: 0, meaning: '1 for readers of 15 and over.' },
  { code: 'ibl',  field: 'isbl',            type: 'flag',     unit: '',              servedBy: 'any',         example: 0, meaning: '1 with the keyword ボーイズラブ (boys\' love).' },
  { code: 'igl',  field: 'isgl',            type: 'flag',     unit: '',              servedBy: 'any',         example: 0, meaning: '1 with the keyword ガールズラブ (girls\' love).' },
  { code: 'izk',  field: 'iszankoku',       type: 'flag',     unit: '',              servedBy: 'any',         example: 1, meaning: '1 with the keyword 残酷な描写あり (cruel depictions).' },
  { code: 'its',  field: 'istensei',        type: 'flag',     unit: '',              servedBy: 'any',         example: 0, meaning: '1 with the keyword 異世界転生 (reincarnation in another world).' },
  { code: 'iti',  field: 'istenni',         type: 'flag',     unit: '',              servedBy: 'any',         example: 1, meaning: '1 with the keyword 異世界転移 (transfer to another world).' },
  { code: 'gp',   field: 'global_point',    type: 'integer',  unit: 'points',        servedBy: 'any',         example: 5120, meaning: 'Overall points: 2 a bookmark, and all_point.' },
  { code: 'dp',   field: 'daily_point',     type: 'integer',  unit: 'points',        servedBy: 'any',         example: 14, meaning: 'Points of the last day, at the time of the latest ranking.' },
  { code: 'wp',   field: 'weekly_point',    type: 'integer',  unit: 'points',        servedBy: 'any',         example: 96, meaning: 'Points of the last 7 days, at the time of the latest ranking.' },
  { code: 'mp',   field: 'monthly_point',   type: 'integer',  unit: 'points',        servedBy: 'any',         example: 402, meaning: 'Points of the last 30 days, at the time of the latest ranking.' },
  { code: 'qp',   field: 'quarter_point',   type: 'integer',  unit: 'points',        servedBy: 'any',         example: 1180, meaning: 'Points of the last 90 days, at the time of the latest ranking.' },
  { code: 'yp',   field: 'yearly_point',    type: 'integer',  unit: 'points',        servedBy: 'any',         example: 3300, meaning: 'Points of the last 365 days, at the time of the latest ranking.' },
  { code: 'f',    field: 'fav_novel_cnt',   type: 'integer',  unit: 'bookmarks',     servedBy: 'any',         example: 1510, meaning: 'Number of bookmarks.' },
  { code: 'imp',  field: 'impression_cnt',  type: 'integer',  unit: 'impressions',   servedBy: 'any',         example: 57, meaning: 'Number of impressions left by readers.' },
  { code: 'r',    field: 'review_cnt',      type: 'integer',  unit: 'reviews',       servedBy: 'any',         example: 2, meaning: 'Number of reviews.' },
  { code: 'a',    field: 'all_point',       type: 'integer',  unit: 'points',        servedBy: 'any',         example: 2100, meaning: 'Points given by raters (bookmarks not counted).' },
  { code: 'ah',   field: 'all_hyoka_cnt',   type: 'integer',  unit: 'raters',        servedBy: 'any',         example: 243, meaning: 'Number of raters.' },
  { code: 'sa',   field: 'sasie_cnt',       type: 'integer',  unit: 'illustrations', servedBy: 'any',         example: 3, meaning: 'Number of illustrations.' },
  { code: 'ka',   field: 'kaiwaritu',       type: 'integer',  unit: 'per cent',      servedBy: 'any',         example: 38, meaning: 'Share of dialogue.' },
  { code: 'nu',   field: 'novelupdated_at', type: 'datetime', unit: 'JST',           servedBy: 'any',         example: '2026-10-30 07:00:03', meaning: 'Last change of the novel.' },
  { code: 'ua',   field: 'updated_at',      type: 'datetime', unit: 'JST',           servedBy: 'any',         example: '2026-11-02 04:11:45', meaning: 'Last update of this record by the site.' },
] as const satisfies readonly OfField[];

type NamedField<Row> = Row extends OfField
  ? { code: Row['code']; field: Row['field']; type: Row['type']; servedBy: Row['servedBy'] }
  : never;
/** The types that the compiler derives from the table. */
export type OfRow = NamedField<(typeof OF_FIELDS)[number]>;

interface TypeValues {
  string: string;
  integer: number;
  flag: 0 | 1;
  datetime: string;
}
/** The values of fields, by their names. */
export type FieldValues<Row extends OfRow> = { [Each in Row as Each['field']]: TypeValues[Each['type']] };

/** A field with few values. */
export type FewValuesField = Extract<
  (typeof OF_FIELDS)[number],
  { bytes: 1 | 2 } | { type: 'flag' }
>['field'];

/** Not `noveltype`, which a stored record names `novel_type`. */
export type FieldOfType<Type extends OfField['type']> = Exclude<
  Extract<OfRow, { type: Type }>['field'],
  'noveltype'
>;

export type OfCode = (typeof OF_FIELDS)[number]['code'];
export type NovelField = (typeof OF_FIELDS)[number]['field'];

const BY_CODE: ReadonlyMap<string, OfField & { code: OfCode; field: NovelField }> = new Map(
  OF_FIELDS.map((row) => [row.code, row]),
);

/** The row of a code in exactly this spelling; undefined if there is no such code. */
export function findOfField(code: string): (OfField & { code: OfCode; field: NovelField }) | undefined {
  return BY_CODE.get(code);
}

/** The codes that an interface knows: 37 for novelapi (no `ng`), 34 for novel18api (no `u bg g ir`). */
export function ofCodesServedBy(source: NovelInterface): OfCode[] {
  return OF_FIELDS.filter((row) => row.servedBy === 'any' || row.servedBy === source).map((row) => row.code);
}
