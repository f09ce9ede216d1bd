import { integerSchema } from '@mokuroku/kit/http';
import { SERVED_CODES } from '@mokuroku/narou';
import type { OfCode } from '@mokuroku/narou';
import { CONDITION_NAMES, canonicalQuery, codesRead, withRanges } from '@mokuroku/narou/queries';
import type { NovelConditions, RankingFilterValues, SearchCondition } from '@mokuroku/narou/queries';
import type { OfSelection } from '@mokuroku/narou/source';
import { UNKNOWN_NCODES } from './catalogue-answer.ts';

// Filters and order of a ranking with its novels. No source needs to have them.

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
};

/** What to make of rankings. */
export interface Narrowing {
  readonly conditions: NovelConditions;
  readonly hasFilter: boolean;
  readonly isByRise: boolean;
  /** Maximum number of entries of each ranking. */
  readonly lim: number | undefined;
  /** The same text for equal filters; empty if all entries remain, by rank. */
  readonly key: string;
}

type RankingValues = RankingFilterValues & { lim?: number | undefined };

/** Reads the filters among the values of a request. */
export function readNarrowing({ lim, order, worktype, ...values }: RankingValues): Narrowing {
  const given = Object.entries(values).filter(([name]) => CONDITION_NAMES.has(name));
  const conditions: NovelConditions = { ...withRanges(Object.fromEntries(given)), type: worktype };
  const hasFilter = Object.values(conditions).some((value) => value !== undefined);
  const isByRise = order === 'rise';
  const key = canonicalQuery({ ...conditions, order: isByRise ? order : undefined });
  return { conditions, hasFilter, isByRise, lim, key };
}

/** The fields to find: the requested ones, and those that the filters read. */
export function codesToFind(of: OfSelection, { conditions }: Narrowing): OfSelection {
  const given = Object.entries(conditions).filter(([, value]) => value !== undefined);
  const read: OfCode[] = given.flatMap(([name]) => codesRead(name as SearchCondition));
  // The entry of a ranking has the Ncode.
  return of && SERVED_CODES.novelapi.filter((code) => code !== 'n' && [...of, ...read].includes(code));
}
