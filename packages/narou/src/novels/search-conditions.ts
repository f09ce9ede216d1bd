import { text } from '@mokuroku/kit';
import { NOVEL_FAULTS } from './fault-texts.ts';
import { EXAMPLES } from './examples.ts';
import { BIGGENRES, GENRES, NOCGENRES } from './genres.ts';
import { OF_FIELDS, isServedBy } from './of-fields.ts';
import type {
  FewValuesField,
  FieldOfType,
  NovelField,
  NovelInterface,
  OfCode,
  ServedBy,
} from './of-fields.ts';
import type { Text } from '@mokuroku/kit';

// The filters of the novel searches, one row each, with the names and meanings of the upstream's manuals (novelapi and
// novel18api, August 2025). From a row with a field and an operator follow the scan, the index with its columns, the
// parameter with its documents in both languages, and the searches by hand of the tests. Which filters the upstream has
// does not follow from the rows: test/upstream/manual.ts states it by hand, and a test compares `servedBy` with it.

/** Numbers from `min` to `max`, both included; a missing end is open. */
export interface Range {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** The upstream's words for time ranges, in Japan time. A week begins on Sunday at midnight. */
export const TIME_WORDS = ['thisweek', 'lastweek', 'sevenday', 'thismonth', 'lastmonth'] as const;

/** A time range: a word, or Unix times in seconds. */
export type TimeRange = (typeof TIME_WORDS)[number] | Range;

/** The parsed value of each kind. Ncodes are upper case, author ids of the adult site (xids) lower case. */
export interface KindValues {
  words: string | undefined;
  flag: 1 | undefined;
  codes: number[];
  userids: number[];
  xids: string[];
  ncodes: string[];
  number: number;
  range: Range;
  times: TimeRange;
  /** Without the words. */
  plainTimes: Range;
}

/** What a row demands of a field. A novel without the field satisfies neither a filter nor its opposite. */
type FieldTest =
  /** `xid` and `buntai` are for filters only; no record is returned with them. */
  | { readonly operator: 'oneOf'; readonly field: FieldOfType<'integer'> | 'ncode' | 'xid' | 'buntai' }
  | { readonly operator: 'noneOf'; readonly field: FewValuesField }
  | { readonly operator: 'equal'; readonly field: FieldOfType<'flag'>; readonly value: 0 | 1 }
  | { readonly operator: 'between'; readonly field: FieldOfType<'integer'> }
  | { readonly operator: 'betweenTimes'; readonly field: FieldOfType<'datetime'> }
  /** Some of the words occurs in the text, or none. */
  | { readonly operator: 'someWord' | 'noWord'; readonly field: 'keyword' };

type Kind =
  | { readonly kind: Exclude<keyof KindValues, 'codes'> }
  | { readonly kind: 'codes'; readonly codes: readonly number[] }
  /** One of some words; `reasons` explains values that look similar. */
  | {
      readonly kind: 'choice';
      readonly values: readonly string[];
      readonly reasons?: Readonly<Record<string, string>>;
    };

/** Without an operator a row is applied by a function of its own, which reads these fields. */
export type ConditionRow = Kind &
  (FieldTest | { readonly operator?: undefined; readonly reads?: readonly NovelField[] }) & {
    readonly servedBy: ServedBy;
    readonly text: Text;
    /** In titles, if the first words of the text are too many. */
    readonly label?: Text;
    readonly example?: string | number;
  };

type Rows = Readonly<Record<string, ConditionRow>>;

const codesOf = (table: readonly { code: number }[]) => table.map(({ code }) => code);

/** A row by a flag of a record. */
const flagIs = <const By extends ServedBy, Field extends FieldOfType<'flag'>, const Value extends 0 | 1>(
  servedBy: By,
  field: Field,
  value: Value,
  en: string,
  ja: string,
) => {
  const [which, mark] = value === 1 ? ['with', 'のある'] : ['without', 'のない'];
  return {
    kind: 'flag',
    operator: 'equal',
    field,
    value,
    servedBy,
    text: text(`1: only novels ${which} ${en}.`, `${ja}${mark}小説だけ（1）。`),
    label: value === 1 ? text(en, ja) : text(`not ${en}`, `${ja}を除く`),
  } as const;
};

const SPAN = {
  en: 'thisweek (from Sunday), lastweek, sevenday, thismonth, lastmonth; Unix times in seconds (from-to); or days in Japan (from,to), both included. One end may be open (2026-10-01,).',
  ja: 'thisweek（日曜から）、lastweek、sevenday、thismonth、lastmonth、Unix 秒（始-終）、日本の日付（始,終、両端を含む。片方は省けます）。',
};

/** The texts that are searched for words; `ex` is the synopsis, `wname` the pen name. */
export const TEXT_TARGETS = ['title', 'ex', 'keyword', 'wname'] as const;

// prettier-ignore
const WORD_ROWS = {
  word: { kind: 'words', servedBy: 'any', example: EXAMPLES.word, text: text(
    'Words that must all occur, separated by blanks (half- or full-width). A single Ncode finds that novel. At most 30 different words.',
    'すべてを含む小説を検索する語。空白（半角・全角）で区切ります。Nコード 1 つを指定すると、その小説が見つかります。異なる語は 30 個まで。') },
  notword: { kind: 'words', servedBy: 'any', example: '悪役令嬢', text: text(
    'Words to exclude, separated by blanks. At most 30 different words.',
    '除外する語。空白で区切ります。異なる語は 30 個まで。') },
  title: { kind: 'flag', servedBy: 'any', label: text('in titles', '題名で検索'), text: text(
    '1: search the title. If none of title, ex, keyword and wname is 1, all four are searched.',
    '1 なら題名を検索対象にします。title、ex、keyword、wname のいずれも 1 でなければ、4 つすべてが検索対象です。') },
  ex: { kind: 'flag', servedBy: 'any', label: text('in synopses', 'あらすじで検索'), text: text(
    '1: search the synopsis.',
    '1 ならあらすじを検索対象にします。') },
  keyword: { kind: 'flag', servedBy: 'any', label: text('in keywords', 'キーワードで検索'), text: text(
    '1: search the keywords.',
    '1 ならキーワードを検索対象にします。') },
  wname: { kind: 'flag', servedBy: 'any', label: text('in pen names', '作者名で検索'), text: text(
    "1: search the author's pen name.",
    '1 なら作者名を検索対象にします。') },
} as const satisfies Rows;

/** Of the interface for all ages only. The adult endpoint accepts and ignores them. */
// prettier-ignore
const ALL_AGES_ROWS = {
  genre: { kind: 'codes', servedBy: 'novelapi', codes: codesOf(GENRES), operator: 'oneOf', field: 'genre', example: 201, text: text(
    'Genre codes of /v1/meta/genres, separated by commas.',
    '/v1/meta/genres のジャンルのコード。カンマ区切り。') },
  notgenre: { kind: 'codes', servedBy: 'novelapi', codes: codesOf(GENRES), operator: 'noneOf', field: 'genre', example: 101, text: text(
    'Genre codes to exclude.',
    '除くジャンルのコード。') },
  biggenre: { kind: 'codes', servedBy: 'novelapi', codes: codesOf(BIGGENRES), operator: 'oneOf', field: 'biggenre', example: 2, text: text(
    'Big-genre codes of /v1/meta/genres.',
    '/v1/meta/genres の大ジャンルのコード。') },
  notbiggenre: { kind: 'codes', servedBy: 'novelapi', codes: codesOf(BIGGENRES), operator: 'noneOf', field: 'biggenre', example: 1, text: text(
    'Big-genre codes to exclude.',
    '除く大ジャンルのコード。') },
  userid: { kind: 'userids', servedBy: 'novelapi', operator: 'oneOf', field: 'userid', example: String(EXAMPLES.userid), label: text('author', '作者'), text: text(
    'Author ids, separated by commas.',
    '作者のユーザー ID。カンマ区切り。') },
  isr15: flagIs('novelapi', 'isr15', 1, 'an R15 rating (readers of 15 and over)', 'R15 の指定'),
  notr15: flagIs('novelapi', 'isr15', 0, 'an R15 rating (readers of 15 and over)', 'R15 の指定'),
} as const satisfies Rows;

// prettier-ignore
const ADULT_ROWS = {
  nocgenre: { kind: 'codes', servedBy: 'novel18api', codes: codesOf(NOCGENRES), operator: 'oneOf', field: 'nocgenre', example: 2, text: text(
    'Adult genre codes of /v1/meta/nocgenres, separated by commas.',
    '/v1/meta/nocgenres の成人向けジャンルのコード。カンマ区切り。') },
  notnocgenre: { kind: 'codes', servedBy: 'novel18api', codes: codesOf(NOCGENRES), operator: 'noneOf', field: 'nocgenre', example: 1, text: text(
    'Adult genre codes to exclude.',
    '除く成人向けジャンルのコード。') },
  xid: { kind: 'xids', servedBy: 'novel18api', operator: 'oneOf', field: 'xid', example: EXAMPLES.xid, label: text('author', '作者'), text: text(
    'Author ids of the adult site, separated by commas.',
    '成人向けサイトの作者 ID。カンマ区切り。') },
} as const satisfies Rows;

const WRONG_TYPES = {
  all: NOVEL_FAULTS.allTypes.en,
  tr: NOVEL_FAULTS.siteOnlyType.en,
};

// prettier-ignore
const COMMON_ROWS = {
  ncode: { kind: 'ncodes', servedBy: 'any', operator: 'oneOf', field: 'ncode', example: EXAMPLES.ncode, text: text(
    'Ncodes, at most 500, separated by commas. Results are sorted by `order`, not as listed.',
    'Nコード。500 個まで、カンマ区切り。結果はこの並びではなく `order` の順です。') },
  type: { kind: 'choice', servedBy: 'any', reads: ['noveltype', 'end'], values: ['t', 'r', 'er', 're', 'ter'], reasons: WRONG_TYPES, example: 'er', text: text(
    't short, r ongoing serial, er complete serial, re serial, ter short or complete serial.',
    't 短編、r 連載中、er 完結済の連載、re 連載すべて、ter 短編と完結済の連載。') },
  minlen: { kind: 'number', servedBy: 'any', reads: ['length'], example: 10_000, text: text(
    'Minimum length in characters.',
    '文字数の下限。') },
  maxlen: { kind: 'number', servedBy: 'any', reads: ['length'], example: 500_000, text: text(
    'Maximum length in characters.',
    '文字数の上限。') },
  length: { kind: 'range', servedBy: 'any', operator: 'between', field: 'length', example: '10000-500000', text: text(
    'Length in characters: n, a-b, a- or -b. Not together with minlen, maxlen.',
    '文字数: n、a-b、a-、-b。minlen、maxlen とは併用できません。') },
  mintime: { kind: 'number', servedBy: 'any', reads: ['time'], example: 30, text: text(
    'Minimum reading time in minutes. Not together with length, minlen, maxlen.',
    '読了時間（分）の下限。length、minlen、maxlen とは併用できません。') },
  maxtime: { kind: 'number', servedBy: 'any', reads: ['time'], example: 120, text: text(
    'Maximum reading time in minutes. Not together with length, minlen, maxlen.',
    '読了時間（分）の上限。length、minlen、maxlen とは併用できません。') },
  time: { kind: 'range', servedBy: 'any', operator: 'between', field: 'time', example: '30-120', text: text(
    'Reading time in minutes: n, a-b, a- or -b. Not together with mintime, maxtime; not together with length, minlen, maxlen.',
    '読了時間（分）: n、a-b、a-、-b。mintime、maxtime、length、minlen、maxlen とは併用できません。') },
  kaiwaritu: { kind: 'range', servedBy: 'any', operator: 'between', field: 'kaiwaritu', example: '40-', text: text(
    'Share of dialogue in per cent: n, a-b, a- or -b.',
    '会話率（％）: n、a-b、a-、-b。') },
  sasie: { kind: 'range', servedBy: 'any', operator: 'between', field: 'sasie_cnt', example: '1-', text: text(
    'Number of illustrations: n, a-b, a- or -b.',
    '挿絵の数: n、a-b、a-、-b。') },
  lastup: { kind: 'times', servedBy: 'any', operator: 'betweenTimes', field: 'general_lastup', example: 'sevenday', label: text('latest episode', '最新話の掲載日'), text: text(
    `Publication of the latest episode. ${SPAN.en}`,
    `最新話の掲載日。${SPAN.ja}`) },
  lastupdate: { kind: 'times', servedBy: 'any', operator: 'betweenTimes', field: 'novelupdated_at', example: 'sevenday', text: text(
    `Last change of the novel. ${SPAN.en}`,
    `小説の最終更新。${SPAN.ja}`) },
  firstup: { kind: 'plainTimes', servedBy: 'any', operator: 'betweenTimes', field: 'general_firstup', example: '2026-11-01,2026-11-20', text: text(
    'First publication: Unix times in seconds (from-to), or days in Japan (from,to), both included; one end may be open. (Not documented upstream.)',
    '初回掲載日: Unix 秒（始-終）か日本の日付（始,終、両端を含む。片方は省けます）。（取得元の説明書にはありません。）') },
  buntai: { kind: 'codes', servedBy: 'any', codes: [1, 2, 4, 6], operator: 'oneOf', field: 'buntai', example: 6, text: text(
    'Style of the text: 1 no indents and many line breaks, 2 no indents, 4 indents and many line breaks, 6 indents.',
    '文体: 1 字下げなし・改行多め、2 字下げなし、4 字下げあり・改行多め、6 字下げあり。') },
  anykeyword: { kind: 'words', servedBy: 'none', operator: 'someWord', field: 'keyword', example: '和風 西洋風', label: text('any of the keywords', 'どれかのキーワード'), text: text(
    'Words of which at least one must occur in the keywords, separated by blanks. At most 30 different words.',
    'どれか 1 つでもキーワードに含まれていればよい語。空白で区切ります。異なる語は 30 個まで。') },
  notkeyword: { kind: 'words', servedBy: 'none', operator: 'noWord', field: 'keyword', example: '残酷な描写あり', label: text('keywords', 'キーワード'), text: text(
    'Words that must not occur in the keywords, separated by blanks. At most 30 different words.',
    'キーワードに含まれてはならない語。空白で区切ります。異なる語は 30 個まで。') },
  episodes: { kind: 'range', servedBy: 'none', operator: 'between', field: 'general_all_no', example: '10-100', text: text(
    'Number of episodes: n, a-b, a- or -b.',
    '話数: n、a-b、a-、-b。') },
  points: { kind: 'range', servedBy: 'none', operator: 'between', field: 'global_point', example: '1000-', text: text(
    'Overall points: n, a-b, a- or -b.',
    '総合評価ポイント: n、a-b、a-、-b。') },
  stop: { kind: 'choice', servedBy: 'any', reads: ['isstop'], values: ['1', '2'], example: '1', text: text(
    '1 without novels on long hiatus, 2 only novels on long hiatus (no episode for 63 days).',
    '1 は長期停止中を除く、2 は長期停止中だけ（63 日以上更新なし）。') },
  ispickup: { kind: 'flag', servedBy: 'any', reads: ['general_lastup', 'end', 'length'], label: text('picked up', 'ピックアップ'), text: text(
    '1: only novels with an episode within 60 days that are short, complete or at least 100,000 characters long.',
    '1 なら、60 日以内に掲載があり、短編か完結済か 10 万文字以上の小説だけ。') },
  istt: { kind: 'flag', servedBy: 'any', reads: ['istensei', 'istenni'], label: text('reincarnation or another world', '異世界転生か異世界転移'), text: text(
    '1: only novels with reincarnation in, or transfer to, another world.',
    '異世界転生か異世界転移のある小説だけ（1）。') },
  isbl: flagIs('any', 'isbl', 1, "boys' love", 'ボーイズラブ'),
  isgl: flagIs('any', 'isgl', 1, "girls' love", 'ガールズラブ'),
  iszankoku: flagIs('any', 'iszankoku', 1, 'cruel depictions', '残酷な描写'),
  istensei: flagIs('any', 'istensei', 1, 'reincarnation in another world', '異世界転生'),
  istenni: flagIs('any', 'istenni', 1, 'transfer to another world', '異世界転移'),
  notbl: flagIs('any', 'isbl', 0, "boys' love", 'ボーイズラブ'),
  notgl: flagIs('any', 'isgl', 0, "girls' love", 'ガールズラブ'),
  notzankoku: flagIs('any', 'iszankoku', 0, 'cruel depictions', '残酷な描写'),
  nottensei: flagIs('any', 'istensei', 0, 'reincarnation in another world', '異世界転生'),
  nottenni: flagIs('any', 'istenni', 0, 'transfer to another world', '異世界転移'),
  /** Adds a field to the records; nothing is filtered. */
  opt: { kind: 'choice', servedBy: 'any', values: ['weekly'], example: 'weekly', text: text(
    'weekly adds `weekly_unique`, the unique readers of last week (Sunday to Saturday), to every record.',
    'weekly なら、先週（日曜から土曜）のユニーク読者数 `weekly_unique` を各レコードに追加します。') },
} as const satisfies Rows;

export const NOVEL_ROWS = { ...WORD_ROWS, ...ALL_AGES_ROWS, ...COMMON_ROWS };
export const ADULT_NOVEL_ROWS = {
  ...WORD_ROWS,
  ...ADULT_ROWS,
  ...COMMON_ROWS,
  ncode: { ...COMMON_ROWS.ncode, example: EXAMPLES.adultNcode },
};

type RowThatReads = { readonly field: NovelField } | { readonly reads: readonly NovelField[] };
type RowsThatRead = {
  [
    Name in keyof typeof NOVEL_ROWS as (typeof NOVEL_ROWS)[Name] extends RowThatReads ? Name : never
  ]: (typeof NOVEL_ROWS)[Name];
};

/** The codes of the published fields that a row reads. */
const codesOfRow = (row: ConditionRow): OfCode[] => {
  const fields: readonly string[] = row.operator === undefined ? (row.reads ?? []) : [row.field];
  return OF_FIELDS.flatMap(({ field, code }) => (fields.includes(field) ? [code] : []));
};

const { type: worktype, ...otherRows } = Object.fromEntries(
  Object.entries(NOVEL_ROWS).filter(([, row]) => codesOfRow(row).length > 0),
) as RowsThatRead;

/** The filters that the published fields of a novel decide, but for words in its texts. `type` is that of a ranking. */
export const RANKING_ROWS = { worktype, ...otherRows };

/** Accepted on the adult endpoint, never forwarded, and named in `meta.ignored`. */
export const IGNORED_ON_ADULT: readonly string[] = Object.keys(ALL_AGES_ROWS);

/** Each range with the parameters that state one end of it. */
export const BOUNDS = { length: ['minlen', 'maxlen'], time: ['mintime', 'maxtime'] } as const;
type Bound = (typeof BOUNDS)[keyof typeof BOUNDS][number];

const ALL_ROWS = { ...NOVEL_ROWS, ...ADULT_ROWS };
type AllRows = typeof ALL_ROWS;

/** A filter; each source lists those that it supports (`NovelSource.applies`). */
export type SearchCondition = keyof AllRows;
const namesOf = (rows: Rows) => Object.keys(rows) as SearchCondition[];
export const NOVEL_CONDITIONS = namesOf(NOVEL_ROWS);
export const ADULT_NOVEL_CONDITIONS = namesOf(ADULT_NOVEL_ROWS);
export const CONDITION_NAMES: ReadonlySet<string> = new Set(namesOf(ALL_ROWS));

const conditionsServedBy = (upstream: NovelInterface): ReadonlySet<SearchCondition> =>
  new Set(namesOf(ALL_ROWS).filter((name) => isServedBy(upstream, ALL_ROWS[name])));
/** The filters that each interface of the upstream has. */
export const SERVED_CONDITIONS: Readonly<Record<NovelInterface, ReadonlySet<SearchCondition>>> = {
  novelapi: conditionsServedBy('novelapi'),
  novel18api: conditionsServedBy('novel18api'),
};

/** The codes of the published fields that a filter reads. */
export const codesRead = (name: SearchCondition): OfCode[] => codesOfRow(ALL_ROWS[name]);

export type ValueOf<Row> = Row extends { kind: 'choice'; values: readonly (infer Value)[] }
  ? Value
  : Row extends { kind: infer Name extends keyof KindValues }
    ? KindValues[Name]
    : never;

/** The filters of a search. A novel must satisfy all of them, and any one value of a list. */
export type NovelConditions = {
  readonly [Name in Exclude<SearchCondition, Bound | 'opt'>]?: Readonly<ValueOf<AllRows[Name]>> | undefined;
};

type Operator = FieldTest['operator'];
export type ConditionField<Each extends Operator = Operator> = Extract<
  AllRows[SearchCondition],
  { operator: Each }
>['field'];

/** A condition over one field with its value in a search. */
export type FieldCondition =
  | { operator: 'oneOf'; field: ConditionField<'oneOf'>; value: readonly (string | number)[] }
  | { operator: 'noneOf'; field: ConditionField<'noneOf'>; value: readonly number[] }
  | { operator: 'equal'; field: ConditionField<'equal'>; value: 0 | 1 }
  | { operator: 'between'; field: ConditionField<'between'>; value: Range }
  | { operator: 'betweenTimes'; field: ConditionField<'betweenTimes'>; value: TimeRange }
  | { operator: 'someWord' | 'noWord'; field: ConditionField<'someWord' | 'noWord'>; value: string };

export const FIELD_ROWS = Object.entries(ALL_ROWS).flatMap(([name, row]) =>
  'operator' in row ? [{ ...row, name: name as keyof NovelConditions }] : [],
);

/** The fields of the conditions with an operator, in the order of the rows. */
export const fieldsOf = <Each extends Operator>(operator: Each): ConditionField<Each>[] =>
  FIELD_ROWS.flatMap((row) => (row.operator === operator ? [row.field as ConditionField<Each>] : []));
