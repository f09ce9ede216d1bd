import type { NovelRecord } from '@mokuroku/narou/source';
import { bytesOf } from '@mokuroku/narou/scan';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { japanSeconds, OF_FIELDS, SERVED_CODES } from '@mokuroku/narou';
import type { NovelField, NovelInterface, OfCode, OfField } from '@mokuroku/narou';

/** The two catalogues of the upstream, by the folder names of a local one. */
export type Site = 'novels' | 'adult';

export const INTERFACES: Readonly<Record<Site, NovelInterface>> = { novels: 'novelapi', adult: 'novel18api' };

/** Codes of the figures that change daily although the novel does not. */
const DAILY_CODES = OF_FIELDS.flatMap((row) => ('daily' in row ? [row.code] : []));
type FigureName = Extract<(typeof OF_FIELDS)[number], { daily: true }>['field'] | 'weekly_unique';

/** Shows whether a novel has changed, and its position in a walk. */
const STAMP_CODES: readonly OfCode[] = ['n', 'gl', 'nu'];

/** Requested fields: whole records, figures, or only the times of the last change. */
export type FieldSet = 'whole' | 'figures' | 'timestamps';

/**
 * The codes of `of` for a field set. Lists all codes instead of none, which would add unused fields. With figures, `gf`
 * shows whether a row is the novel's own, and `g` a genre that the upstream closed without a new time of change.
 */
export function fieldSetCodes(fieldSet: FieldSet, site: Site): readonly OfCode[] {
  if (fieldSet === 'whole') return SERVED_CODES[INTERFACES[site]];
  if (fieldSet === 'timestamps') return STAMP_CODES;
  return [...STAMP_CODES, 'gf', ...(site === 'novels' ? (['g'] as const) : []), ...DAILY_CODES];
}

/** A novel's changing figures, and its position in a walk. */
export interface Figures extends Pick<CatalogueNovel, 'ncode' | FigureName> {
  readonly lastup: number;
}

/** Marks of a change: Unix seconds of the first and last episode and of the last change, and the genre; 0 is unknown. */
export interface ChangeStamp {
  readonly ncode: string;
  /** Never changes: another one is another novel's. */
  readonly firstup: number;
  readonly lastup: number;
  readonly lastupdate: number;
  readonly genre: number;
}

/** A field of a stored record. Its published values have the type of the field. */
interface ReadField {
  readonly name: NovelField | 'weekly_unique';
  /** Of its column; a number outside of it is unknown. */
  readonly max: number;
  readonly isFigure: boolean;
}

const readFieldOf = ({ field, daily }: OfField & { readonly field: NovelField }): ReadField => ({
  name: field,
  max: 2 ** (8 * bytesOf(field)) - 2,
  isFigure: daily === true,
});

/** All but the Ncode and the fetch time, which are set apart. */
const FIELDS: readonly ReadField[] = [
  ...OF_FIELDS.filter(({ field }) => field !== 'ncode').map(readFieldOf),
  { name: 'weekly_unique', max: 2 ** 32 - 2, isFigure: true },
];
const FIGURES = FIELDS.filter(({ isFigure }) => isFigure);
/** The names of the fields that a request for whole records, or for figures, returns. */
export const RECORD_NAMES: readonly string[] = FIELDS.map(({ name }) => name);
export const FIGURE_NAMES: readonly string[] = FIGURES.map(({ name }) => name);

/** Reads fields of a published record. A field that is missing or cannot be stored is absent. */
function readFields(fields: readonly ReadField[], record: NovelRecord): Partial<CatalogueNovel> {
  const values: Record<string, unknown> = {};
  for (const { name, max } of fields) {
    const value = record[name];
    if (typeof value === 'string' || Number(value) <= max) values[name] = value;
  }
  return values;
}

/** Unix seconds of a field; 0 if unknown. */
const secondsOf = (value: unknown): number => japanSeconds(value as string | undefined) ?? 0;

/** Every record that the source reads has a canonical Ncode. */
const ncodeOf = ({ ncode }: NovelRecord): string => ncode as string;

export function stampOf(record: NovelRecord): ChangeStamp {
  return {
    ncode: ncodeOf(record),
    firstup: secondsOf(record['general_firstup']),
    lastup: secondsOf(record['general_lastup']),
    lastupdate: secondsOf(record['novelupdated_at']),
    genre: Number(record['genre'] ?? 0),
  };
}

export function figuresOf(record: NovelRecord): Figures {
  const { ncode, lastup } = stampOf(record);
  return { ...readFields(FIGURES, record), ncode, lastup };
}

/**
 * The record. A missing or unstorable field is absent; the reader of the response reports it. `fetchedAt`: Unix
 * seconds.
 */
export function novelOf(record: NovelRecord, fetchedAt: number): CatalogueNovel {
  return { ...readFields(FIELDS, record), ncode: ncodeOf(record), fetched_at: fetchedAt };
}

/** A novel with newer figures: a missing one is unknown. */
export const withFigures = (novel: CatalogueNovel, figures: Figures): CatalogueNovel => ({
  ...novel,
  ...Object.fromEntries(FIGURES.map(({ name }) => [name, figures[name as FigureName]])),
});
