import type { StatedDate } from './stated-date.ts';

const MS_MINUTE = 60_000;
const MS_DAY = 86_400_000;
const BUDDHIST_OFFSET = 543;

/**
 * The published form of a date: `YYYY-MM-DDTHH:MM:SSZ`, or `YYYY-MM-DD` for a day or a local time without a known zone.
 * null if the date is invalid or ambiguous.
 */
export function toPublishedDate(stated: StatedDate, rule: DateRule): string | null {
  let { year, month, day } = stated;
  if (stated.shortYear && !rule.shortYears) return null;
  if (stated.numericOrder && month !== day) {
    const order = evidentOrder(stated) ?? rule.order;
    if (order === null) return null;
    if (order === 'mdy') [month, day] = [day, month];
  }
  if (rule.calendar === 'buddhist' && year > 2400) year -= BUDDHIST_OFFSET;
  if (rule.calendar === 'jalali' && year < 1600) [year, month, day] = gregorianFromJalali(year, month, day);
  const date = new Date(Date.UTC(year, month - 1, day));
  if (year < 1970 || year > 9999 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day)
    return null;
  const { second } = stated;
  const localTime = date.getTime() + second * 1000;
  const isDayAlone = second < 0 || (stated.offset === null && second === 0);
  const offset = isDayAlone ? null : (stated.offset ?? rule.offsetAt(localTime));
  if (offset === null) return date.toISOString().slice(0, 10);
  const instant = new Date(localTime - offset * MS_MINUTE).toISOString();
  // In the year 10000.
  return instant.startsWith('+') ? null : `${instant.slice(0, 19)}Z`;
}

/** The order of day and month that a date itself shows: a number above 12 is a day. */
export function evidentOrder({ numericOrder, month, day }: StatedDate): DateOrder | null {
  if (!numericOrder) return null;
  return month > 12 ? 'mdy' : day > 12 ? 'dmy' : null;
}

