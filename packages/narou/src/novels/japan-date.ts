// Calendar days as whole numbers (0 = 1970-01-01), and Japan's clock. All calculations are in UTC, independent of the
// machine's time zone. Japan has used UTC+9 without summer time since 1952.

const DAY_MS = 86_400_000;
const JAPAN_OFFSET_MS = 9 * 3_600_000;

/** The day in Japan at an instant (milliseconds UTC). */
export function japanDay(now: number): number {
  return Math.floor((now + JAPAN_OFFSET_MS) / DAY_MS);
}

/** The instant (milliseconds UTC) at which a day begins in Japan. */
export function japanMidnight(day: number): number {
  return day * DAY_MS - JAPAN_OFFSET_MS;
}

/** 0 Sunday to 6 Saturday. Day 0 was a Thursday. */
export function weekdayOfDay(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}

/** 1 to 31. */
export function dayOfMonth(day: number): number {
  return new Date(day * DAY_MS).getUTCDate();
}

/** `YYYY-MM-DD`. */
export function dateOfDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** The day of a `YYYY-MM-DD`; null if the text has another form or the day does not exist. */
export function dayOfDate(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return null;
  const day = Date.parse(text) / DAY_MS;
  // 30 February is not a date, or one in March.
  return Number.isFinite(day) && dateOfDay(day) === text ? day : null;
}

/**
 * The day that a malformed date probably means, twice: year, month and day in this order, with any separator or none.
 * For a nonexistent day of a month, the neighbours (`2024-02-30` -> 2024-02-29 and 2024-03-01). Null if no date can
 * be parsed.
 */
export function looseDays(text: string): [number, number] | null {
  const parts = /^\D?(\d{4})\D?(\d{1,2})\D?(\d{1,2})(?!\d)/.exec(text);
  if (parts === null) return null;
  const [year, month, date] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const instant = new Date(0);
  instant.setUTCFullYear(year, month - 1, date);
  if (instant.getUTCDate() !== date) instant.setUTCFullYear(year, date === 0 ? month - 1 : month, 0);
  const day = Math.floor(instant.getTime() / DAY_MS);
  return [day, instant.getUTCDate() === date ? day : day + 1];
}

/** `YYYY-MM-DD HH:MM:SS` in Japan time, as the upstream writes an instant (milliseconds UTC). */
export function japanDateTime(now: number): string {
  const text = new Date(now + JAPAN_OFFSET_MS).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 19)}`;
}

/** The instant (milliseconds UTC) of a `YYYY-MM-DD HH:MM:SS` in Japan time; NaN if the text has another form. */
export function japanInstant(dateTime: string): number {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(dateTime)) return Number.NaN;
  return Date.parse(`${dateTime.replace(' ', 'T')}+09:00`);
}

/** Unix seconds from 1970 to 2106; undefined if the date is missing, malformed or out of range. */
export function japanSeconds(dateTime: string | undefined): number | undefined {
  const seconds = dateTime === undefined ? Number.NaN : japanInstant(dateTime) / 1000;
  return seconds >= 0 && seconds < 2 ** 32 - 1 ? seconds : undefined;
}
