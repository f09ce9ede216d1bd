import type { CatalogueNovel, CatalogueUser } from '../scan/catalogue-novel.ts';
import { createNovelScan } from '../scan/novel-scan.ts';
import type { LoadedChanges } from '../scan/change-events.ts';
import type { NovelScan } from '../scan/novel-scan.ts';
import { isPublicationDay } from '../novels/ranking-date.ts';
import type { RankingEntry, RankingHistoryEntry, RankingType } from '../novels/ranking-date.ts';
import type { Clock } from '@mokuroku/kit/process';
import { historyOf, sampleRankingOf } from './rankings.ts';
import { createSampleChanges } from './changes.ts';
import { dayAt, recordAt, renewalOf, updatesOf, writtenAt } from './record.ts';
import { usersAt } from './users.ts';
import { ADULT, addBorn, GENERAL } from './works.ts';
import type { Work } from './works.ts';

interface EmbeddedCatalogueOptions {
  readonly clock: Clock;
  /** Whole number; another seed creates other novels. */
  readonly seed?: number;
}

/**
 * An invented catalogue, generated from a seed on first use: over 3,000 novels and 300 adult entries (for any time from
 * 2024), their authors, and every ranking since May 2013. Authors publish in nearly every minute; points, readers,
 * rankings and adult entries are renewed at 04:00 Japan time. Past rankings never change.
 */
export interface EmbeddedCatalogue {
  /** All current novels, in Ncode order; for tests that search by hand. */
  novels(): readonly SampleNovel[];
  adultNovels(): readonly SampleAdultNovel[];
  /** Sorted by user id. */
  users(): readonly CatalogueUser[];
  novelIndex(): NovelScan;
  adultNovelIndex(): NovelScan;
  /**
   * The ranking stored under a Japanese day (`dayOfDate`), a Tuesday for weekly, a first of a month for monthly and
   * quarterly. Null: there is none (yet).
   */
  ranking(type: RankingType, day: number): RankingEntry[] | null;
  /** Every ranking that contains a novel, by `rtype`; null for an unknown upper-case Ncode. */
  rankingHistory(ncode: string): RankingHistoryEntry[] | null;
  /** The changes of the last two weeks, one step a minute. */
  changes(): LoadedChanges;
}

/** Every field of a novel. */
type SampleNovel = Required<Omit<CatalogueNovel, 'nocgenre' | 'xid'>>;
type SampleAdultNovel = Required<Omit<CatalogueNovel, 'userid' | 'biggenre' | 'genre' | 'isr15'>>;

const DEFAULT_SEED = 20_040_402;
const MINUTE_MS = 60_000;

/** All works, which grow with time. */
interface World {
  readonly seed: number;
  readonly works: Work[];
  readonly adultWorks: Work[];
  /** Milliseconds UTC. */
  readonly now: () => number;
}

/** Points, readers and adult entries, which are renewed once a day. */
function makeDay({ seed, works, adultWorks, now }: World, day: number) {
  addBorn(works, GENERAL, seed, day + 1);
  addBorn(adultWorks, ADULT, seed, day);
  const at = renewalOf(day);
  const adultNovels = adultWorks
    .filter(({ bornAt }) => bornAt <= at)
    .map((work) => recordAt(work, at, day, seed));
  const records = new Map<Work, CatalogueNovel>();
  for (const work of works)
    if (work.bornAt <= at && !work.withdrawn) records.set(work, recordAt(work, at, day, seed));
  return { day, at, records, adultNovels, adultNovelIndex: createNovelScan(adultNovels, now) };
}

/** What authors publish, minute by minute, with the points of the day. */
function makeMinute({ seed, works, now }: World, minute: number, renewal: ReturnType<typeof makeDay>) {
  const { day, records } = renewal;
  const at = minute * MINUTE_MS;
  const novels = works
    .filter(({ bornAt, withdrawn }) => bornAt <= at && !withdrawn)
    .map((work) => {
      const record = records.get(work);
      if (record === undefined) return recordAt(work, at, day, seed);
      const isUnchanged = updatesOf(work, at).updatedAt <= renewal.at;
      return isUnchanged ? record : { ...record, ...writtenAt(work, at, seed) };
    });
  const users = usersAt(seed, day, novels);
  return { minute, novels, users, novelIndex: createNovelScan(novels, now) };
}

/**
 * Generates the catalogue of the clock's time, and of the times to which the clock moves.
 *
 * @example
 * const clock = { now: () => Date.UTC(2026, 0, 15), monotonic: () => performance.now() };
 * const catalogue = createEmbeddedCatalogue({ clock, seed: 7 });
 * catalogue.novels().length > 3000; // true
 * catalogue.novels()[0]?.ncode; // 'N0244TA'
 */
export function createEmbeddedCatalogue({
  clock,
  seed = DEFAULT_SEED,
}: EmbeddedCatalogueOptions): EmbeddedCatalogue {
  const works: Work[] = [];
  const world: World = { seed, works, adultWorks: [], now: () => clock.now() };
  const changes = createSampleChanges(seed);
  const minuteNow = (): number => Math.floor(clock.now() / MINUTE_MS);
  let today: ReturnType<typeof makeDay> | undefined;
  let view: ReturnType<typeof makeMinute> | undefined;
  const currentDay = () => {
    const day = dayAt(clock.now());
    return today?.day === day ? today : (today = makeDay(world, day));
  };
  const current = () => {
    const minute = minuteNow();
    return view?.minute === minute ? view : (view = makeMinute(world, minute, currentDay()));
  };
  return {
    changes: () => changes(works, current().minute),
    novels: () => current().novels as SampleNovel[],
    adultNovels: () => currentDay().adultNovels as SampleAdultNovel[],
    users: () => current().users,
    novelIndex: () => current().novelIndex,
    adultNovelIndex: () => currentDay().adultNovelIndex,
    ranking: (type, day) =>
      isPublicationDay(type, day) && day <= currentDay().day ? sampleRankingOf(works, type, day, seed) : null,
    rankingHistory: (ncode) => {
      const { day } = currentDay();
      const work = works.find(({ fixed, bornAt }) => fixed.ncode === ncode && bornAt <= clock.now());
      return work ? historyOf(work, works, day, seed) : null;
    },
  };
}
