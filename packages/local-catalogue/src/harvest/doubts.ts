import { isOfAnother } from '@mokuroku/narou/scan';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { MAX_AGE_SECONDS } from '@mokuroku/narou/queries';

/**
 * By field: the Unix second of the first response without the value that is stored; `ncode`: of the first proof that
 * the upstream does not return the novel.
 */
export type Doubt = Readonly<Record<string, number>>;

/** The doubt about whole records that came on a page with doubts or damage. */
export const PAGE = 'page';
/** The subject of doubts about all novels of a site: an Ncode has letters. */
export const WHOLE_SITE = '*';

/** Doubts by their subject, an Ncode or the `rtype` of a ranking. An empty one is settled. */
export type DoubtEntries = readonly (readonly [subject: string, doubt: Doubt])[];

/**
 * A second look confirms the first if it is at least this much later: faults last for a night, and a harvest by a timer
 * or a daily round comes after a day.
 */
export const SECOND_LOOK_SECONDS = 22 * 3_600;

/** When a doubt began. A later time than the present comes from a clock that has been corrected since. */
export const firstLook = (first: number | undefined, now: number): number => Math.min(first ?? now, now);

export const isConfirmed = (first: number | undefined, now: number): boolean =>
  now - firstLook(first, now) >= SECOND_LOOK_SECONDS;

/** Fields that become 0 by themselves. Alone they are no sign of damage, but for an end without a change. */
const FALLING = new Set<string>([
  'end',
  'isstop',
  'daily_point',
  'weekly_point',
  'monthly_point',
  'quarter_point',
  'yearly_point',
  'weekly_unique',
]);

/** Fields that every novel has. */
const ESSENTIAL = new Set<string>([
  'title',
  'writer',
  'general_firstup',
  'general_lastup',
  'general_all_no',
  'length',
  'novelupdated_at',
]);
/** Only together they show a new episode. */
const EPISODE_FIELDS = ['general_all_no', 'general_lastup'];

/** Characters of a wrong encoding. */
const isGarbled = (value: unknown): boolean => /[\u0080-\u009f\ufffd]/.test(String(value));

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === '' || value === 0 || isGarbled(value);

type Part = Partial<CatalogueNovel>;
type Fields = Readonly<Record<string, unknown>>;

/** Whether a record is an earlier one than the stored: servers of the upstream may lag. This time never goes back. */
const isStale = ({ novelupdated_at: received = '' }: Part, { novelupdated_at: stored = '' }: Part): boolean =>
  received !== '' && received < stored;

/**
 * Whether a field has a value that goes with the others of its record. A serial with one episode looks like one whose
 * count was lost, and the last episode is not before the first.
 */
function isSound(record: Fields, field: string): boolean {
  const { [field]: value, general_firstup: first = '' } = record;
  if (isEmpty(value) || (field === 'general_all_no' && value === 1)) return false;
  return field !== 'general_lastup' || String(value) >= String(first);
}

/** Fields with a stored value that a response lacks in the way of damage: emptied, 0, or missing. */
function lostFields(received: Fields, stored: Fields, fields: readonly string[]): readonly string[] {
  const isMissing = (field: string) => stored[field] !== undefined && received[field] === undefined;
  const lost = fields.filter(
    (field) =>
      isMissing(field) ||
      (isSound(stored, field) && !isSound(received, field)) ||
      (ESSENTIAL.has(field) && isEmpty(received[field])) ||
      (field === 'userid' && received[field] === 0),
  );
  const isEnded = String(received['novelupdated_at']) > String(stored['novelupdated_at']);
  const isSign = (field: string) => isMissing(field) || !FALLING.has(field) || (field === 'end' && !isEnded);
  return lost.some(isSign) ? lost : [];
}

/** Whether the values of a stored record may be kept. `now`: Unix seconds. */
export const isComparable = (stored: CatalogueNovel | undefined, now: number): boolean =>
  stored !== undefined && stored.fetched_at >= now - MAX_AGE_SECONDS;

interface Look<Received> {
  readonly received: Received;
  readonly stored: CatalogueNovel | undefined;
  readonly doubt: Doubt | undefined;
  /** The received fields. */
  readonly fields: readonly string[];
  /** Unix seconds. */
  readonly now: number;
}

/**
 * What to store of a received record, or part of one, and what remains in doubt. A value that comes back empty keeps
 * its stored value until a second look confirms that, and an earlier record all of them; all other fields are taken as
 * they come. The record is then as old as the stored one. One of another novel is not compared.
 */
export function settle<Received extends Part>(
  look: Look<Received>,
): { readonly novel: Received; readonly doubt: Doubt } {
  const { received, doubt = {}, fields, now } = look;
  const isSame = isComparable(look.stored, now) && !isOfAnother(received, look.stored ?? {});
  const stored: Fields = isSame ? { ...look.stored } : {};
  const isEarlier = isStale(received, stored);
  const lost = isEarlier ? ['novelupdated_at'] : lostFields(received, stored, fields);
  const pending = lost.filter((field) => !isConfirmed(doubt[field], now));
  const others = Object.entries(doubt).filter(([field]) => field !== 'ncode' && !fields.includes(field));
  const firsts = pending.map((field) => [field, firstLook(doubt[field], now)] as const);
  const tied = pending.some((field) => EPISODE_FIELDS.includes(field)) ? EPISODE_FIELDS : [];
  const kept = (isEarlier && pending.length > 0 ? fields : [...pending, ...tied]).filter(
    (field) => stored[field] !== undefined && stored[field] !== (received as Fields)[field],
  );
  const garbled = pending.filter((field) => isGarbled((received as Fields)[field]));
  const values = [...garbled, ...kept].map((field) => [field, stored[field]] as const);
  const isAged = kept.length > 0 && received.fetched_at !== undefined;
  // A second more, so that a build compares the record with the stored one.
  const age = isAged ? { fetched_at: Math.min(Number(stored['fetched_at']) + 1, now) } : {};
  return {
    novel: { ...received, ...Object.fromEntries(values), ...age },
    doubt: Object.fromEntries([...others, ...firsts]),
  };
}
