const MS_MINUTE = 60_000;
const MS_DAY = 86_400_000;
const MOST_MONTHS = 4096;

/** One formatter a zone, made when first needed: making one costs a thousand times its use. */
const clocks = new Map<string, Intl.DateTimeFormat>();
/**
 * Offsets of months in which a zone does not change its clocks, by zone and month: most months do not, and
 * asking the formatter takes longer than reading the whole rest of an answer.
 */
const steadyMonths = new Map<string, Map<number, number | null>>();
let monthsKept = 0;

/**
 * Minutes east of UTC in a zone of the IANA time zone database, with its history of summer times.
 *
 * @param localTime local time as if it were UTC, in milliseconds
 */
export function offsetIn(zone: string, localTime: number): number {
  const date = new Date(localTime);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  let months = steadyMonths.get(zone);
  if (months === undefined) {
    months = new Map<number, number | null>();
    steadyMonths.set(zone, months);
  }
  const key = year * 12 + month;
  let steady = months.get(key);
  if (steady === undefined) {
    steady = steadyOffset(zone, Date.UTC(year, month, 1), Date.UTC(year, month + 1, 1));
    keep(months, key, steady);
  }
  return steady ?? offsetAt(zone, localTime);
}

/** Texts can state dates in thousands of years; what is remembered of them stays small. */
function keep(months: Map<number, number | null>, key: number, steady: number | null): void {
  if (monthsKept >= MOST_MONTHS) {
    for (const others of steadyMonths.values()) others.clear();
    monthsKept = 0;
  }
  months.set(key, steady);
  monthsKept++;
}

/** The offset of a zone from before a month to behind it; null where it changes within. */
function steadyOffset(zone: string, start: number, end: number): number | null {
  const first = offsetAt(zone, start - MS_DAY);
  for (const at of [start, (start + end) / 2, end, end + MS_DAY]) {
    if (offsetAt(zone, at) !== first) return null;
  }
  return first;
}

function offsetAt(zone: string, localTime: number): number {
  const guess = shownIn(zone, localTime) - localTime;
  const time = localTime - guess;
  return Math.round((shownIn(zone, time) - time) / MS_MINUTE);
}

/** What the zone's clocks show at an instant, as if it were UTC. */
function shownIn(zone: string, time: number): number {
  let clock = clocks.get(zone);
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    clocks.set(zone, clock);
  }
  const [month = 1, day = 1, year = 1970, hour = 0, minute = 0, second = 0] = (
    clock.format(time).match(/\d+/g) ?? []
  ).map(Number);
  return Date.UTC(year, month - 1, day, hour, minute, second);
}
