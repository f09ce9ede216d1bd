import type { NovelRecord, OverlongText } from '../source/catalogue-source.ts';
import { findOfField } from '../novels/of-fields.ts';
import { codesOf } from './harvested-novel.ts';
import type { Site } from './harvested-novel.ts';
import type { Refusal } from './read-page.ts';

/** Counts over the responses of a walk. Plain values, stored in the journal, so that a resumed walk continues them. */
export interface WalkTally {
  /** Received records. */
  readonly records: number;
  /** Of them those that stood in their page twice. */
  readonly doubled: number;
  /** By field, how many records lacked it. */
  readonly fieldsMissing: Readonly<Record<string, number>>;
  /** Records that no request can read: how many, and the first hundred. */
  readonly unreadable: number;
  readonly refused: readonly Refusal[];
  /** Texts longer than the site allows: how many, and the first hundred. Releases before 2026-12 did not count them. */
  readonly overlong?: number;
  readonly overlongTexts?: readonly OverlongText[];
  readonly requests: number;
  readonly bytes: number;
}

export const EMPTY_TALLY: WalkTally = {
  records: 0,
  doubled: 0,
  fieldsMissing: {},
  unreadable: 0,
  refused: [],
  overlong: 0,
  overlongTexts: [],
  requests: 0,
  bytes: 0,
};

/** Records and texts that a report names. */
const MOST_NAMED = 100;
/** A walk in which a field is missing from a greater part of the novels is rejected. */
const MOST_MISSING = 0.01;

/** The fields of a whole record, by their published names. */
const expectedOf = (site: Site): string[] => [
  ...codesOf('whole', site).map((code) => findOfField(code)?.field ?? code),
  'weekly_unique',
];

interface WalkedPage {
  readonly items: readonly NovelRecord[];
  readonly refused: readonly Refusal[];
  readonly overlong: readonly OverlongText[];
  readonly requests: number;
  readonly bytes: number;
}

/** The tally with a page more. */
export function withPage(
  tally: WalkTally,
  site: Site,
  { items, refused, overlong, requests, bytes }: WalkedPage,
): WalkTally {
  const fieldsMissing = { ...tally.fieldsMissing };
  for (const field of expectedOf(site)) {
    const lacking = items.filter((record) => record[field] === undefined || record[field] === null).length;
    if (lacking > 0) fieldsMissing[field] = (fieldsMissing[field] ?? 0) + lacking;
  }
  const ncodes = items.map((record) => record['ncode']).filter((ncode) => typeof ncode === 'string');
  const known = new Set(tally.refused.map(({ ncode }) => ncode));
  const fresh = refused.filter(({ ncode }) => !known.has(ncode));
  return {
    records: tally.records + items.length,
    doubled: tally.doubled + ncodes.length - new Set(ncodes).size,
    fieldsMissing,
    unreadable: tally.unreadable + fresh.length,
    refused: [...tally.refused, ...fresh].slice(0, MOST_NAMED),
    ...withTexts(tally, overlong),
    requests: tally.requests + requests,
    bytes: tally.bytes + bytes,
  };
}

function withTexts(
  { overlong = 0, overlongTexts = [] }: WalkTally,
  met: readonly OverlongText[],
): Pick<WalkTally, 'overlong' | 'overlongTexts'> {
  const nameOf = ({ ncode, field }: OverlongText) => `${field} of ${ncode}`;
  const known = new Set(overlongTexts.map(nameOf));
  // A page that is read again has the same texts.
  const fresh = met.filter((each) => !known.has(nameOf(each)));
  return {
    overlong: overlong + fresh.length,
    overlongTexts: [...overlongTexts, ...fresh].slice(0, MOST_NAMED),
  };
}

/** Descriptions of the fields that more than one in a hundred novels lack. */
export function tooOftenMissing({ fieldsMissing, unreadable }: WalkTally, novels: number): string[] {
  const isTooOften = (count: number) => count > novels * MOST_MISSING;
  const fields = Object.entries(fieldsMissing).filter(([, lacking]) => isTooOften(lacking));
  return [
    ...fields.map(([field, lacking]) => `${field} was missing from ${lacking.toLocaleString('en')} records`),
    ...(isTooOften(unreadable) ? [`${unreadable.toLocaleString('en')} records could not be read`] : []),
  ];
}
