import { findOfField } from './of-fields.ts';
import type { NovelQuery, Range, UserQuery } from './novel-query.ts';
import type { ParameterFault, ParameterValues } from './parameter.ts';
import { faultOf } from './parameter.ts';
import { DEFAULT_LIM, PAGE_PARAMETERS } from './search-parameters.ts';
import { NOVEL_SEARCH_PARAMETERS } from './search-parameters.ts';
import type { ADULT_SEARCH_PARAMETERS, USER_SEARCH_PARAMETERS } from './search-parameters.ts';

type NovelValues = ParameterValues<typeof NOVEL_SEARCH_PARAMETERS>;
type AdultValues = ParameterValues<typeof ADULT_SEARCH_PARAMETERS>;
type UserValues = ParameterValues<typeof USER_SEARCH_PARAMETERS>;

export type { NovelQuery, NovelQuery as AdultNovelQuery, UserQuery } from './novel-query.ts';

/** Faults that lie between parameters, or between a parameter and what the source can do. */
export function faultsOfSearch(
  values: { st?: number; minlen?: number; maxlen?: number },
  maxStart: number | null,
): ParameterFault[] {
  const faults: ParameterFault[] = [];
  const { st, minlen, maxlen } = values;
  if (st !== undefined && maxStart !== null && st > maxStart) {
    const reason = `the upstream serves no start position above ${maxStart}`;
    const fault = faultOf('st', PAGE_PARAMETERS.st, String(st), reason);
    faults.push({ ...fault, allowed: `a whole number from 1 to ${maxStart}, in digits` });
  }
  if (minlen !== undefined && maxlen !== undefined && minlen > maxlen) {
    const reason = `above maxlen, which is ${maxlen}`;
    const fault = faultOf('minlen', NOVEL_SEARCH_PARAMETERS.minlen, String(minlen), reason);
    faults.push({ ...fault, allowed: `a whole number from 0 to ${maxlen}, in digits` });
  }
  return faults;
}

const TARGETS = ['title', 'ex', 'keyword', 'wname'] as const;

/** Search targets mean nothing without words to look for, and all four together mean what none of them means. */
function dropIdleTargets<Values extends NovelValues | AdultValues>(values: Values): Values {
  const searched = values.word !== undefined || values.notword !== undefined;
  if (searched && TARGETS.some((target) => values[target] === undefined)) return values;
  const kept = Object.entries(values).filter(([name]) => !TARGETS.some((target) => target === name));
  return Object.fromEntries(kept) as Values;
}

function withPage<Values extends { lim?: number; st?: number; ncode?: string[] }>(values: Values) {
  // The upstream's own default of 20 would cut a batch of Ncodes.
  const lim = values.lim ?? Math.max(DEFAULT_LIM, values.ncode?.length ?? 0);
  return { ...values, lim, st: values.st ?? 1 };
}

/** `minlen` and `maxlen` say the same as `length`. */
function withLength<Values extends { minlen?: number; maxlen?: number }>(values: Values) {
  const { minlen, maxlen, ...rest } = values;
  const isGiven = minlen !== undefined || maxlen !== undefined;
  return { ...rest, length: isGiven ? { min: minlen, max: maxlen } : undefined };
}

export function toNovelQuery(values: NovelValues): NovelQuery {
  return { ...withLength(withPage(dropIdleTargets(values))), order: values.order ?? 'new' };
}

export function toAdultNovelQuery(values: AdultValues): NovelQuery {
  const { of, ...rest } = withPage(dropIdleTargets(values));
  const query: NovelQuery = { ...withLength(rest), order: values.order ?? 'new' };
  return of === undefined
    ? query
    : { ...query, of: of.filter((code) => findOfField(code)?.servedBy !== 'novelapi') };
}

export function toUserQuery(values: UserValues): UserQuery {
  return withPage<UserValues & { ncode?: never }>(values);
}

type QueryValue = string | number | readonly (string | number)[] | Range | undefined;

/** Lists joined by hyphens, as the upstream wants them; a range as `a-b`, `a-` or `-b`. */
function writeValue(value: Exclude<QueryValue, undefined>): string {
  if (typeof value !== 'object') return String(value);
  return 'join' in value ? value.join('-') : `${value.min ?? ''}-${value.max ?? ''}`;
}

/** One text for all ways to ask the same, names sorted. Serves as cache key and as the upstream's query string. */
export function canonicalQuery(
  query: Partial<NovelQuery> | UserQuery | Readonly<Record<string, QueryValue>>,
): string {
  return (Object.entries(query) as [string, QueryValue][])
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${encodeURIComponent(writeValue(value))}`],
    )
    .join('&');
}
