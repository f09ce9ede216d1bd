import { bisect } from '../scan/bisect.ts';
import { eventsOf, formatEvents, loadEvents } from '../scan/change-events.ts';
import type { ChangeEvent, LoadedChanges } from '../scan/change-events.ts';
import { changesBetween } from '../scan/novel-changes.ts';
import type { NovelChange } from '../scan/novel-changes.ts';
import { changeTimesOf, writtenAt } from './record.ts';
import type { Work } from './works.ts';

const MINUTE_MS = 60_000;
const DAYS = 14;

/** The minute, since 1970, in whose catalogue something that happens at an instant is first visible. */
const minuteOf = (at: number): number => Math.ceil(at / MINUTE_MS);

/** The changes of a novel after a minute up to another, by the minute in which they appear. */
function* changesOf(work: Work, from: number, to: number, seed: number): Generator<[number, NovelChange]> {
  const recordAt = (minute: number) =>
    work.bornAt <= minute * MINUTE_MS ? writtenAt(work, minute * MINUTE_MS, seed) : undefined;
  const minutes = new Set(changeTimesOf(work, from * MINUTE_MS, to * MINUTE_MS).map(minuteOf));
  let before = recordAt(from);
  for (const minute of minutes) {
    const now = recordAt(minute);
    for (const change of changesBetween(before, now)) yield [minute, change];
    before = now;
  }
}

/** The events of all works after a minute up to another, oldest first. */
function eventsBetween(works: readonly Work[], from: number, to: number, seed: number): ChangeEvent[] {
  const byMinute = new Map<number, NovelChange[]>();
  for (const work of works) {
    if (work.withdrawn) continue;
    for (const [minute, change] of changesOf(work, from, to, seed))
      byMinute.set(minute, [...(byMinute.get(minute) ?? []), change]);
  }
  return [...byMinute]
    .sort(([a], [b]) => a - b)
    .flatMap(([minute, changes]) => eventsOf(changes, logId(seed), minute, minute * 60));
}

const logId = (seed: number): string => (seed >>> 0).toString(16).padStart(8, '0');

/**
 * The changes of the last two weeks, a step a minute, always the same for the same minutes. The first call makes them
 * all, later ones add the minutes since.
 */
export function createSampleChanges(seed: number) {
  const id = logId(seed);
  const none = loadEvents({ id, dropped: [0, 0] }, new Uint8Array());
  let loaded = none;
  let events: ChangeEvent[] = [];
  let until = 0;
  /** `works`: all that have appeared up to `minute`. */
  return (works: readonly Work[], minute: number): LoadedChanges => {
    const first = minute - DAYS * 24 * 60;
    if (minute === until) return loaded;
    if (minute < until || until < first) [loaded, events, until] = [none, [], first];
    const added = eventsBetween(works, until, minute, seed);
    const dropped = bisect(loaded.noticed.length, (at) => (loaded.noticed[at] as number) <= first * 60);
    events = [...events.slice(dropped), ...added];
    const lines = [loaded.bytes.subarray(loaded.starts[dropped]), formatEvents(added)];
    loaded = loadEvents({ id, dropped: [first, 0] }, new Uint8Array(Buffer.concat(lines)), events);
    until = minute;
    return loaded;
  };
}
