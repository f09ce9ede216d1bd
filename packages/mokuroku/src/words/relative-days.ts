/** Intl puts a blank between a number and its Japanese unit (`264 日前`), unlike printed Japanese. */
export const closeUp = (text: string): string => text.replace(/(\d) (?=[^\x00-\x7f])/g, '$1');

/** `in 214 days`, `3日前`; above a thousand days in years. */
export function relativeDays(language: 'ja' | 'en', days: number): string {
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  if (Math.abs(days) < 1000) return closeUp(relative.format(days, 'day'));
  return closeUp(relative.format(Math.trunc(days / 365.25), 'year'));
}
