import type { Language } from './language.ts';

const LOCALES: Readonly<Record<Language, string>> = { ja: 'ja-JP', en: 'en-GB' };
const DAY_MS = 86_400_000;

/**
 * Formatters are slow to make and quick to use, and a list uses hundreds: each is made once for its options object
 * (one of the constants below) and language.
 */
function keep<Options extends object, Formatter>(make: (locale: string, options: Options) => Formatter) {
  const kept = new WeakMap<Options, Partial<Record<Language, Formatter>>>();
  return (language: Language, options: Options): Formatter => {
    const both = kept.get(options) ?? {};
    kept.set(options, both);
    return (both[language] ??= make(LOCALES[language], options));
  };
}
const numbers = keep<Intl.NumberFormatOptions, Intl.NumberFormat>(
  (...given) => new Intl.NumberFormat(...given),
);
const dates = keep<Intl.DateTimeFormatOptions, Intl.DateTimeFormat>(
  (...given) => new Intl.DateTimeFormat(...given),
);
const relatives = keep<Intl.RelativeTimeFormatOptions, Intl.RelativeTimeFormat>(
  (...given) => new Intl.RelativeTimeFormat(...given),
);

const utc = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormatOptions => ({
  ...options,
  timeZone: 'UTC',
});
const unit = (name: string, unitDisplay: 'short' | 'long'): Intl.NumberFormatOptions => ({
  style: 'unit',
  unit: name,
  unitDisplay,
});

const PLAIN = {};
const SHORT: Intl.NumberFormatOptions = { notation: 'compact', maximumSignificantDigits: 3 };
const WHOLE = { maximumFractionDigits: 0 };
const ONE_DECIMAL = { maximumFractionDigits: 1 };
const READING = { minute: unit('minute', 'short'), hour: unit('hour', 'short') };
const AGE = {
  second: unit('second', 'long'),
  minute: unit('minute', 'long'),
  hour: unit('hour', 'long'),
  day: unit('day', 'long'),
};
const DAY: Readonly<Record<Language, Intl.DateTimeFormatOptions>> = {
  ja: utc({ year: 'numeric', month: 'long', day: 'numeric', weekday: 'short' }),
  en: utc({ year: 'numeric', month: 'short', day: 'numeric', weekday: 'short' }),
};
const MONTH = utc({ year: 'numeric', month: 'long' });
const MONTH_ALONE = utc({ month: 'short' });
const YEAR_ALONE = utc({ year: 'numeric' });
const WEEKDAY = utc({ weekday: 'short' });
const MEDIUM_DAY = utc({ dateStyle: 'medium' });
const JAPAN_TIME: Intl.DateTimeFormatOptions = {
  timeZone: 'Asia/Tokyo',
  dateStyle: 'medium',
  timeStyle: 'short',
};
const MOMENT: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' };
const LONG_DAY = utc({ dateStyle: 'long' });
const LONG_INSTANT = utc({ dateStyle: 'long', timeStyle: 'short' });
const RELATIVE: Intl.RelativeTimeFormatOptions = { numeric: 'auto' };

export function formatNumber(language: Language, value: number): string {
  return numbers(language, PLAIN).format(value);
}

/** Intl puts a blank between a number and its Japanese unit (`264 日前`); printed Japanese has none. */
function closeUp(language: Language, text: string): string {
  return language === 'ja' ? text.replace(/(\d) (?=[^\x00-\x7f])/g, '$1') : text;
}

/** Three digits at most: `21.2万`, `212k`. */
export function formatShort(language: Language, value: number): string {
  return numbers(language, SHORT).format(value);
}

/** One decimal below ten, none above: points a day. */
export function formatRate(language: Language, value: number): string {
  return numbers(language, value < 10 ? ONE_DECIMAL : WHOLE).format(value);
}

/** A reading time in minutes, as one would say it: `40分`, `7時間`, `7 hrs`. */
export function formatReadingTime(language: Language, minutes: number): string {
  const hours = minutes / 60;
  const [options, value] = hours < 1 ? [READING.minute, minutes] : [READING.hour, Math.round(hours)];
  return closeUp(language, numbers(language, options).format(value));
}

/** A `YYYY-MM-DD` written out: `2026年11月16日(月)`, `Mon, 16 Nov 2026`. */
export function formatDate(language: Language, date: string): string {
  return dates(language, DAY[language]).format(Date.parse(date));
}

/** A `YYYY-MM-DD` that stands for its month: `2026年11月`, `November 2026`. */
export function formatMonth(language: Language, date: string): string {
  return dates(language, MONTH).format(Date.parse(date));
}

/** A first of a month as a mark on an axis: January carries its year, other months stand alone. */
export function formatAxisMonth(language: Language, date: string): string {
  return dates(language, date.endsWith('-01-01') ? YEAR_ALONE : MONTH_ALONE).format(Date.parse(date));
}

/** The weekday of a `YYYY-MM-DD`: `月`, `Mon`. */
export function formatWeekday(language: Language, date: string): string {
  return dates(language, WEEKDAY).format(Date.parse(date));
}

/** The upstream's `YYYY-MM-DD HH:MM:SS` (Japan time), to the minute; the text itself where it has another form. */
export function formatJapanTime(language: Language, dateTime: string): string {
  const at = Date.parse(`${dateTime.replace(' ', 'T')}+09:00`);
  return Number.isNaN(at) ? dateTime : dates(language, JAPAN_TIME).format(at);
}

/** An instant (ISO 8601) to the minute, by the reader's own clock. */
export function formatMoment(language: Language, iso: string): string {
  return dates(language, MOMENT).format(Date.parse(iso));
}

/** The day alone of the upstream's `YYYY-MM-DD HH:MM:SS`. */
export function formatJapanDay(language: Language, dateTime: string): string {
  const at = Date.parse(`${dateTime.slice(0, 10)}T00:00:00Z`);
  return Number.isNaN(at) ? dateTime : dates(language, MEDIUM_DAY).format(at);
}

/** An ISO instant or a bare day, as registries state them, in UTC; the text itself where it cannot be read. */
export function formatInstant(language: Language, text: string): string {
  const at = Date.parse(text);
  if (Number.isNaN(at)) return text;
  return text.length <= 10
    ? dates(language, LONG_DAY).format(at)
    : `${dates(language, LONG_INSTANT).format(at)} UTC`;
}

/** Whole days from `now` (milliseconds UTC) to an ISO instant or day; negative in the past, null where unreadable. */
export function daysUntil(text: string, now: number): number | null {
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.round((at - now) / DAY_MS);
}

/** `in 214 days`, `3日前`. Past a thousand days in years, as the command has it. */
export function formatRelativeDays(language: Language, days: number): string {
  const relative = relatives(language, RELATIVE);
  if (Math.abs(days) < 1000) return closeUp(language, relative.format(days, 'day'));
  return closeUp(language, relative.format(Math.trunc(days / 365.25), 'year'));
}

const AGES = [
  { below: 60, options: AGE.second, seconds: 1 },
  { below: 3_600, options: AGE.minute, seconds: 60 },
  { below: 172_800, options: AGE.hour, seconds: 3_600 },
  { below: Number.POSITIVE_INFINITY, options: AGE.day, seconds: 86_400 },
];

/** How old something is, in the largest unit that is at least one, days from two on: `12分`, `3 hours`. */
export function formatAge(language: Language, seconds: number): string {
  const age = AGES.find(({ below }) => seconds < below);
  if (!age) return '';
  return closeUp(language, numbers(language, age.options).format(Math.floor(seconds / age.seconds)));
}
