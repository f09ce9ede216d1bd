/** How one registry writes dates: what its texts leave unsaid. */
export interface DateRule {
  /** Order of two numbers before the year. */
  order: 'dmy' | 'mdy';
  calendar: 'gregorian' | 'buddhist' | 'jalali';
  /** The registry writes years with two digits, as in `16/09/03`. */
  shortYears: boolean;
  /** Minutes east of UTC at a local time (given as if it were UTC, in ms); null where the zone is unknown. */
  offsetAt: (localTime: number) => number | null;
}

type Zone = number | 'western' | 'central' | 'eastern' | null;

/**
 * Registries' own zones, for answers that state a time without one: offsets in minutes, or a European zone
 * with the Union's summer time. From the IANA time zone database (2026a) by the registry's seat; registries
 * that always state a zone, or only days, need no line.
 */
const ZONES: Record<string, Zone> = {
  ae: 240,
  am: 240,
  ar: -180,
  at: 'central',
  ba: 'central',
  bd: 360,
  be: 'central',
  bg: 'eastern',
  bn: 480,
  bo: -240,
  br: -180,
  ci: 0,
  cn: 480,
  cr: -360,
  cz: 'central',
  dk: 'central',
  do: -240,
  ee: 'eastern',
  fi: 'eastern',
  fo: 'western',
  fr: 'central',
  ge: 240,
  gt: -360,
  hk: 480,
  hr: 'central',
  hu: 'central',
  ie: 'western',
  is: 0,
  it: 'central',
  jp: 540,
  ke: 180,
  kr: 540,
  kw: 180,
  kz: 300,
  lk: 330,
  lt: 'eastern',
  lu: 'central',
  lv: 'eastern',
  ly: 120,
  mk: 'central',
  mo: 480,
  mw: 120,
  my: 480,
  nl: 'central',
  no: 'central',
  pe: -300,
  pk: 300,
  pl: 'central',
  pt: 'western',
  qa: 180,
  ro: 'eastern',
  rs: 'central',
  ru: 180,
  sa: 180,
  se: 'central',
  sg: 480,
  si: 'central',
  sk: 'central',
  sm: 'central',
  sn: 0,
  su: 180,
  sv: -360,
  th: 420,
  tn: 60,
  tr: 180,
  tw: 480,
  tz: 180,
  ug: 180,
  uk: 'western',
  uy: -180,
  uz: 300,
  ve: -240,
  vn: 420,
  za: 120,
  'xn--j6w193g': 480,
  'xn--fiqs8s': 480,
  'xn--fiqz9s': 480,
  'xn--kpry57d': 480,
  'xn--kprw13d': 480,
  'xn--3e0b707e': 540,
  'xn--o3cw4h': 420,
  'xn--90a3ac': 'central',
  'xn--d1alf': 'central',
  'xn--p1ai': 180,
};

/** Registries that write the month before the day: the Freenom zones and others with American software. */
const MONTH_FIRST = new Set(['tk', 'ml', 'ga', 'cf', 'gq', 'us', 'pr', 'ws', 'fm', 'gu']);

const CALENDARS: Record<string, DateRule['calendar']> = {
  th: 'buddhist',
  'xn--o3cw4h': 'buddhist',
  ir: 'jalali',
};

/** Red.es writes `Creation Date: 16/09/03` (whois.nic.es, 2013). */
const SHORT_YEARS = new Set(['es']);

const UNKNOWN: DateRule = { order: 'dmy', calendar: 'gregorian', shortYears: false, offsetAt: () => null };

const rules = new Map<string, DateRule>();
for (const tld of new Set([
  ...Object.keys(ZONES),
  ...MONTH_FIRST,
  ...SHORT_YEARS,
  ...Object.keys(CALENDARS),
])) {
  const zone = ZONES[tld] ?? null;
  rules.set(tld, {
    order: MONTH_FIRST.has(tld) ? 'mdy' : 'dmy',
    calendar: CALENDARS[tld] ?? 'gregorian',
    shortYears: SHORT_YEARS.has(tld),
    offsetAt: (localTime) => offsetIn(zone, localTime),
  });
}

/** The date rule for a top-level domain in lower case. */
export function dateRuleOf(tld: string): DateRule {
  return rules.get(tld) ?? UNKNOWN;
}

const WINTER_OFFSET = { western: 0, central: 60, eastern: 120 };

function offsetIn(zone: Zone, localTime: number): number | null {
  if (typeof zone !== 'string') return zone;
  const winter = WINTER_OFFSET[zone];
  return isEuropeanSummer(localTime - winter * 60_000) ? winter + 60 : winter;
}

/** Summer time of Directive 2000/84/EC: last Sunday of March to last Sunday of October, 01:00 UTC. */
function isEuropeanSummer(time: number): boolean {
  const year = new Date(time).getUTCFullYear();
  return time >= lastSunday(year, 2) && time < lastSunday(year, 9);
}

function lastSunday(year: number, month: number): number {
  const last = new Date(Date.UTC(year, month + 1, 0, 1));
  return last.getTime() - last.getUTCDay() * 86_400_000;
}
