import { EXAMPLES } from './examples.ts';
import { FIELD_LABELS } from './genres.ts';
import { text } from '@mokuroku/kit';
import type { Text } from '@mokuroku/kit';

/** The upstream interfaces that return novel records. */
export type NovelInterface = 'novelapi' | 'novel18api';

/** The upstream interface that serves something: `any` means both, `none` that only local data have it. */
export type ServedBy = NovelInterface | 'any' | 'none';

export const isServedBy = (
  upstream: NovelInterface,
  { servedBy }: { readonly servedBy: ServedBy },
): boolean => servedBy === 'any' || servedBy === upstream;

/** What an `of` code selects. */
export interface OfField {
  readonly code: string;
  /** Name in the record. `nt` is always `noveltype` here; without `of` the upstream names it `novel_type`. */
  readonly field: string;
  /** `flag`: the number 0 or 1. `datetime`: `YYYY-MM-DD HH:MM:SS` in Japan time, without a zone. */
  readonly type: 'string' | 'integer' | 'flag' | 'datetime';
  /** The upstream interface that knows the code. */
  readonly servedBy: Exclude<ServedBy, 'none'>;
  /** Bytes of the number in the index. Default: 1 for a flag, else 4. Fewer mean few values, each with a bitmap. */
  readonly bytes?: 1 | 2;
  /** Changes daily although the novel does not: a harvest fetches it again. */
  readonly daily?: true;
  readonly text: Text;
  /** What surprises. */
  readonly note?: Text;
  readonly example: string | number;
}

/**
 * The codes of `of` in record order: the 37 of the contract, and `ng`, which only novel18api has. Source: the manuals
 * of novelapi and novel18api, as of August 2025. (The upstream's full record also contains `gensaku`, always empty,
 * which no code selects.)
 */
