import type { NovelRecord } from '../source/catalogue-source.ts';
import type { CatalogueNovel } from '../index/catalogue-novel.ts';
import { japanSeconds } from '../novels/japan-date.ts';
import { parseNcode } from '../novels/ncode.ts';
import { ofCodesServedBy } from '../novels/of-fields.ts';
import type { NovelInterface, OfCode } from '../novels/of-fields.ts';

/** The two catalogues of the upstream, by the folder names of a local one. */
export type Site = 'novels' | 'adult';

export const INTERFACES: Readonly<Record<Site, NovelInterface>> = { novels: 'novelapi', adult: 'novel18api' };

/** Figures that change daily although the novel does not, apart from `weekly_unique`. */
const FIGURES = {
  isstop: 'i',
  global_point: 'gp',
  daily_point: 'dp',
  weekly_point: 'wp',
  monthly_point: 'mp',
  quarter_point: 'qp',
  yearly_point: 'yp',
  fav_novel_cnt: 'f',
  impression_cnt: 'imp',
  review_cnt: 'r',
  all_point: 'a',
  all_hyoka_cnt: 'ah',
} as const;
type FigureName = keyof typeof FIGURES | 'weekly_unique';
const FIGURE_NAMES = [...(Object.keys(FIGURES) as (keyof typeof FIGURES)[]), 'weekly_unique'] as const;

/** Shows whether a novel has changed, and its position in a walk. */
export const STAMP_CODES: readonly OfCode[] = ['n', 'gl', 'nu'];

/** Requested fields: whole records, figures, or only the times of the last change. */
export type Extent = 'whole' | 'figures' | 'stamps';

/** The codes of `of` for an extent. Lists all codes instead of none, which would add unused fields. */
export function extentCodes(extent: Extent, site: Site): readonly OfCode[] {
  if (extent === 'whole') return ofCodesServedBy(INTERFACES[site]);
  return extent === 'stamps' ? STAMP_CODES : [...STAMP_CODES, ...Object.values(FIGURES)];
}

/** A novel's changing figures, and its position in a walk. */
export interface Figures extends Pick<CatalogueNovel, 'ncode' | FigureName> {
  readonly lastup: number;
}

/** Marks of a change: Unix seconds of the last episode and of the last change. */
export interface ChangeStamp {
  readonly ncode: string;
  readonly lastup: number;
  readonly lastupdate: number;
}

type FieldReader<Value> = (value: unknown) => Value | undefined;

const textOnly: FieldReader<string> = (value) => (typeof value === 'string' ? value : undefined);
const bit: FieldReader<0 | 1> = (value) => (value === 0 || value === 1 ? value : undefined);
/** A value outside the range of its column is unknown. */
const wholeUpTo =
  (max: number): FieldReader<number> =>
  (value) =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) <= max
      ? (value as number)
      : undefined;
const number = wholeUpTo(0xffff_fffe);

/** Fields without a reader: the Ncode and the fetch time are set apart, and no interface sends the others. */
type UnreadName = 'ncode' | 'xid' | 'buntai' | 'fetched_at';
type ReadName = Exclude<keyof CatalogueNovel, FigureName | UnreadName>;

/** Readers of the fields that do not change daily. */
const READERS = {
  title: textOnly,
  userid: number,
  writer: textOnly,
  story: textOnly,
  keyword: textOnly,
  biggenre: wholeUpTo(0xfe),
  genre: wholeUpTo(0xfffe),
  nocgenre: wholeUpTo(0xfe),
  general_firstup: textOnly,
  general_lastup: textOnly,
  novelupdated_at: textOnly,
  updated_at: textOnly,
  novel_type: number,
  end: bit,
  general_all_no: number,
  length: number,
  time: number,
  isr15: bit,
  isbl: bit,
  isgl: bit,
  iszankoku: bit,
  istensei: bit,
  istenni: bit,
  sasie_cnt: number,
  kaiwaritu: number,
} as const satisfies { [Name in ReadName]: FieldReader<CatalogueNovel[Name]> };

/** Reads fields of a record. A field that is missing or cannot be stored is absent. */
function readFields<Name extends keyof CatalogueNovel>(
  names: readonly Name[],
  valueOf: (name: Name) => unknown,
): Partial<Pick<CatalogueNovel, Name>> {
  const fields: Partial<Record<Name, unknown>> = {};
  for (const name of names) {
    const value = valueOf(name);
    if (value !== undefined) fields[name] = value;
  }
  return fields as Partial<Pick<CatalogueNovel, Name>>;
}

const FIELD_NAMES = Object.keys(READERS) as (keyof typeof READERS)[];

/** The Ncode in its canonical form; undefined if it is missing or invalid. */
function ncodeOf({ ncode }: NovelRecord): string | undefined {
  return parseNcode(textOnly(ncode) ?? '') ?? undefined;
}

/** undefined for a record without an Ncode. */
export function stampOf(record: NovelRecord): ChangeStamp | undefined {
  const ncode = ncodeOf(record);
  if (ncode === undefined) return undefined;
  return {
    ncode,
    lastup: japanSeconds(textOnly(record['general_lastup'])) ?? 0,
    lastupdate: japanSeconds(textOnly(record['novelupdated_at'])) ?? 0,
  };
}

const readFigures = (record: NovelRecord): Partial<Pick<CatalogueNovel, FigureName>> =>
  readFields(FIGURE_NAMES, (name) => (name === 'isstop' ? bit : number)(record[name]));

/** undefined for a record without an Ncode. */
export function figuresOf(record: NovelRecord): Figures | undefined {
  const stamp = stampOf(record);
  return stamp && { ...readFigures(record), ncode: stamp.ncode, lastup: stamp.lastup };
}

/**
 * The record. A missing or unstorable field is absent; the reader of the response reports it. `fetchedAt`: Unix
 * seconds.
 */
export function novelOf(record: NovelRecord, fetchedAt: number): CatalogueNovel | undefined {
  const ncode = ncodeOf(record);
  if (ncode === undefined) return undefined;
  return {
    ...readFields(FIELD_NAMES, (name) => READERS[name](record[name === 'novel_type' ? 'noveltype' : name])),
    ...readFigures(record),
    ncode,
    fetched_at: fetchedAt,
  };
}

/** The figures in a whole record. */
export const figuresOfNovel = (novel: CatalogueNovel): Figures => ({
  ...readFields(FIGURE_NAMES, (name) => novel[name]),
  ncode: novel.ncode,
  lastup: 0,
});

/** A novel with newer figures: a missing one is unknown. */
export function withFigures(novel: CatalogueNovel, figures: Figures): CatalogueNovel {
  const steady = readFields(FIELD_NAMES, (name) => novel[name]);
  const newer = readFields(FIGURE_NAMES, (name) => figures[name]);
  return { ...steady, ...newer, ncode: novel.ncode, fetched_at: novel.fetched_at };
}
