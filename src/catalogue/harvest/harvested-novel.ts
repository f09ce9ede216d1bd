import type { NovelRecord } from '../source/catalogue-source.ts';
import { bytesOf, storedName } from '../index/catalogue-novel.ts';
import type { CatalogueNovel, StoredName } from '../index/catalogue-novel.ts';
import { japanSeconds } from '../novels/japan-date.ts';
import { parseNcode } from '../novels/ncode.ts';
import { OF_FIELDS, ofCodesServedBy } from '../novels/of-fields.ts';
import type { NovelField, NovelInterface, OfCode, OfField } from '../novels/of-fields.ts';

/** The two catalogues of the upstream, by the folder names of a local one. */
export type Site = 'novels' | 'adult';

export const INTERFACES: Readonly<Record<Site, NovelInterface>> = { novels: 'novelapi', adult: 'novel18api' };

/** Codes of the figures that change daily although the novel does not. */
const DAILY_CODES = OF_FIELDS.flatMap((row) => ('daily' in row ? [row.code] : []));
type FigureName = Extract<(typeof OF_FIELDS)[number], { daily: true }>['field'] | 'weekly_unique';

/** Shows whether a novel has changed, and its position in a walk. */
export const STAMP_CODES: readonly OfCode[] = ['n', 'gl', 'nu'];

/** Requested fields: whole records, figures, or only the times of the last change. */
export type Extent = 'whole' | 'figures' | 'stamps';

/** The codes of `of` for an extent. Lists all codes instead of none, which would add unused fields. */
export function extentCodes(extent: Extent, site: Site): readonly OfCode[] {
  if (extent === 'whole') return ofCodesServedBy(INTERFACES[site]);
  return extent === 'stamps' ? STAMP_CODES : [...STAMP_CODES, ...DAILY_CODES];
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

type FieldReader = (value: unknown) => string | number | undefined;

const textOnly = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const bit: FieldReader = (value) => (value === 0 || value === 1 ? value : undefined);
/** A value outside the range of its column is unknown. */
const wholeUpTo =
  (max: number): FieldReader =>
  (value) =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) <= max
      ? (value as number)
      : undefined;

/** A field of a stored record, and how its published value is read. */
interface ReadField<Name> {
  readonly name: Name;
  readonly published: string;
  readonly read: FieldReader;
}

function readFieldOf<Field extends NovelField>(
  row: OfField & { field: Field },
): ReadField<StoredName<Field>> {
  const { field: published, type } = row;
  const name = storedName(published);
  if (type === 'flag') return { name, published, read: bit };
  const read = type === 'integer' ? wholeUpTo(2 ** (8 * bytesOf(published)) - 2) : textOnly;
  return { name, published, read };
}

const WEEKLY_UNIQUE: ReadField<'weekly_unique'> = {
  name: 'weekly_unique',
  published: 'weekly_unique',
  read: wholeUpTo(2 ** 32 - 2),
};
const FIGURES: readonly ReadField<FigureName>[] = [
  ...OF_FIELDS.flatMap((row) => ('daily' in row ? [readFieldOf(row)] : [])),
  WEEKLY_UNIQUE,
];
/** The Ncode and the fetch time are set apart. */
const STEADY = OF_FIELDS.flatMap((row) =>
  'daily' in row || row.field === 'ncode' ? [] : [readFieldOf(row)],
);

/** Reads fields of a record. A field that is missing or cannot be stored is absent. */
function readFields<Name extends keyof CatalogueNovel>(
  fields: readonly ReadField<Name>[],
  valueOf: (field: ReadField<Name>) => unknown,
): Partial<Pick<CatalogueNovel, Name>> {
  const values: Partial<Record<Name, unknown>> = {};
  for (const field of fields) {
    const value = valueOf(field);
    if (value !== undefined) values[field.name] = value;
  }
  return values as Partial<Pick<CatalogueNovel, Name>>;
}

/** Reads published fields. */
const readPublished = <Name extends keyof CatalogueNovel>(
  fields: readonly ReadField<Name>[],
  record: NovelRecord,
) => readFields(fields, ({ published, read }) => read(record[published]));

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

/** undefined for a record without an Ncode. */
export function figuresOf(record: NovelRecord): Figures | undefined {
  const stamp = stampOf(record);
  return stamp && { ...readPublished(FIGURES, record), ncode: stamp.ncode, lastup: stamp.lastup };
}

/**
 * The record. A missing or unstorable field is absent; the reader of the response reports it. `fetchedAt`: Unix
 * seconds.
 */
export function novelOf(record: NovelRecord, fetchedAt: number): CatalogueNovel | undefined {
  const ncode = ncodeOf(record);
  if (ncode === undefined) return undefined;
  return {
    ...readPublished(STEADY, record),
    ...readPublished(FIGURES, record),
    ncode,
    fetched_at: fetchedAt,
  };
}

/** The figures in a whole record. */
export const figuresOfNovel = (novel: CatalogueNovel): Figures => ({
  ...readFields(FIGURES, ({ name }) => novel[name]),
  ncode: novel.ncode,
  lastup: 0,
});

/** A novel with newer figures: a missing one is unknown. */
export function withFigures(novel: CatalogueNovel, figures: Figures): CatalogueNovel {
  const steady = readFields(STEADY, ({ name }) => novel[name]);
  const newer = readFields(FIGURES, ({ name }) => figures[name]);
  return { ...steady, ...newer, ncode: novel.ncode, fetched_at: novel.fetched_at };
}
