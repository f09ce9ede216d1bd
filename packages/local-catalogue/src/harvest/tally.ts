import type { Usage } from '@mokuroku/narou/upstream';
import type { NovelRecord, OverlongText } from '@mokuroku/narou/source';
import { SECOND_LOOK_SECONDS, findOfField } from '@mokuroku/narou';
import { firstLook, isConfirmed } from './doubts.ts';
import type { Doubt } from './doubts.ts';
import { fieldSetCodes, novelOf } from './harvested-novel.ts';
import type { Site } from './harvested-novel.ts';
import type { ReadPage, UnreadableRecord } from './read-page.ts';

/** Counts over the responses of a walk. Plain values, stored in the journal, so that a resumed walk continues them. */
export interface WalkTally extends Readonly<Usage> {
  readonly records: number;
  /** Those of which a stored record keeps its values until a second look. */
  readonly compared: number;
  readonly doubled: number;
  /** The number of records without a storable value, by field. */
  readonly fieldsMissing: Readonly<Record<string, number>>;
  /** Records that no request can read: their number, and the first hundred. */
  readonly unreadable: number;
  readonly refused: readonly UnreadableRecord[];
  /** Texts longer than the site allows: their number, and the first hundred. */
  readonly overlong: number;
  readonly overlongTexts: readonly OverlongText[];
}

export const EMPTY_TALLY: WalkTally = {
  records: 0,
  compared: 0,
  doubled: 0,
  fieldsMissing: {},
  unreadable: 0,
  refused: [],
  overlong: 0,
  overlongTexts: [],
  requests: 0,
  bytes: 0,
};

const MAX_NAMED = 100;
/** A first walk in which a field is missing from a greater part of the novels is doubtful: a search by it would find none. */
const MAX_MISSING = 0.01;
/** So is one that fetched a smaller part of the counted novels. */
const MIN_PART = 0.9;

const expectedOf = (site: Site): string[] => [
  ...fieldSetCodes('whole', site).map((code) => findOfField(code)?.field ?? code),
  'weekly_unique',
];

export function addPage(
  tally: WalkTally,
  site: Site,
  page: Omit<ReadPage, 'allCount' | 'lacking'> & Usage & Pick<WalkTally, 'compared'>,
): WalkTally {
  const { items, refused, overlong, compared, requests, bytes } = page;
  const fieldsMissing = { ...tally.fieldsMissing };
  // A value that cannot be stored counts as missing.
  const stored: NovelRecord[] = items.map((record) => ({ ...novelOf(record, 0) }));
  for (const field of expectedOf(site)) {
    const lacking = stored.filter((record) => record[field] === undefined).length;
    if (lacking > 0) fieldsMissing[field] = (fieldsMissing[field] ?? 0) + lacking;
  }
  // A page that is read again has the same ones.
  const freshRefused = notIn(tally.refused, refused, ({ ncode, lastup = 0 }) => `${ncode} ${lastup}`);
  const freshTexts = notIn(tally.overlongTexts, overlong, ({ ncode, field }) => `${field} of ${ncode}`);
  return {
    records: tally.records + items.length,
    compared: tally.compared + compared,
    doubled: tally.doubled + items.length - new Set(items.map((record) => record['ncode'])).size,
    fieldsMissing,
    unreadable: tally.unreadable + freshRefused.length,
    refused: [...tally.refused, ...freshRefused].slice(0, MAX_NAMED),
    overlong: tally.overlong + freshTexts.length,
    overlongTexts: [...tally.overlongTexts, ...freshTexts].slice(0, MAX_NAMED),
    requests: tally.requests + requests,
    bytes: tally.bytes + bytes,
  };
}

function notIn<Item>(
  before: readonly Item[],
  items: readonly Item[],
  nameOf: (item: Item) => string,
): Item[] {
  const names = new Set(before.map(nameOf));
  return items.filter((each) => !names.has(nameOf(each)));
}

export interface WalkFindings {
  readonly tally: WalkTally;
  /** The upstream's number of novels at the start of the walk, and at its end; undefined: it is under way. */
  readonly counted: number;
  readonly recounted?: number;
  readonly had: number;
}

/** Why the data of a walk are doubtful: the fields that more than one in a hundred novels lack, or missing novels. */
function faultsOf({ tally, counted, recounted, had }: WalkFindings): ReadonlyMap<string, string> {
  const novels = Math.max(counted, had);
  const isTooOften = (count: number) => count > novels * MAX_MISSING;
  const faults = new Map<string, string>();
  for (const [field, lacking] of Object.entries(tally.fieldsMissing))
    if (isTooOften(lacking))
      faults.set(field, `${field} was missing from ${lacking.toLocaleString('en')} records`);
  if (isTooOften(tally.unreadable))
    faults.set('unreadable', `${tally.unreadable.toLocaleString('en')} records could not be read`);
  const expected = Math.max(counted, recounted ?? 0);
  if (recounted !== undefined && had < expected * MIN_PART)
    faults.set('novels', `${had} of ${expected} novels were received`);
  return faults;
}

/**
 * Whether the data of a walk are accepted, or why not. Beside an index, its records stay until a second look, and no
 * share is judged. Without one, or with a damaged or outdated one, an earlier walk must have found the same faults.
 * Returns when each was found first. A walk that received nothing is never accepted. `now`: Unix seconds.
 */
export function decideWalk(
  findings: WalkFindings,
  before: Doubt = {},
  now: number,
): { readonly doubt: Doubt; readonly refusedBecause?: string } {
  const { counted, recounted, had } = findings;
  if (recounted !== undefined && had === 0) {
    const expected = Math.max(counted, recounted, 1);
    return { doubt: before, refusedBecause: `0 of ${expected} novels were received.` };
  }
  if (findings.tally.compared > 0) return { doubt: {} };
  const faults = faultsOf(findings);
  const firsts = [...faults.keys()].map((fault) => [fault, firstLook(before[fault], now)] as const);
  const doubt = Object.fromEntries(firsts);
  if (firsts.every(([, first]) => isConfirmed(first, now))) return { doubt };
  const hours = SECOND_LOOK_SECONDS / 3_600;
  const wayOut = `A harvest that finds the same at least ${hours} hours after the first is accepted.`;
  return { doubt, refusedBecause: `${[...faults.values()].join(', ')}. ${wayOut}` };
}
