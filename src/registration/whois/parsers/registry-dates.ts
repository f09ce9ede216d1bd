export type DateOrder = 'dmy' | 'mdy';

/** How one registry writes dates: what its texts leave unsaid. */
export interface DateRule {
  /** Order of two numbers before the year; null where neither the registry's habit nor its text tells. */
  order: DateOrder | null;
  calendar: 'gregorian' | 'buddhist' | 'jalali';
  /** The registry writes years with two digits, as in `16/09/03`. */
  shortYears: boolean;
  /** Minutes east of UTC at a local time (given as if it were UTC, in ms); null where the zone is unknown. */
  offsetAt: (localTime: number) => number | null;
}

/**
 * Registries' own zones, for answers that state a time without one: the zone of the registry's seat in the
 * IANA time zone database (2026a). Registries that state a zone, or days only, need no line.
 */
const ZONES: Readonly<Record<string, string>> = {
  ae: 'Asia/Dubai',
  am: 'Asia/Yerevan',
  ar: 'America/Argentina/Buenos_Aires',
  at: 'Europe/Vienna',
  be: 'Europe/Brussels',
  bg: 'Europe/Sofia',
  bn: 'Asia/Brunei',
  bo: 'America/La_Paz',
  br: 'America/Sao_Paulo',
  ci: 'Africa/Abidjan',
  cn: 'Asia/Shanghai',
  cr: 'America/Costa_Rica',
  cz: 'Europe/Prague',
  dk: 'Europe/Copenhagen',
  ee: 'Europe/Tallinn',
  fi: 'Europe/Helsinki',
  fo: 'Atlantic/Faroe',
  fr: 'Europe/Paris',
  ge: 'Asia/Tbilisi',
  gf: 'America/Cayenne',
  hk: 'Asia/Hong_Kong',
  hr: 'Europe/Zagreb',
  hu: 'Europe/Budapest',
  ie: 'Europe/Dublin',
  im: 'Europe/Isle_of_Man',
  is: 'Atlantic/Reykjavik',
  it: 'Europe/Rome',
  jp: 'Asia/Tokyo',
  ke: 'Africa/Nairobi',
  kg: 'Asia/Bishkek',
  kr: 'Asia/Seoul',
  kz: 'Asia/Almaty',
  lk: 'Asia/Colombo',
  ls: 'Africa/Maseru',
  lt: 'Europe/Vilnius',
  lu: 'Europe/Luxembourg',
  lv: 'Europe/Riga',
  ly: 'Africa/Tripoli',
  md: 'Europe/Chisinau',
  mk: 'Europe/Skopje',
  mo: 'Asia/Macau',
  mq: 'America/Martinique',
  mw: 'Africa/Blantyre',
  my: 'Asia/Kuala_Lumpur',
  nc: 'Pacific/Noumea',
  nl: 'Europe/Amsterdam',
  no: 'Europe/Oslo',
  pe: 'America/Lima',
  pf: 'Pacific/Tahiti',
  pk: 'Asia/Karachi',
  pl: 'Europe/Warsaw',
  pt: 'Europe/Lisbon',
  qa: 'Asia/Qatar',
  ro: 'Europe/Bucharest',
  rs: 'Europe/Belgrade',
  sa: 'Asia/Riyadh',
  se: 'Europe/Stockholm',
  sg: 'Asia/Singapore',
  si: 'Europe/Ljubljana',
  sk: 'Europe/Bratislava',
  sm: 'Europe/San_Marino',
  sn: 'Africa/Dakar',
  st: 'Africa/Sao_Tome',
  th: 'Asia/Bangkok',
  tn: 'Africa/Tunis',
  tr: 'Europe/Istanbul',
  tw: 'Asia/Taipei',
  tz: 'Africa/Dar_es_Salaam',
  ug: 'Africa/Kampala',
  uk: 'Europe/London',
  uy: 'America/Montevideo',
  uz: 'Asia/Tashkent',
  ve: 'America/Caracas',
  vn: 'Asia/Ho_Chi_Minh',
  za: 'Africa/Johannesburg',
  'xn--3e0b707e': 'Asia/Seoul',
  'xn--90a3ac': 'Europe/Belgrade',
  'xn--d1alf': 'Europe/Skopje',
  'xn--fiqs8s': 'Asia/Shanghai',
  'xn--fiqz9s': 'Asia/Shanghai',
  'xn--j6w193g': 'Asia/Hong_Kong',
  'xn--kprw13d': 'Asia/Taipei',
  'xn--kpry57d': 'Asia/Taipei',
  'xn--o3cw4h': 'Asia/Bangkok',
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

const MS_MINUTE = 60_000;

/**
 * Minutes east of UTC in a zone of the IANA time zone database, with its history of summer times, at a local
 * time given as if it were UTC, in ms. The zone's clock is made when first needed: that takes a thousand times
 * as long as its use.
 */
export function offsetIn(timeZone: string): (localTime: number) => number {
  let clock: Intl.DateTimeFormat | undefined;
  const offsetAt = (time: number): number => {
    clock ??= new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...CLOCK_PARTS });
    const [day = 0, hour = 0, minute = 0] = (clock.format(time).match(/\d+/g) ?? []).map(Number);
    const utc = new Date(time);
    const days = day - utc.getUTCDate();
    // The first of a month follows the last of the one before.
    const aheadDays = Math.abs(days) > 1 ? -Math.sign(days) : days;
    return (aheadDays * 24 + hour - utc.getUTCHours()) * 60 + minute - utc.getUTCMinutes();
  };
  return (localTime) => offsetAt(localTime - offsetAt(localTime) * MS_MINUTE);
}

/** As few as tell an offset: every part takes its time. */
const CLOCK_PARTS = { day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;

const OFFSETS: ReadonlyMap<string, DateRule['offsetAt']> = new Map(
  Object.entries(ZONES).map(([tld, zone]) => [tld, offsetIn(zone)]),
);
