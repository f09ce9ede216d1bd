import { eventsOf, formatEvents, parseChanges } from '../../catalogue/index/engine/changes.ts';
import type { LoadedChanges } from '../../catalogue/index/engine/changes.ts';
import { changesBetween } from '../../catalogue/index/engine/novel-changes.ts';
import { writtenAt } from './record.ts';
import type { Work } from './works.ts';

const DAYS = 14;

interface SampleCalendar {
  readonly seed: number;
  /** Today, as a day in Japan. */
  readonly day: number;
  /** When the catalogue of a day appears: milliseconds UTC. */
  readonly renewalOf: (day: number) => number;
  /** All that have appeared up to today. */
  readonly works: readonly Work[];
}

/** The changes from day to day of the last two weeks, made at the first call; always the same for the same days. */
export function createSampleChanges(calendar: SampleCalendar): () => LoadedChanges {
  let made: LoadedChanges | undefined;
  return () => (made ??= changesOf(calendar));
}

function changesOf({ seed, day, renewalOf, works }: SampleCalendar): LoadedChanges {
  const novels = works
    .filter(({ withdrawn }) => !withdrawn)
    .map((work) => (at: number) => (work.bornAt <= at ? writtenAt(work, at, seed) : undefined));
  const id = (seed >>> 0).toString(16).padStart(8, '0');
  const first = day - DAYS;
  const changedNovels = novels.filter((recordAt) => {
    const [before, now] = [recordAt(renewalOf(first)), recordAt(renewalOf(day))];
    return changesBetween(before, now).length > 0;
  });
  const events = Array.from({ length: DAYS }, (_, index) => first + 1 + index).flatMap((each) => {
    const at = renewalOf(each);
    const changes = changedNovels.flatMap((recordAt) =>
      changesBetween(recordAt(renewalOf(each - 1)), recordAt(at)),
    );
    return eventsOf(changes, id, each, at / 1_000);
  });
  return parseChanges({ id, dropped: [first, 0] }, new TextEncoder().encode(formatEvents(events)));
}
