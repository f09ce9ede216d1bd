const DAY_MS = 86_400_000;

/** Whole days from `now` (milliseconds UTC) to an ISO instant or day; negative in the past, null where unreadable. */
export function daysUntil(text: string, now: number): number | null {
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.round((at - now) / DAY_MS);
}

/** Intl puts a blank between a number and its Japanese unit (`264 日前`), unlike printed Japanese. */
export const closeUp = (text: string): string => text.replace(/(\d) (?=[^\x00-\x7f])/g, '$1');

/** `in 214 days`, `3日前`; above a thousand days in years. */
export function relativeDays(language: 'ja' | 'en', days: number): string {
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  if (Math.abs(days) < 1000) return closeUp(relative.format(days, 'day'));
  return closeUp(relative.format(Math.trunc(days / 365.25), 'year'));
}
