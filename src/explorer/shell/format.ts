import type { Language } from './language.ts';

const LOCALES: Readonly<Record<Language, string>> = { ja: 'ja-JP', en: 'en-GB' };
const DAY_MS = 86_400_000;

export function formatNumber(language: Language, value: number): string {
  return new Intl.NumberFormat(LOCALES[language]).format(value);
}

/** Intl puts a blank between a number and its Japanese unit (`264 日前`); printed Japanese has none. */
function closeUp(language: Language, text: string): string {
  return language === 'ja' ? text.replace(/(\d) (?=[^\x00-\x7f])/g, '$1') : text;
}

/** Three digits at most: `21.2万`, `212K`. */
export function formatShort(language: Language, value: number): string {
  return new Intl.NumberFormat(LOCALES[language], {
    notation: 'compact',
    maximumSignificantDigits: 3,
  }).format(value);
}

/** One decimal below ten, none above: points a day. */
export function formatRate(language: Language, value: number): string {
  return new Intl.NumberFormat(LOCALES[language], { maximumFractionDigits: value < 10 ? 1 : 0 }).format(
    value,
  );
}

/** A reading time in minutes, as one would say it: `40分`, `約7時間`, `7 h`. */
export function formatReadingTime(language: Language, minutes: number): string {
  const hours = minutes / 60;
  const [unit, value] = hours < 1 ? (['minute', minutes] as const) : (['hour', Math.round(hours)] as const);
  return closeUp(
    language,
    new Intl.NumberFormat(LOCALES[language], { style: 'unit', unit, unitDisplay: 'short' }).format(value),
  );
}

function format(language: Language, at: number, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(LOCALES[language], options).format(at);
}

/** A `YYYY-MM-DD` written out: `2026年11月16日(月)`, `Mon 16 Nov 2026`. */
export function formatDate(language: Language, date: string): string {
  return format(language, Date.parse(`${date}T00:00:00Z`), {
    timeZone: 'UTC',
    year: 'numeric',
    month: language === 'ja' ? 'long' : 'short',
    day: 'numeric',
    weekday: 'short',
  });
}

/** A `YYYY-MM-DD` that stands for its month: `2026年11月`, `November 2026`. */
export function formatMonth(language: Language, date: string): string {
  return format(language, Date.parse(`${date}T00:00:00Z`), {
    timeZone: 'UTC',
    year: 'numeric',
    month: 'long',
  });
}

/** The upstream's `YYYY-MM-DD HH:MM:SS` (Japan time), to the minute; the text itself where it has another form. */
export function formatJapanTime(language: Language, dateTime: string): string {
  const at = Date.parse(`${dateTime.replace(' ', 'T')}+09:00`);
  if (Number.isNaN(at)) return dateTime;
  return format(language, at, { timeZone: 'Asia/Tokyo', dateStyle: 'medium', timeStyle: 'short' });
}

/** The day alone of the upstream's `YYYY-MM-DD HH:MM:SS`. */
export function formatJapanDay(language: Language, dateTime: string): string {
  const at = Date.parse(`${dateTime.slice(0, 10)}T00:00:00Z`);
  return Number.isNaN(at) ? dateTime : format(language, at, { timeZone: 'UTC', dateStyle: 'medium' });
}

/** An ISO instant or a bare day, as registries state them, in UTC; the text itself where it cannot be read. */
export function formatInstant(language: Language, text: string): string {
  const at = Date.parse(text);
  if (Number.isNaN(at)) return text;
  if (text.length <= 10) return format(language, at, { timeZone: 'UTC', dateStyle: 'long' });
  return `${format(language, at, { timeZone: 'UTC', dateStyle: 'long', timeStyle: 'short' })} UTC`;
}

/** Whole days from `now` (milliseconds UTC) to an ISO instant or day; negative in the past, null where unreadable. */
export function daysUntil(text: string, now: number): number | null {
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.round((at - now) / DAY_MS);
}

/** `in 214 days`, `3日前`. Past a thousand days in years, unless `exact` asks for days all the same. */
export function formatRelativeDays(language: Language, days: number, exact = false): string {
  const relative = new Intl.RelativeTimeFormat(LOCALES[language], { numeric: 'auto' });
  if (exact || Math.abs(days) < 1000) return closeUp(language, relative.format(days, 'day'));
  return closeUp(language, relative.format(Math.trunc(days / 365.25), 'year'));
}

/** How old something is, in the largest unit that is at least one: `12分`, `3 hours`. */
export function formatAge(language: Language, seconds: number): string {
  const [unit, value] =
    seconds < 60
      ? (['second', seconds] as const)
      : seconds < 3_600
        ? (['minute', Math.floor(seconds / 60)] as const)
        : seconds < 172_800
          ? (['hour', Math.floor(seconds / 3_600)] as const)
          : (['day', Math.floor(seconds / 86_400)] as const);
  return closeUp(
    language,
    new Intl.NumberFormat(LOCALES[language], { style: 'unit', unit, unitDisplay: 'long' }).format(value),
  );
}
