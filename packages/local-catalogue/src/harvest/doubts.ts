import { crc32 } from 'node:zlib';
import { CHANGED_FIELDS, SECOND_LOOK_SECONDS, japanSeconds } from '@mokuroku/narou';
import { isOfAnother } from '@mokuroku/narou/scan';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { MAX_AGE_SECONDS } from '@mokuroku/narou/queries';

/**
 * By claim: the Unix second of the first response that made it. A claim names a field and its new value; `ncode` is the
 * proof that the upstream does not return the novel.
 */
export type Doubt = Readonly<Record<string, number>>;

/** The claim of a record about a field: a second look with yet another value confirms nothing. */
export const claimOf = (field: string, value: unknown): string =>
  `${field} ${crc32(String(value)).toString(36)}`;

export const fieldOf = (claim: string): string => claim.split(' ', 1)[0] as string;

/** The doubt about whole records that came on a page with doubts or damage. */
export const PAGE = 'page';

/** Doubts by their subject, an Ncode or the `rtype` of a ranking. An empty one is settled. */
export type DoubtEntries = readonly (readonly [subject: string, doubt: Doubt])[];

/** When a doubt began. A later time than the present comes from a clock that has been corrected since. */
export const firstLook = (first: number | undefined, now: number): number => Math.min(first ?? now, now);

export const isConfirmed = (first: number | undefined, now: number): boolean =>
  now - firstLook(first, now) >= SECOND_LOOK_SECONDS;

/** Figures that fall to 0 by themselves: alone they are no sign of damage. */
const FALLING = new Set<string>([
  'daily_point',
  'weekly_point',
  'monthly_point',
  'quarter_point',
  'yearly_point',
  'weekly_unique',
]);

/** Fields whose 0 is as good as a 1: only the times of the record say whether they changed. */
const STATES = new Set<string>(['end', 'isstop']);
const ESSENTIAL = new Set<string>([
  'title',
  'userid',
  'writer',
  'general_firstup',
  'general_lastup',
  'general_all_no',
  'length',
  'novelupdated_at',
]);
/** Only together they show a new episode. */
const EPISODE_FIELDS = ['general_all_no', 'general_lastup'];
/** The times of a record that say when it changed, and the fields that change only then: all of which events are made. */
const TIMES = ['novelupdated_at', 'general_lastup'] as const;
const isTime = (field: string): boolean => TIMES.some((time) => time === field);
const TIMED_FIELDS: readonly string[] = [...CHANGED_FIELDS, 'general_lastup'];
/** A change appears after five minutes, or as late as two hours (manual of novelapi). */
export const LAG_SECONDS = 7_200;

/** Whether a text was in another encoding than stated. */
const isGarbled = (value: unknown): boolean => String(value).includes('\ufffd');

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === '' || value === 0 || isGarbled(value);

type Part = Partial<CatalogueNovel>;
type Fields = Readonly<Record<string, unknown>>;

/** Whether the values of a stored record may be kept. `now`: Unix seconds. */
export const isComparable = (stored: CatalogueNovel | undefined, now: number): stored is CatalogueNovel =>
  stored !== undefined && stored.fetched_at >= now - MAX_AGE_SECONDS;

/** A received record, or part of one, beside the stored one. */
export interface Look {
  readonly received: Fields;
  /** Empty if there is none to compare it with. */
  readonly stored: Fields;
  readonly doubt: Doubt;
  readonly fields: readonly string[];
  /** Of them, those with another stored value that change only with the times of the record. */
  readonly changed: readonly string[];
  /** The times of the record that are later than the stored ones. */
  readonly times: readonly string[];
  /** Unix seconds. */
  readonly now: number;
}

/** Compares a row with the stored record. One of another novel is not compared. */
export function lookAt(
  received: Part,
  record: CatalogueNovel | undefined,
  { doubt = {}, fields, now }: { doubt: Doubt | undefined; fields: readonly string[]; now: number },
): Look {
  const stored: Part = isComparable(record, now) && !isOfAnother(received, record) ? record : {};
  const [values, before]: [Fields, Fields] = [received, stored];
  const differs = (field: string) => before[field] !== undefined && values[field] !== before[field];
  const isLater = (time: (typeof TIMES)[number]) =>
    (received[time] ?? '') > (stored[time] ?? '~') &&
    (japanSeconds(received[time]) ?? 0) >= (stored.fetched_at ?? 0) - LAG_SECONDS;
  return {
    received: values,
    stored: before,
    doubt,
    fields,
    changed: TIMED_FIELDS.filter((field) => fields.includes(field) && differs(field)),
    times: TIMES.filter((time) => fields.includes(time) && isLater(time)),
    now,
  };
}

