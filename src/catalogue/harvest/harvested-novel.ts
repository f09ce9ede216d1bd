import type { NovelRecord } from '../catalogue-source.ts';
import type { CatalogueNovel } from '../index/catalogue-novel.ts';
import { secondsOf } from '../index/engine/columns.ts';
import { parseNcode } from '../novels/ncode.ts';
import { ofCodesServedBy } from '../novels/of-fields.ts';
import type { NovelInterface, OfCode } from '../novels/of-fields.ts';

/** The two catalogues of the upstream, by the folders of a local one. */
export type Site = 'novels' | 'adult';

export const INTERFACES: Readonly<Record<Site, NovelInterface>> = { novels: 'novelapi', adult: 'novel18api' };

/** The figures that change from day to day without the novel being touched, beside `weekly_unique`. */
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

/** What says whether a novel has changed, and where it stands in a walk. */
const MARKS: readonly OfCode[] = ['n', 'gl', 'nu'];

/** What is asked for: whole records, the figures of each, or only whether it has changed. */
export type Extent = 'whole' | 'figures' | 'marks';

/** The codes of `of` for an extent. All of them rather than none, which would add what no one serves. */
export function codesOf(extent: Extent, site: Site): readonly OfCode[] {
  if (extent === 'whole') return ofCodesServedBy(INTERFACES[site]);
  return extent === 'marks' ? MARKS : [...MARKS, ...Object.values(FIGURES)];
}

/** A novel's changing figures, and where it stands in a walk. */
export interface Figures extends Pick<CatalogueNovel, 'ncode' | FigureName> {
  readonly lastup: number;
}

/** By what a novel is known to have changed: Unix seconds of its last episode and of its last change. */
export interface Marks {
  readonly ncode: string;
  readonly lastup: number;
  readonly lastupdate: number;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
/** What no column could hold is taken as not given. */
const whole = (value: unknown, most = 0xffff_ffff): number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most ? (value as number) : 0;
const bit = (value: unknown): 0 | 1 => (value === 1 ? 1 : 0);

/** The Ncode in its one form; undefined where there is none, or one that nothing could be kept under. */
function ncodeOf({ ncode }: NovelRecord): string | undefined {
  return parseNcode(text(ncode)) ?? undefined;
}

/** undefined for a record without an Ncode. */
export function marksOf(record: NovelRecord): Marks | undefined {
  const ncode = ncodeOf(record);
  if (ncode === undefined) return undefined;
  return {
    ncode,
    lastup: secondsOf(text(record['general_lastup'])),
    lastupdate: secondsOf(text(record['novelupdated_at'])),
  };
}

const readFigures = (record: NovelRecord) => {
  const figures = FIGURE_NAMES.map((name) => [name, whole(record[name])] as const);
  return { ...(Object.fromEntries(figures) as Record<FigureName, number>), isstop: bit(record['isstop']) };
};

/** undefined for a record without an Ncode. */
export function figuresOf(record: NovelRecord): Figures | undefined {
  const marks = marksOf(record);
  return marks && { ...readFigures(record), ncode: marks.ncode, lastup: marks.lastup };
}

/**
 * The whole record. A field that the upstream did not give, or in a form that cannot be kept, is empty or 0: which
 * fields those were is reported by whoever read the answer. `fetchedAt`: Unix seconds.
 */
export function novelOf(record: NovelRecord, fetchedAt: number): CatalogueNovel | undefined {
  const ncode = ncodeOf(record);
  if (ncode === undefined) return undefined;
  const field = (name: string) => record[name];
  return {
    title: text(field('title')),
    userid: whole(field('userid')),
    writer: text(field('writer')),
    story: text(field('story')),
    biggenre: whole(field('biggenre'), 0xff),
    genre: whole(field('genre'), 0xffff),
    nocgenre: whole(field('nocgenre'), 0xff),
    // No answer tells it: it can only be searched by.
    xid: '',
    keyword: text(field('keyword')),
    general_firstup: text(field('general_firstup')),
    general_lastup: text(field('general_lastup')),
    novel_type: field('noveltype') === 2 ? 2 : 1,
    end: bit(field('end')),
    general_all_no: whole(field('general_all_no')),
    length: whole(field('length')),
    time: whole(field('time')),
    isr15: bit(field('isr15')),
    isbl: bit(field('isbl')),
    isgl: bit(field('isgl')),
    iszankoku: bit(field('iszankoku')),
    istensei: bit(field('istensei')),
    istenni: bit(field('istenni')),
    sasie_cnt: whole(field('sasie_cnt')),
    kaiwaritu: whole(field('kaiwaritu')),
    novelupdated_at: text(field('novelupdated_at')),
    updated_at: text(field('updated_at')),
    ...readFigures(record),
    ncode,
    // As `xid`.
    buntai: 0,
    fetched_at: fetchedAt,
  };
}

/** A novel with newer figures. */
export function withFigures(novel: CatalogueNovel, figures: Figures): CatalogueNovel {
  const newer = Object.fromEntries(FIGURE_NAMES.map((name) => [name, figures[name]]));
  return { ...novel, ...newer };
}
