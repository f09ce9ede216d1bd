import { NOVEL_ALLOWED, NOVEL_FAULTS } from './fault-texts.ts';
import type { Text } from '@mokuroku/kit';
import { SERVED_CODES } from './of-fields.ts';
import type { NovelInterface } from './of-fields.ts';
import { parseNcode } from './ncode.ts';
import type { NovelQuery } from './novel-query.ts';
import type { ParameterFault, ParameterTable, ParameterValues } from '@mokuroku/kit/http';
import { parameterFault } from '@mokuroku/kit/http';
import { DEFAULT_LIM, NOVEL_SEARCH_PARAMETERS, USER_SEARCH_PARAMETERS } from './search-parameters.ts';
import type {
  ADULT_SEARCH_PARAMETERS,
  CHANGES_PARAMETERS,
  HISTORY_PARAMETERS,
  RANKING_FILTERS,
} from './search-parameters.ts';
import { BOUNDS, FIELD_ROWS, TEXT_TARGETS } from './search-conditions.ts';
import type { NovelConditions, Range } from './search-conditions.ts';

/** The parsed parameters of each search. */
export type NovelValues = ParameterValues<typeof NOVEL_SEARCH_PARAMETERS>;
export type AdultValues = ParameterValues<typeof ADULT_SEARCH_PARAMETERS>;
export type UserValues = ParameterValues<typeof USER_SEARCH_PARAMETERS>;
export type RankingFilterValues = ParameterValues<typeof RANKING_FILTERS>;
export type ChangesValues = ParameterValues<typeof CHANGES_PARAMETERS>;
export type HistoryValues = ParameterValues<typeof HISTORY_PARAMETERS>;

type Given<Values> = { readonly [Name in keyof Values]?: Readonly<Values[Name]> | undefined };

/** A search of users: filters (manual of userapi, August 2025), order (default: `new`) and requested rows. */
export interface UserQuery extends Given<Omit<UserValues, 'st' | 'lim'>> {
  readonly st: number;
  readonly lim: number;
}

/** A page of changes. */
export interface ChangesQuery extends Given<Omit<ChangesValues, 'lim'>> {
  /** The newest events, newest first, instead of the oldest. */
  readonly isNewestFirst?: boolean;
  readonly lim: number;
}

/** Bounds whose first must not exceed the second. */
const ORDERED = [...Object.values(BOUNDS), ['minnovel', 'maxnovel'], ['minreview', 'maxreview']] as const;

/** Combinations that the upstream rejects (manual of novelapi, August 2025). */
const BY_LENGTH = ['length', ...BOUNDS.length] as const;
const FORBIDDEN = [
  ['length', BOUNDS.length],
  ['time', [...BOUNDS.time, ...BY_LENGTH]],
  ['mintime', BY_LENGTH],
  ['maxtime', BY_LENGTH],
] as const;

const TABLE: ParameterTable = { ...NOVEL_SEARCH_PARAMETERS, ...USER_SEARCH_PARAMETERS };
type BoundedName = (typeof ORDERED)[number][number] | (typeof BY_LENGTH)[number] | 'time' | 'st';

/** Faults in the combination of parameters, or of a parameter with the source's limits. */
export function faultsOfSearch(
  { source: { maxStart } }: { source: { maxStart: number | null } },
  { query: values }: { query: { readonly [Name in BoundedName]?: number | Range | undefined } },
): ParameterFault[] {
  const faults: ParameterFault[] = [];
  const add = (name: BoundedName, reason: Text, allowed?: Text) => {
    const parameter = TABLE[name];
    if (!parameter) return;
    const fault = parameterFault(name, parameter, writeValue(name, values[name] ?? ''), reason.en);
    faults.push(allowed === undefined ? fault : { ...fault, allowed: allowed.en });
  };
  if (typeof values.st === 'number' && maxStart !== null && values.st > maxStart) {
    add('st', NOVEL_FAULTS.beyondStart(maxStart), NOVEL_ALLOWED.wholeNumber(1, maxStart));
  }
  for (const [lower, upper] of ORDERED) {
    const [min, max] = [values[lower], values[upper]];
    if (typeof min !== 'number' || typeof max !== 'number' || min <= max) continue;
    add(lower, NOVEL_FAULTS.aboveOther(upper, max), NOVEL_ALLOWED.wholeNumber(0, max));
  }
  for (const [name, others] of FORBIDDEN) {
    const given = others.filter((other) => values[other] !== undefined);
    if (values[name] === undefined || given.length === 0) continue;
    add(name, NOVEL_FAULTS.notTogether(given.join(', ')));
  }
  return faults;
}

