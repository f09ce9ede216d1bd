import { setImmediate } from 'node:timers/promises';
import type { CacheReader, Question } from '@mokuroku/kit/cache';
import { integerSchema } from '@mokuroku/kit/http';
import { countBy, novelTest } from '@mokuroku/narou/scan';
import type {
  FacetName,
  NovelConditions,
  SearchCondition,
  RankingFilterValues,
} from '@mokuroku/narou/queries';
import { ofCodesServedBy, MAX_RANKS, rankingDateBefore } from '@mokuroku/narou';
import type { OfCode, RankingEntry, RankingType } from '@mokuroku/narou';
import {
  CONDITION_NAMES,
  codesRead,
  canonicalQuery,
  withRanges,
  selectedFields,
} from '@mokuroku/narou/queries';
import type { OfSelection } from '@mokuroku/narou/source';
import { HYDRATED_RANKING, RANKING } from './cache-policies.ts';
import { aliasOf, getMany, questionOf } from './catalogue-answer.ts';
import type { EndpointServices } from './endpoint.ts';
import { FACET_COUNTS } from './search-novels.ts';
import { rankingOf } from './ranking-choice.ts';

// Filters and the order of a ranking that is joined with its novels. No source needs to have them.

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
  ...FACET_COUNTS,
};

/** What to make of a ranking. */
interface Narrowing {
  readonly conditions: NovelConditions;
  readonly isByRise: boolean;
  readonly facets: readonly FacetName[];
  /** Maximum number of entries of each ranking. */
  readonly lim: number | undefined;
  /** The same text for equal filters; empty if all entries remain, by rank. */
  readonly key: string;
}

type RankingValues = RankingFilterValues & { facets?: FacetName[] };

/** Reads the filters among the values of a request. */
export function readNarrowing({
  lim,
  order,
  facets = [],
  worktype,
  ...values
}: RankingValues & { lim?: number }): Narrowing {
  const given = Object.entries(values).filter(([name]) => CONDITION_NAMES.has(name));
  const conditions: NovelConditions = { ...withRanges(Object.fromEntries(given)), type: worktype };
  const isByRise = order === 'rise';
  const key = canonicalQuery({ ...conditions, order: isByRise ? order : undefined });
  const counted = facets.length === 0 ? '' : `&facets=${facets.join(',')}`;
  return { conditions, isByRise, facets, lim, key: `${key}${counted}` };
}

type Entry = RankingEntry & Readonly<Record<string, unknown>>;
interface Dated {
  date: string;
  entries: Entry[];
}

/** The codes that the filters need beside the requested ones. An entry without any field has no novel. */
function neededCodes({ conditions, facets }: Narrowing): OfCode[] {
  const given = Object.entries(conditions).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const counted = facets.map((name) => (name === 'isstop' ? 'stop' : name));
  const codes = [...given, ...counted].flatMap((name) => codesRead(name as SearchCondition));
  return given.length === 0 ? codes : ['t', ...codes];
}

const withFields = (of: OfSelection, codes: readonly OfCode[]): OfSelection =>
  of && ofCodesServedBy('novelapi').filter((code) => of.includes(code) || codes.includes(code));

const RANK_FIELDS = ['rank', 'pt', 'ncode', 'unknown'];
const hasNovel = (entry: Entry) => Object.keys(entry).some((name) => !RANK_FIELDS.includes(name));
/** Conditions call the type as stored records do. */
const asNovel = (entry: Entry) => ({ ...entry, novel_type: entry['noveltype'] as number });

/** A novel that the ranking before lacks rose from below its last rank. */
function sortByRise(entries: readonly Entry[], before: readonly RankingEntry[]): Entry[] {
  const earlier = new Map(before.map(({ ncode, rank }) => [ncode, rank]));
  const gained = ({ ncode, rank }: Entry) => (earlier.get(ncode) ?? MAX_RANKS + 1) - rank;
  return entries.toSorted((a, b) => gained(b) - gained(a) || a.rank - b.rank);
}

