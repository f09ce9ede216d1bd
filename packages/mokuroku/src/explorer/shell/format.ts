import { closeUp, relativeDays } from '../../words/relative-days.ts';
import type { Language } from './preferences.ts';

const LOCALES: Readonly<Record<Language, string>> = { ja: 'ja-JP', en: 'en-GB' };

/** Memoizes formatters by their options: they are slow to create, and a list uses hundreds. */
function memoizeFormatter<Options extends object, Formatter>(make: (options: Options) => Formatter) {
  const formatters = new Map<Options, Formatter>();
  return (options: Options): Formatter => {
    const formatter = formatters.get(options) ?? make(options);
    formatters.set(options, formatter);
    return formatter;
  };
}

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
const DAY: Readonly<Record<Language, Intl.DateTimeFormatOptions>> = {
  ja: utc({ year: 'numeric', month: 'long', day: 'numeric', weekday: 'short' }),
  en: utc({ year: 'numeric', month: 'short', day: 'numeric', weekday: 'short' }),
};
const MONTH = utc({ year: 'numeric', month: 'long' });
const SHORT_DAY: Readonly<Record<Language, Intl.DateTimeFormatOptions>> = {
  ja: utc({ month: 'numeric', day: 'numeric' }),
  en: utc({ month: 'short', day: 'numeric' }),
};
const MONTH_ALONE = utc({ month: 'short' });
const YEAR_ALONE = utc({ year: 'numeric' });
const WEEKDAY = utc({ weekday: 'short' });
const MEDIUM_DAY = utc({ dateStyle: 'medium' });
const MOMENT: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' };
const JAPAN_TIME: Intl.DateTimeFormatOptions = { ...MOMENT, timeZone: 'Asia/Tokyo' };
const LONG_DAY = utc({ dateStyle: 'long' });
const LONG_INSTANT = utc({ dateStyle: 'long', timeStyle: 'short' });

const AGES = [
  { below: 60, options: unit('second', 'long'), seconds: 1 },
  { below: 3_600, options: unit('minute', 'long'), seconds: 60 },
  { below: 172_800, options: unit('hour', 'long'), seconds: 3_600 },
  { below: Number.POSITIVE_INFINITY, options: unit('day', 'long'), seconds: 86_400 },
];

function createNumberFormat(language: Language) {
  const numbers = memoizeFormatter((options: Intl.NumberFormatOptions) =>
    Intl.NumberFormat(LOCALES[language], options),
  );
  return {
    number: (value: number): string => numbers(PLAIN).format(value),
    /** At most three digits: `21.2万`, `212k`. */
    short: (value: number): string => numbers(SHORT).format(value),
    /** One decimal below ten, none above: points per day. */
    rate: (value: number): string => numbers(value < 10 ? ONE_DECIMAL : WHOLE).format(value),
    /** A reading time in minutes, rounded as in speech: `40分`, `7時間`, `7 hrs`. */
    readingTime: (minutes: number): string => {
      const hours = minutes / 60;
      const [options, value] = hours < 1 ? [READING.minute, minutes] : [READING.hour, Math.round(hours)];
      return closeUp(numbers(options).format(value));
    },
    /** An age in the largest unit with a value of at least one; days start at two: `12分`, `3 hours`. */
    age: (seconds: number): string => {
      const age = AGES.find(({ below }) => seconds < below);
      if (!age) return '';
      return closeUp(numbers(age.options).format(Math.floor(seconds / age.seconds)));
    },
  };
}

function createDateFormat(language: Language) {
  const locale = LOCALES[language];
  const dates = memoizeFormatter((options: Intl.DateTimeFormatOptions) =>
    Intl.DateTimeFormat(locale, options),
  );
  /** Formats a text that is a date, or `readable` in its place; returns other texts unchanged. */
  const write = (text: string, options: Intl.DateTimeFormatOptions, readable = text): string => {
    const at = Date.parse(readable);
    return Number.isNaN(at) ? text : dates(options).format(at);
  };
  return {
    /** A `YYYY-MM-DD` written out: `2026年11月16日(月)`, `Mon, 16 Nov 2026`. */
    date: (date: string): string => write(date, DAY[language]),
    /** The month of a `YYYY-MM-DD`: `2026年11月`, `November 2026`. */
    month: (date: string): string => write(date, MONTH),
    /** The shortest form of a `YYYY-MM-DD` within a year: `8/24`, `24 Aug`; of a month `8月`, `Aug`. */
    shortDay: (date: string): string => write(date, SHORT_DAY[language]),
    shortMonth: (date: string): string => write(date, MONTH_ALONE),
    /** The label of a month on an axis: January has its year, other months stand alone. */
    axisMonth: (date: string): string => write(date, date.endsWith('-01-01') ? YEAR_ALONE : MONTH_ALONE),
    /** The weekday of a `YYYY-MM-DD`: `月`, `Mon`. */
    weekday: (date: string): string => write(date, WEEKDAY),
    /** The upstream's `YYYY-MM-DD HH:MM:SS` (Japan time), to the minute. */
    japanTime: (dateTime: string): string =>
      write(dateTime, JAPAN_TIME, `${dateTime.replace(' ', 'T')}+09:00`),
    /** The day of the upstream's `YYYY-MM-DD HH:MM:SS`. */
    japanDay: (dateTime: string): string => write(dateTime, MEDIUM_DAY, `${dateTime.slice(0, 10)}T00:00:00Z`),
    /** An instant (ISO 8601) to the minute, in the reader's time zone. */
    moment: (iso: string): string => write(iso, MOMENT),
    /** An ISO instant or a day in the form of registries, in UTC. */
    instant: (text: string): string => {
      if (text.length <= 10 || Number.isNaN(Date.parse(text))) return write(text, LONG_DAY);
      return `${write(text, LONG_INSTANT)} UTC`;
    },
    relativeDays: (days: number): string => relativeDays(language, days),
  };
}

/** Formats numbers, dates and durations in one language. */
export const createFormat = (language: Language) => ({
  ...createNumberFormat(language),
  ...createDateFormat(language),
});
export type Format = ReturnType<typeof createFormat>;