/** Whether words are searched, in the targets: an Ncode as the only word is looked up instead. */
export const hasTextWords = ({ word, notword }: Pick<NovelConditions, 'word' | 'notword'>): boolean =>
  notword !== undefined || (word !== undefined && parseNcode(word) === null);

const NO_TARGETS = Object.fromEntries(TEXT_TARGETS.map((target) => [target, undefined]));

type Bounds = Pick<NovelValues, (typeof BOUNDS)[keyof typeof BOUNDS][number] | keyof typeof BOUNDS>;

const rangeOf = (min: number | undefined, max: number | undefined): Range | undefined =>
  min === undefined && max === undefined ? undefined : { min: min ?? 0, max };

/** Merges `minlen` and `maxlen` into `length`, `mintime` and `maxtime` into `time`. */
export function withRanges<Values extends Bounds>(values: Values) {
  const { minlen, maxlen, mintime, maxtime, ...rest } = values;
  const { length = rangeOf(minlen, maxlen), time = rangeOf(mintime, maxtime) } = values;
  return { ...rest, length, time };
}

/**
 * Drops codes of `of` that the interface does not know. An Ncode as the only word becomes one of `ncode`: a source may not
 * know of it.
 */
export function toNovelQuery(site: NovelInterface, values: NovelValues | AdultValues): NovelQuery {
  const { of, word = '', order = 'new', st = 1 } = values;
  const named = parseNcode(word);
  const ncode = named === null ? values.ncode : (values.ncode ?? [named]).filter((each) => each === named);
  // All four together equal the default.
  const hasTargets = hasTextWords(values) && TEXT_TARGETS.some((target) => values[target] === undefined);
  return {
    ...withRanges(values),
    ...(named !== null && { word: undefined }),
    ncode,
    ...(!hasTargets && NO_TARGETS),
    of: of && SERVED_CODES[site].filter((code) => of.includes(code)),
    order,
    st,
    // The upstream's default of 20 would truncate a batch of Ncodes.
    lim: values.lim ?? Math.max(DEFAULT_LIM, ncode?.length ?? 0),
  };
}

export function toUserQuery(values: UserValues): UserQuery {
  const { order, st = 1, lim = DEFAULT_LIM } = values;
  // `new` is the upstream's default order.
  return { ...values, order: order === 'new' ? undefined : order, st, lim };
}

type QueryValue = string | number | readonly (string | number)[] | Range | undefined;

/** The upstream requires both ends of time ranges, even if they are equal. */
const TIMES: ReadonlySet<string> = new Set(
  FIELD_ROWS.flatMap(({ name, operator }) => (operator === 'betweenTimes' ? [name] : [])),
);

/** Lists are joined by hyphens, as the upstream expects; a range is `n`, `a-b` or `a-`. */
function writeValue(name: string, value: Exclude<QueryValue, undefined>): string {
  if (typeof value !== 'object') return String(value);
  if ('join' in value) return value.join('-');
  return value.min === value.max && !TIMES.has(name)
    ? String(value.min)
    : `${value.min ?? 0}-${value.max ?? ''}`;
}

/** The same text for equal searches, names sorted. Serves as cache key and as the upstream's query string. */
export function canonicalQuery(
  query: Partial<NovelQuery> | UserQuery | Readonly<Record<string, QueryValue>>,
): string {
  return (Object.entries(query) as [string, QueryValue][])
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${encodeURIComponent(writeValue(name, value))}`],
    )
    .join('&');
}
