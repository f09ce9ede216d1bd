import { isUnknown } from './registration-record.ts';
import type { Completeness, ParsedRegistration } from './registration-record.ts';

const DAY_MS = 86_400_000;

/** Whether a date is a day: it has passed when the day is over. */
const isDay = (date: string): boolean => date.length === 10;

/** Days from `now` (milliseconds since 1970) to an ISO instant or day, rounded; negative when it has passed. */
export function daysLeft(expirationDate: string | null, now: number): number | null {
  if (expirationDate === null) return null;
  const from = isDay(expirationDate) ? now - (now % DAY_MS) : now;
  const days = Math.round((Date.parse(expirationDate) - from) / DAY_MS);
  // Adding 0 turns -0 into 0.
  return Number.isNaN(days) ? null : days + 0;
}

/** Whether an ISO instant or day has passed. */
function hasPassed(date: string, now: number): boolean {
  return isDay(date) ? Number(daysLeft(date, now)) < 0 : Date.parse(date) < now;
}

export const ENDINGS = ['none', 'expired', 'redemption', 'pending_delete', 'on_hold'] as const;
export type Ending = (typeof ENDINGS)[number];

/**
 * Statuses by the ending that they state, the most final first. EPP codes (RFC 5731, RFC 3915) and the words of
 * registries, as letters: a name in its redemption period is also `pendingDelete`, but its registrant can restore it.
 */
const STATED_ENDINGS: readonly (readonly [Ending, RegExp])[] = [
  ['redemption', /redemption|pendingrestore|quarantine/],
  ['pending_delete', /pendingdelet|pendingpurge|tobedeleted|tobereleased|nolongerrequired/],
  ['expired', /^expired|renewalrequired/],
  ['on_hold', /^(?:client|server|registry|registrar)hold|^(?:on)?hold$|^suspended/],
];

type Stated = Pick<ParsedRegistration, 'status' | 'expirationDate' | 'deletionDate'>;
type StatedRegistration = Completeness & { parsed: Stated };

/** The fields that say when and how a registration ends. */
export const END_FIELDS = ['status', 'expirationDate', 'deletionDate'] as const;

/**
 * Whether and how a registration ends, from its statuses and dates at `now` (milliseconds since 1970). null if the
 * registry states neither a status nor a date, or if it states no ending and the status or the expiry is unknown. A
 * registry may have renewed a name that is about to be deleted by a year, so a status precedes the dates.
 */
export function endingOf(registration: StatedRegistration, now: number): Ending | null {
  const { status, expirationDate, deletionDate } = registration.parsed;
  const words = status.map((each) => each.toLowerCase().replace(/[^\p{L}]/gu, ''));
  const [stated] = STATED_ENDINGS.find(([, pattern]) => words.some((word) => pattern.test(word))) ?? [];
  const isPast = expirationDate !== null && hasPassed(expirationDate, now);
  if (isPast && (stated === undefined || stated === 'on_hold')) return 'expired';
  if (stated !== undefined) return stated;
  const isStated = status.length > 0 || expirationDate !== null || deletionDate !== null;
  return isStated && !isUnknown(registration, 'status', 'expirationDate') ? 'none' : null;
}

/** The earlier of the stated days of expiry and of deletion, ISO 8601; null if neither is stated. */
export function endDate({ expirationDate, deletionDate }: Omit<Stated, 'status'>): string | null {
  if (deletionDate === null || expirationDate === null) return expirationDate ?? deletionDate;
  return Date.parse(deletionDate) < Date.parse(expirationDate) ? deletionDate : expirationDate;
}
