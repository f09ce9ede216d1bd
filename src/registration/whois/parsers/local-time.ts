/**
 * Zones that have not moved since names are registered in them, in minutes east of UTC: most of what is asked
 * for. (Shanghai kept summer time until 1991, Seoul until 1988.)
 */
const FIXED = new Map<string, number>([
  ['Asia/Tokyo', 540],
  ['Asia/Shanghai', 480],
  ['Asia/Taipei', 480],
  ['Asia/Hong_Kong', 480],
  ['Asia/Singapore', 480],
  ['Asia/Seoul', 540],
  ['Asia/Bangkok', 420],
]);
/** One formatter a zone, made when first needed: making one costs a thousand times its use. */
const clocks = new Map<string, Intl.DateTimeFormat>();

const MS_MINUTE = 60_000;

/**
 * Minutes east of UTC in a zone of the IANA time zone database, with its history of summer times.
 *
 * @param localTime local time as if it were UTC, in milliseconds
 */
export function offsetIn(zone: string, localTime: number): number {
  const fixed = FIXED.get(zone);
  if (fixed !== undefined) return fixed;
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