/** The rankings before some dates; empty before the first of all. Throws if one of them is not available. */
async function rankingsBefore(
  services: EndpointServices,
  type: RankingType,
  dates: readonly string[],
  cache: CacheReader,
) {
  const before = dates.flatMap((date) => rankingDateBefore(type, date) ?? []);
  const questions = before.map((date) => rankingOf(services, type, date).question);
  const entries = (await getMany(questions, RANKING, cache, () => false)).filter((one) => one !== undefined);
  const byDate = new Map(before.map((date, at) => [date, entries[at]]));
  const entriesBefore = (date: string) => {
    const entry = byDate.get(rankingDateBefore(type, date) ?? '');
    return entry === undefined ? [] : (JSON.parse(entry.data.toString()) as RankingEntry[]);
  };
  return { entries, entriesBefore };
}

/** The entries that match, and the entries to serve of each ranking. */
async function narrowEach(
  rankings: readonly Dated[],
  { conditions, isByRise, lim }: Narrowing,
  now: number,
  entriesBefore: (date: string) => readonly RankingEntry[],
) {
  const isMet = novelTest(conditions, now);
  const hasFilter = Object.values(conditions).some((value) => value !== undefined);
  const matches: Entry[] = [];
  const served: Dated[] = [];
  for (const { date, entries } of rankings) {
    const matching = hasFilter ? entries.filter((one) => hasNovel(one) && isMet(asNovel(one))) : entries;
    const sorted = isByRise ? sortByRise(matching, entriesBefore(date)) : matching;
    matches.push(...matching);
    served.push({ date, entries: sorted.slice(0, lim) });
    // A month with all fields has 11 MB: other requests run in between.
    await setImmediate();
  }
  return { matches, served };
}

/** Leaves out the fields that only the filters need. */
function publisher(of: OfSelection, fetched: OfSelection) {
  const extra = (fetched ?? []).filter((code) => code !== 'n' && !of?.includes(code));
  const omitted = new Set(extra.flatMap(selectedFields));
  const isShown = ([name]: [string, unknown]) => !omitted.has(name);
  return ({ date, entries }: Dated) => ({
    date,
    entries: entries.map((entry) => Object.fromEntries(Object.entries(entry).filter(isShown))),
  });
}

/**
 * The question for rankings with filters; `wholeWith` makes that for the whole ones with some fields.
 */
export function narrowRankings(
  services: EndpointServices,
  type: RankingType,
  narrowing: Narrowing,
  of: OfSelection,
  wholeWith: (of: OfSelection) => Question,
): Question {
  const { isByRise, facets, lim, key } = narrowing;
  const fetched = withFields(of, neededCodes(narrowing));
  const whole = wholeWith(fetched);
  const published = publisher(of, fetched);
  const ownKey = `${whole.key}/narrowed?${key}&lim=${lim ?? ''}&of=${of?.join('-') ?? '*'}`;
  const question = questionOf(services, ownKey, async (_requester, cache) => {
    const entry = await cache.get(whole, HYDRATED_RANKING);
    const alias = aliasOf(entry);
    const { date } = alias.meta;
    const data = JSON.parse(entry.data.toString()) as Entry[] | Dated[];
    const rankings = date === undefined ? (data as Dated[]) : [{ date, entries: data as Entry[] }];
    const before = await rankingsBefore(
      services,
      type,
      isByRise ? rankings.map((one) => one.date) : [],
      cache,
    );
    const { matches, served } = await narrowEach(
      rankings,
      narrowing,
      services.clock.now(),
      before.entriesBefore,
    );
    const counts = facets.map((name) => [name, countBy(matches.map(asNovel), name)] as const);
    return {
      ...alias,
      data: date === undefined ? served.map(published) : served.map(published)[0]?.entries,
      total: date === undefined ? rankings.length : matches.length,
      meta: {
        ...alias.meta,
        ranked: rankings.reduce((sum, { entries }) => sum + entries.length, 0),
        matches: matches.length,
        ...(counts.length > 0 && { facets: Object.fromEntries(counts) }),
      },
      madeOf: [entry, ...before.entries],
    };
  });
  return { ...question, isComposed: true };
}