/** Fields that a row lacks in the way of damage: with a value that is missing or emptied, or that every novel has. */
function lostFields({ received, stored, fields }: Look): readonly string[] {
  const isLost = (field: string) => {
    const { [field]: value } = received;
    if (value === undefined) return stored[field] !== undefined || ESSENTIAL.has(field);
    const isNeeded = ESSENTIAL.has(field) || !isEmpty(stored[field]);
    return isGarbled(value) || (isEmpty(value) && isNeeded && !STATES.has(field));
  };
  const lost = fields.filter(isLost);
  return lost.every((field) => FALLING.has(field) && received[field] === 0) ? [] : lost;
}

/** Whether a row shows which fields are wrong around it: it should be as stored, of which there was a second look. */
export const isWitness = ({ stored, doubt, changed, times }: Look): boolean =>
  stored['ncode'] !== undefined && doubt[PAGE] === undefined && (times.length === 0 || changed.every(isTime));

/**
 * The fields that are lost or another in several witnesses, and in a fifth of those that had a value, or of those that
 * had none: of a rare mark a few are set by their authors, and all of them lost by a fault.
 */
export function faultyFields(witnesses: readonly Look[]): readonly string[] {
  const kindOf = (field: string, { stored }: Look) => `${field} ${isEmpty(stored[field])}`;
  const counts = new Map<string, number>();
  for (const look of witnesses)
    for (const field of new Set([...lostFields(look), ...look.changed]))
      counts.set(kindOf(field, look), (counts.get(kindOf(field, look)) ?? 0) + 1);
  const isFaulty = ([kind, count]: [string, number]) =>
    count > 1 && 5 * count > witnesses.filter((look) => kindOf(fieldOf(kind), look) === kind).length;
  return [...new Set([...counts].filter(isFaulty).map(([kind]) => fieldOf(kind)))];
}

/**
 * The values to store in place of those of a row, and what remains in doubt. Doubtful is a value that is lost, that
 * changed although the times of the record did not, or whose field is `faulty` in the rows around it. The stored value
 * is kept, or the field stays unknown, until a second look says the same; all others are taken as they come. The record
 * is then as old as the stored one.
 */
export function settle(look: Look, faulty: readonly string[] = []): { kept: Fields; doubt: Doubt } {
  const { received, stored, doubt, fields, changed, times, now } = look;
  // A stored record of a single look is no better than another one.
  const isSecond = isConfirmed(doubt[PAGE], now);
  const isOther = isSecond || times.some((time) => !faulty.includes(time));
  const isExplained = (field: string) => (isTime(field) ? times.includes(field) : isOther);
  const unexplained = changed.filter((field) => !isExplained(field));
  const isFaulty = (field: string) =>
    faulty.includes(field) && (stored[field] === undefined || changed.includes(field));
  const doubtful = new Set([...lostFields(look), ...unexplained, ...fields.filter(isFaulty)]);
  const pending = [...doubtful].filter((field) => !isConfirmed(doubt[claimOf(field, received[field])], now));
  const firsts = pending
    .map((field) => claimOf(field, received[field]))
    .map((claim) => [claim, firstLook(doubt[claim], now)]);
  const isSettled = ([claim]: [string, number]) =>
    claim === PAGE ? isSecond : claim === 'ncode' || fields.includes(fieldOf(claim));
  const isEpisode = (field: string) => EPISODE_FIELDS.includes(field) && stored[field] !== undefined;
  const tied = [...pending, ...faulty].some(isEpisode) ? EPISODE_FIELDS.filter(isEpisode) : [];
  const kept = [...pending, ...tied].filter((field) => stored[field] !== received[field]);
  const isAged = received['fetched_at'] !== undefined && kept.some((field) => stored[field] !== undefined);
  return {
    kept: {
      ...Object.fromEntries(kept.map((field) => [field, stored[field]])),
      // A second more, so that a build compares the record with the stored one.
      ...(isAged && { fetched_at: Math.min(Number(stored['fetched_at']) + 1, now) }),
    },
    doubt: Object.fromEntries([
      ...Object.entries(doubt).filter((entry) => !isSettled(entry)),
      ...firsts,
    ]) as Doubt,
  };
}