// prettier-ignore
export const OF_FIELDS = [
  { code: 't',    field: 'title',           type: 'string',   servedBy: 'any',         example: EXAMPLES.title,
    text: text('Title, at most 100 characters.', '題名。100 文字まで。') },
  { code: 'n',    field: 'ncode',           type: 'string',   servedBy: 'any',         example: EXAMPLES.ncode,
    text: text('Code of the novel, upper case.', '小説の Nコード（大文字）。') },
  { code: 'u',    field: 'userid',          type: 'integer',  servedBy: 'novelapi',    example: EXAMPLES.userid,
    text: text('User id of the author.', '作者のユーザー ID。'),
    note: text('A number here, a string of digits in a user record.', 'ここでは数値、ユーザーのレコードでは数字の文字列。') },
  { code: 'w',    field: 'writer',          type: 'string',   servedBy: 'any',         example: EXAMPLES.writer,
    text: text('Pen name of the author.', '作者名。') },
  { code: 's',    field: 'story',           type: 'string',   servedBy: 'any',         example: '星図師の娘は、雨の街で地図を拾った。',
    text: text('Synopsis, at most 1000 characters, with line breaks.', 'あらすじ。1000 文字まで、改行を含みます。') },
  { code: 'bg',   field: 'biggenre',        type: 'integer',  servedBy: 'novelapi',    bytes: 1, example: 2,
    text: text('Big genre: a code of /v1/meta/genres.', '大ジャンル: /v1/meta/genres のコード。') },
  { code: 'g',    field: 'genre',           type: 'integer',  servedBy: 'novelapi',    bytes: 2, example: 201,
    text: text('Genre: a code of /v1/meta/genres.', 'ジャンル: /v1/meta/genres のコード。') },
  { code: 'ng',   field: 'nocgenre',        type: 'integer',  servedBy: 'novel18api',  bytes: 1, example: 2,
    text: text('Adult genre: a code of /v1/meta/nocgenres.', '成人向けジャンル: /v1/meta/nocgenres のコード。') },
  { code: 'k',    field: 'keyword',         type: 'string',   servedBy: 'any',         example: '冒険 魔法 成長',
    text: text('Keywords, separated by blanks.', 'キーワード。'),
    note: text('One string, not a list.', '空白区切りの 1 つの文字列。') },
  { code: 'gf',   field: 'general_firstup', type: 'datetime', servedBy: 'any',         example: '2024-03-08 18:00:12',
    text: text('First publication.', '初回掲載日。') },
  { code: 'gl',   field: 'general_lastup',  type: 'datetime', servedBy: 'any',         example: '2026-10-30 07:00:00',
    text: text('Publication of the latest episode.', '最新話の掲載日。') },
  { code: 'nt',   field: 'noveltype',       type: 'integer',  servedBy: 'any',         example: 1,
    text: text('1 serial, 2 short.', '1 連載、2 短編。'),
    note: text('Always under this name, although the upstream uses novel_type without `of`.', '取得元は `of` を省略すると novel_type と呼びますが、ここでは常にこの名前です。') },
  { code: 'e',    field: 'end',             type: 'flag',     servedBy: 'any',         example: 1,
    text: text('Beware: 0 means complete (or short), 1 means ongoing.', '0 完結済か短編、1 連載中。注意: 0 が完結です。') },
  { code: 'ga',   field: 'general_all_no',  type: 'integer',  servedBy: 'any',         example: 84,
    text: text('Number of episodes; 1 for a short.', '話数。短編は 1。') },
  { code: 'l',    field: 'length',          type: 'integer',  servedBy: 'any',         example: 212345,
    text: text('Length in characters, without blanks and line breaks.', '文字数。空白と改行は数えません。') },
  { code: 'ti',   field: 'time',            type: 'integer',  servedBy: 'any',         example: 425,
    text: text('Reading time in minutes: length / 500, rounded up.', '読了時間（分）: 文字数 / 500 の切り上げ。') },
  { code: 'i',    field: 'isstop',          type: 'flag',     servedBy: 'any',         example: 0, daily: true,
    text: text('1 if ongoing without an episode for 63 days or more.', '1 は、連載中だが 63 日以上掲載なし。') },
  { code: 'ir',   field: 'isr15',           type: 'flag',     servedBy: 'novelapi',    example: 0,
    text: text('1 for readers of 15 and over.', '1 は R15。'),
    note: text('Present on novels for all ages only.', '全年齢向けの作品だけにあります。') },
  { code: 'ibl',  field: 'isbl',            type: 'flag',     servedBy: 'any',         example: 0,
    text: text("1 with the keyword ボーイズラブ (boys' love).", '1 は、必須キーワード「ボーイズラブ」あり。') },
  { code: 'igl',  field: 'isgl',            type: 'flag',     servedBy: 'any',         example: 0,
    text: text("1 with the keyword ガールズラブ (girls' love).", '1 は、必須キーワード「ガールズラブ」あり。') },
  { code: 'izk',  field: 'iszankoku',       type: 'flag',     servedBy: 'any',         example: 1,
    text: text('1 with the keyword 残酷な描写あり (cruel depictions).', '1 は、必須キーワード「残酷な描写あり」あり。') },
  { code: 'its',  field: 'istensei',        type: 'flag',     servedBy: 'any',         example: 0,
    text: text('1 with the keyword 異世界転生 (reincarnation in another world).', '1 は、必須キーワード「異世界転生」あり。') },
  { code: 'iti',  field: 'istenni',         type: 'flag',     servedBy: 'any',         example: 1,
    text: text('1 with the keyword 異世界転移 (transfer to another world).', '1 は、必須キーワード「異世界転移」あり。') },
  { code: 'gp',   field: 'global_point',    type: 'integer',  servedBy: 'any',         example: 5120, daily: true,
    text: text('Overall points: 2 * fav_novel_cnt + all_point.', '総合評価ポイント: 2 * fav_novel_cnt + all_point。') },
  { code: 'dp',   field: 'daily_point',     type: 'integer',  servedBy: 'any',         example: 14, daily: true,
    text: text('Points of the last day, at the time of the latest ranking.', '最新のランキング時点での 1 日のポイント。') },
  { code: 'wp',   field: 'weekly_point',    type: 'integer',  servedBy: 'any',         example: 96, daily: true,
    text: text('Points of the last 7 days, at the time of the latest ranking.', '最新のランキング時点での 7 日間のポイント。') },
  { code: 'mp',   field: 'monthly_point',   type: 'integer',  servedBy: 'any',         example: 402, daily: true,
    text: text('Points of the last 30 days, at the time of the latest ranking.', '最新のランキング時点での 30 日間のポイント。') },
  { code: 'qp',   field: 'quarter_point',   type: 'integer',  servedBy: 'any',         example: 1180, daily: true,
    text: text('Points of the last 90 days, at the time of the latest ranking.', '最新のランキング時点での 90 日間のポイント。') },
  { code: 'yp',   field: 'yearly_point',    type: 'integer',  servedBy: 'any',         example: 3300, daily: true,
    text: text('Points of the last 365 days, at the time of the latest ranking.', '最新のランキング時点での 365 日間のポイント。') },
  { code: 'f',    field: 'fav_novel_cnt',   type: 'integer',  servedBy: 'any',         example: 1510, daily: true,
    text: text('Number of bookmarks.', 'ブックマーク数。') },
  { code: 'imp',  field: 'impression_cnt',  type: 'integer',  servedBy: 'any',         example: 57, daily: true,
    text: text('Number of impressions left by readers.', '感想の数。') },
  { code: 'r',    field: 'review_cnt',      type: 'integer',  servedBy: 'any',         example: 2, daily: true,
    text: text('Number of reviews.', 'レビューの数。') },
  { code: 'a',    field: 'all_point',       type: 'integer',  servedBy: 'any',         example: 2100, daily: true,
    text: text('Points given by raters (bookmarks not counted).', '評価者が付けたポイント（ブックマークは含まず）。') },
  { code: 'ah',   field: 'all_hyoka_cnt',   type: 'integer',  servedBy: 'any',         example: 243, daily: true,
    text: text('Number of raters.', '評価者の数。') },
  { code: 'sa',   field: 'sasie_cnt',       type: 'integer',  servedBy: 'any',         example: 3,
    text: text('Number of illustrations.', '挿絵の数。') },
  { code: 'ka',   field: 'kaiwaritu',       type: 'integer',  servedBy: 'any',         example: 38,
    text: text('Share of dialogue in per cent.', '会話率（％）。') },
  { code: 'nu',   field: 'novelupdated_at', type: 'datetime', servedBy: 'any',         example: '2026-10-30 07:00:03',
    text: text('Last change of the novel.', '小説の最終更新。') },
  { code: 'ua',   field: 'updated_at',      type: 'datetime', servedBy: 'any',         example: '2026-11-02 04:11:45',
    text: text('Last update of this record by the site.', 'サイトがこのレコードを更新した日時。') },
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
/** The values of all fields of an interface. Not generic: the published client has them written out. */
export type NovelFieldValues = FieldValues<Extract<OfRow, { servedBy: 'any' | 'novelapi' }>>;
export type AdultFieldValues = FieldValues<Extract<OfRow, { servedBy: 'any' | 'novel18api' }>>;

/** A field with few values. */
export type FewValuesField = Extract<
  (typeof OF_FIELDS)[number],
  { bytes: 1 | 2 } | { type: 'flag' }
>['field'];

export type FieldOfType<Type extends OfField['type']> = Extract<OfRow, { type: Type }>['field'];

export type OfCode = (typeof OF_FIELDS)[number]['code'];
export type NovelField = (typeof OF_FIELDS)[number]['field'];

const BY_CODE: ReadonlyMap<string, OfField & { code: OfCode; field: NovelField }> = new Map(
  OF_FIELDS.map((row) => [row.code, row]),
);

/** The row of a code in exactly this spelling; undefined if there is no such code. */
export function findOfField(code: string): (OfField & { code: OfCode; field: NovelField }) | undefined {
  return BY_CODE.get(code);
}

const codesServedBy = (upstream: NovelInterface): readonly OfCode[] =>
  OF_FIELDS.filter((row) => isServedBy(upstream, row)).map(({ code }) => code);

/** The codes that an interface knows: 37 for novelapi (no `ng`), 34 for novel18api (no `u bg g ir`). */
export const SERVED_CODES: Readonly<Record<NovelInterface, readonly OfCode[]>> = {
  novelapi: codesServedBy('novelapi'),
  novel18api: codesServedBy('novel18api'),
};

/** The fields that a code selects: its own, and the label beside a genre. */
export function selectedFields(code: OfCode): readonly string[] {
  const field = findOfField(code)?.field ?? code;
  return FIELD_LABELS[field] ? [field, `${field}_label`] : [field];
}

/** The records with the fields of a search, in the order of `of`; without it with all. */
export function selectFields(
  records: Record<string, unknown>[],
  { of, opt }: { readonly of?: readonly OfCode[] | undefined; readonly opt?: 'weekly' | undefined },
): Record<string, unknown>[] {
  if (of === undefined) return records;
  const names = [...of.flatMap(selectedFields), ...(opt === 'weekly' ? ['weekly_unique'] : [])];
  return records.map((record) =>
    Object.fromEntries(names.flatMap((name) => (name in record ? [[name, record[name]]] : []))),
  );
}

/** The fields of a whole record, in its order. `gensaku`, which no code selects, comes before the keywords. */
const wholeFields = (codes: readonly OfCode[]): string[] =>
  codes.flatMap((code) => (code === 'k' ? ['gensaku', ...selectedFields(code)] : selectedFields(code)));

/** The fields of both interfaces. */
export const PUBLISHED_FIELDS = wholeFields(OF_FIELDS.map(({ code }) => code));

/** The fields of a record with these codes, in its order; without codes all known fields. */
export function recordFields(upstream: NovelInterface, of: readonly string[] | undefined): string[] {
  const codes = SERVED_CODES[upstream];
  return of ? codes.filter((code) => of.includes(code)).flatMap(selectedFields) : wholeFields(codes);
}
