import { integerSchema } from '@mokuroku/kit/http';
import { ofCodesServedBy } from '@mokuroku/narou';
import type { OfCode } from '@mokuroku/narou';
import { CONDITION_NAMES, canonicalQuery, codesRead, withRanges } from '@mokuroku/narou/queries';
import type {
  FacetName,
  NovelConditions,
  RankingFilterValues,
  SearchCondition,
} from '@mokuroku/narou/queries';
import type { OfSelection } from '@mokuroku/narou/source';
import { UNKNOWN_NCODES } from './catalogue-answer.ts';
import { FACET_COUNTS } from './search-novels.ts';

// Filters, order and counts of a ranking with its novels. No source needs to have them.

export const NARROWED_META = {
  ranked: integerSchema(
    'With filters: number of entries of the ranking, or of all rankings of the span, before them.',
    '絞り込んだ場合: 絞り込む前のランキング（期間ではすべて）の件数。',
    300,
  ).optional(),
  matches: integerSchema(
    'With filters: number of entries that match them, before `lim`.',
    '絞り込んだ場合: 条件に合う件数（`lim` で切る前）。',
    19,
  ).optional(),
  unknown: UNKNOWN_NCODES.unknown.meta({
    en: 'With filters: Ncodes of entries that could not be judged, because it is not known whether there is such a novel. `data` lacks them.',
    ja: '絞り込んだ場合: 作品が存在するかどうか不明なため、条件に合うか判定できなかった Nコード。`data` には含まれません。',
    example: ['N9999ZZ'],
  }),
  ...FACET_COUNTS,
};

/** What to make of rankings. */
export interface Narrowing {
  readonly conditions: NovelConditions;
  readonly hasFilter: boolean;
  readonly isByRise: boolean;
  readonly facets: readonly FacetName[];
  /** Maximum number of entries of each ranking. */
  readonly lim: number | undefined;
  /** The same text for equal filters; empty if all entries remain, by rank. */
  readonly key: string;
}

type RankingValues = RankingFilterValues & { facets?: FacetName[]; lim?: number | undefined };

/** Reads the filters among the values of a request. */
export function readNarrowing({ lim, order, facets = [], worktype, ...values }: RankingValues): Narrowing {
  const given = Object.entries(values).filter(([name]) => CONDITION_NAMES.has(name));
  const conditions: NovelConditions = { ...withRanges(Object.fromEntries(given)), type: worktype };
  const hasFilter = Object.values(conditions).some((value) => value !== undefined);
  const isByRise = order === 'rise';
  const key = canonicalQuery({ ...conditions, order: isByRise ? order : undefined });
  const counted = facets.length === 0 ? '' : `&facets=${facets.join(',')}`;
  return { conditions, hasFilter, isByRise, facets, lim, key: `${key}${counted}` };
}

/** The fields to find: the requested ones, and those that the filters and counts read. */
export function codesToFind(of: OfSelection, { conditions, facets }: Narrowing): OfSelection {
  const given = Object.entries(conditions).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const counted = facets.map((name) => (name === 'isstop' ? 'stop' : name));
  const read: OfCode[] = [...given, ...counted].flatMap((name) => codesRead(name as SearchCondition));
  // The entry of a ranking has the Ncode.
  return of && ofCodesServedBy('novelapi').filter((code) => code !== 'n' && [...of, ...read].includes(code));
}