/** Solar Hijri to Gregorian by the 33-year leap cycle, exact for 1343 to 1472 (1964 to 2093). */
function gregorianFromJalali(year: number, month: number, day: number): [number, number, number] {
  const cycles = year - 979;
  const leapDays = Math.floor(cycles / 33) * 8 + Math.floor(((cycles % 33) + 3) / 4);
  const monthDays = month <= 7 ? (month - 1) * 31 : (month - 7) * 30 + 186;
  // 1 Farvardin 979 is 20 March 1600.
  const days = 365 * cycles + leapDays + monthDays + day - 1;
  const date = new Date(Date.UTC(1600, 2, 20) + days * MS_DAY);
  return [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
}

type DateOrder = 'dmy' | 'mdy';

/** Properties of one registry's dates that its texts do not state. */
export interface DateRule {
  /** Order of two numbers before the year; null if unknown. */
  order: DateOrder | null;
  calendar: 'gregorian' | 'buddhist' | 'jalali';
  /** Years have two digits, as in `16/09/03`. */
  shortYears: boolean;
  /** Minutes east of UTC at a local time (given as if it were UTC, in ms); null where the zone is unknown. */
  offsetAt: (localTime: number) => number | null;
}

/**
 * Time zones of registries with their top-level domains, for times without a zone: the zone of the registry's seat in the
 * IANA time zone database (2026a). Registries that state a zone, or days only, need no row.
 */
const ZONES: Readonly<Record<string, string>> = {
  'Africa/Abidjan': 'ci',
  'Africa/Blantyre': 'mw',
  'Africa/Dakar': 'sn',
  'Africa/Dar_es_Salaam': 'tz',
  'Africa/Johannesburg': 'za',
  'Africa/Kampala': 'ug',
  'Africa/Maseru': 'ls',
  'Africa/Nairobi': 'ke',
  'Africa/Sao_Tome': 'st',
  'Africa/Tripoli': 'ly',
  'Africa/Tunis': 'tn',
  'America/Argentina/Buenos_Aires': 'ar',
  'America/Caracas': 've',
  'America/Cayenne': 'gf',
  'America/Costa_Rica': 'cr',
  'America/La_Paz': 'bo',
  'America/Lima': 'pe',
  'America/Martinique': 'mq',
  'America/Montevideo': 'uy',
  'America/Sao_Paulo': 'br',
  'Asia/Almaty': 'kz',
  'Asia/Bangkok': 'th xn--o3cw4h',
  'Asia/Bishkek': 'kg',
  'Asia/Brunei': 'bn',
  'Asia/Colombo': 'lk',
  'Asia/Dubai': 'ae',
  'Asia/Ho_Chi_Minh': 'vn',
  'Asia/Hong_Kong': 'hk xn--j6w193g',
  'Asia/Karachi': 'pk',
  'Asia/Kuala_Lumpur': 'my',
  'Asia/Macau': 'mo',
  'Asia/Qatar': 'qa',
  'Asia/Riyadh': 'sa',
  'Asia/Seoul': 'kr xn--3e0b707e',
  'Asia/Shanghai': 'cn xn--fiqs8s xn--fiqz9s',
  'Asia/Singapore': 'sg',
  'Asia/Taipei': 'tw xn--kprw13d xn--kpry57d',
  'Asia/Tashkent': 'uz',
  'Asia/Tbilisi': 'ge',
  'Asia/Tokyo': 'jp',
  'Asia/Yerevan': 'am',
  'Atlantic/Faroe': 'fo',
  'Atlantic/Reykjavik': 'is',
  'Europe/Amsterdam': 'nl',
  'Europe/Belgrade': 'rs xn--90a3ac',
  'Europe/Bratislava': 'sk',
  'Europe/Brussels': 'be',
  'Europe/Bucharest': 'ro',
  'Europe/Budapest': 'hu',
  'Europe/Chisinau': 'md',
  'Europe/Copenhagen': 'dk',
  'Europe/Dublin': 'ie',
  'Europe/Helsinki': 'fi',
  'Europe/Isle_of_Man': 'im',
  'Europe/Istanbul': 'tr',
  'Europe/Lisbon': 'pt',
  'Europe/Ljubljana': 'si',
  'Europe/London': 'uk',
  'Europe/Luxembourg': 'lu',
  'Europe/Oslo': 'no',
  'Europe/Paris': 'fr',
  'Europe/Prague': 'cz',
  'Europe/Riga': 'lv',
  'Europe/Rome': 'it',
  'Europe/San_Marino': 'sm',
  'Europe/Skopje': 'mk xn--d1alf',
  'Europe/Sofia': 'bg',
  'Europe/Stockholm': 'se',
  'Europe/Tallinn': 'ee',
  'Europe/Vienna': 'at',
  'Europe/Vilnius': 'lt',
  'Europe/Warsaw': 'pl',
  'Europe/Zagreb': 'hr',
  'Pacific/Noumea': 'nc',
  'Pacific/Tahiti': 'pf',
};

/** Zones written month first: Freenom's, and some with American software (whois.dot.tk, 2013-2022). */
const MONTH_FIRST = new Set(['tk', 'ml', 'ga', 'cf', 'gq', 'us', 'pr', 'ws', 'fm', 'gu']);

/** Zones written day first, as their registries' answers show. */
const DAY_FIRST = new Set(
  'bj ci cm dz fr gf gp hk ie il im it lu ma mq nc pf pm pt re sm sn tf tg tn ug ve vn wf yt'.split(' '),
);

/** THNIC may count years from the Buddhist era, IRNIC by the Solar Hijri calendar. */
const CALENDARS: Readonly<Record<string, DateRule['calendar']>> = {
  th: 'buddhist',
  'xn--o3cw4h': 'buddhist',
  ir: 'jalali',
};

/** Red.es writes `Creation Date: 16/09/03` (whois.nic.es, 2013). */
const SHORT_YEARS = new Set(['es']);

/** The date rule for a top-level domain in lower case. */
export function dateRuleOf(tld: string): DateRule {
  return {
    order: MONTH_FIRST.has(tld) ? 'mdy' : DAY_FIRST.has(tld) ? 'dmy' : null,
    calendar: CALENDARS[tld] ?? 'gregorian',
    shortYears: SHORT_YEARS.has(tld),
    offsetAt: OFFSETS.get(tld) ?? (() => null),
  };
}

/**
 * Minutes east of UTC in a zone of the IANA time zone database, with its history of summer times, at a local
 * time given as if it were UTC, in ms. The zone's formatter is created on first use, which takes a thousand
 * times as long as a call.
 */
function offsetIn(timeZone: string): (localTime: number) => number {
  let format: Intl.DateTimeFormat | undefined;
  const offsetAt = (time: number): number => {
    format ??= new Intl.DateTimeFormat('en-US', { timeZone, day: 'numeric', timeZoneName: 'longOffset' });
    const [, sign, hours = 0, minutes = 0] = OFFSET.exec(format.format(time)) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  };
  return (localTime) => offsetAt(localTime - offsetAt(localTime) * MS_MINUTE);
}

/** `31, GMT-03:00`; at Greenwich it may be `GMT` alone. */
const OFFSET = /([+-])(\d\d):(\d\d)/;

const OFFSETS: ReadonlyMap<string, DateRule['offsetAt']> = new Map(
  Object.entries(ZONES).flatMap(([zone, tlds]) => {
    const offsetAt = offsetIn(zone);
    return tlds.split(' ').map((tld) => [tld, offsetAt] as const);
  }),
);
