import { closeUp, relativeDays } from '../../words/relative-days.ts';
import type { Language } from './preferences.ts';

const LOCALES: Readonly<Record<Language, string>> = { ja: 'ja-JP', en: 'en-GB' };

/** Memoizes formatters by their options: they are slow to create, and a list uses hundreds. */
function memoizeFormatter<Options extends object, Formatter>(make: (options: Options) => Formatter) {
  const formatters = new Map<string, Formatter>();
  return (options: Options): Formatter => {
    const key = JSON.stringify(options);
    const formatter = formatters.get(key) ?? make(options);
    formatters.set(key, formatter);
    return formatter;
  };
}

const MOMENT = { dateStyle: 'medium', timeStyle: 'short' } as const;

const AGES = [
  { below: 60, unit: 'second', seconds: 1 },
  { below: 3_600, unit: 'minute', seconds: 60 },
  { below: 172_800, unit: 'hour', seconds: 3_600 },
  { below: Number.POSITIVE_INFINITY, unit: 'day', seconds: 86_400 },
];

function createNumberFormat(language: Language) {
  const numbers = memoizeFormatter((options: Intl.NumberFormatOptions) =>
    Intl.NumberFormat(LOCALES[language], options),
  );
  const withUnit = (value: number, unit: string, unitDisplay: 'short' | 'long') =>
    closeUp(numbers({ style: 'unit', unit, unitDisplay }).format(value));
  return {
    number: (value: number): string => numbers({}).format(value),
    /** At most three digits: `21.2万`, `212k`. */
    short: (value: number): string =>
      numbers({ notation: 'compact', maximumSignificantDigits: 3 }).format(value),
    /** One decimal below ten, none above: points per day. */
    rate: (value: number): string => numbers({ maximumFractionDigits: value < 10 ? 1 : 0 }).format(value),
    /** A reading time in minutes, rounded as in speech: `40分`, `7時間`, `7 hrs`. */
    readingTime: (minutes: number): string =>
      minutes < 60
        ? withUnit(minutes, 'minute', 'short')
        : withUnit(Math.round(minutes / 60), 'hour', 'short'),
    /** An age in the largest unit with a value of at least one; days start at two: `12分`, `3 hours`. */
    age: (seconds: number): string => {
      const age = AGES.find(({ below }) => seconds < below);
      return age ? withUnit(Math.floor(seconds / age.seconds), age.unit, 'long') : '';
    },
  };
}

function createDateFormat(language: Language) {
  const isJapanese = language === 'ja';
  const dates = memoizeFormatter((options: Intl.DateTimeFormatOptions) =>
    Intl.DateTimeFormat(LOCALES[language], options),
  );
  /** Formats a text that is a date, or `readable` in its place, in UTC; returns other texts unchanged. */
  const write = (text: string, options: Intl.DateTimeFormatOptions, readable = text): string => {
    const at = Date.parse(readable);
    return Number.isNaN(at) ? text : dates({ timeZone: 'UTC', ...options }).format(at);
  };
  return {
    /** A `YYYY-MM-DD` written out: `2026年11月16日(月)`, `Mon, 16 Nov 2026`. */
    date: (date: string): string => {
      const month = isJapanese ? 'long' : 'short';
      return write(date, { year: 'numeric', month, day: 'numeric', weekday: 'short' });
    },
    /** The month of a `YYYY-MM-DD`: `2026年11月`, `November 2026`. */
    month: (date: string): string => write(date, { year: 'numeric', month: 'long' }),
    /** The shortest form of the month of a `YYYY-MM-DD`: `8月`, `Aug`. */
    shortMonth: (date: string): string => write(date, { month: 'short' }),
    /** The label of a month on an axis: January has its year, other months stand alone. */
    axisMonth: (date: string): string =>
      write(date, date.endsWith('-01-01') ? { year: 'numeric' } : { month: 'short' }),
    /** The weekday of a `YYYY-MM-DD`: `月`, `Mon`. */
    weekday: (date: string): string => write(date, { weekday: 'short' }),
    /** The upstream's `YYYY-MM-DD HH:MM:SS` (Japan time), to the minute. */
    japanTime: (dateTime: string): string =>
      write(dateTime, { ...MOMENT, timeZone: 'Asia/Tokyo' }, `${dateTime.replace(' ', 'T')}+09:00`),
    /** The day of the upstream's `YYYY-MM-DD HH:MM:SS`. */
    japanDay: (dateTime: string): string =>
      write(dateTime, { dateStyle: 'medium' }, `${dateTime.slice(0, 10)}T00:00:00Z`),
    /** An instant (ISO 8601) to the minute, in the reader's time zone. */
    moment: (iso: string): string => write(iso, { ...MOMENT, timeZone: undefined }),
    /** An ISO instant or a day in the form of registries, in UTC. */
    instant: (text: string): string => {
      if (text.length <= 10 || Number.isNaN(Date.parse(text))) return write(text, { dateStyle: 'long' });
      return `${write(text, { dateStyle: 'long', timeStyle: 'short' })} UTC`;
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
