import type { Catalogue } from '../../catalogue/index/catalogue.ts';
import type { CatalogueNovel, CatalogueUser } from '../../catalogue/index/catalogue-novel.ts';
import { createNovelScan } from '../../catalogue/index/novel-scan.ts';
import type { LoadedChanges } from '../../catalogue/index/engine/changes.ts';
import type { NovelScan } from '../../catalogue/index/novel-scan.ts';
import { createUserScan } from '../../catalogue/index/user-scan.ts';
import type { Clock } from '../../process/clock.ts';
import { historyOf, isRankingDay, sampleRankingOf } from './rankings.ts';
import { dayAt, renewalOf } from './calendar.ts';
import { createSampleChanges } from './changes.ts';
import { recordAt, updatesOf, writtenAt } from './record.ts';
import { usersAt } from './users.ts';
import { ADULT, addBorn, GENERAL } from './works.ts';
import type { Work } from './works.ts';

interface EmbeddedCatalogueOptions {
  readonly clock: Clock;
  /** Whole number; another seed creates other novels. */
  readonly seed?: number;
}

/**
 * An invented catalogue, generated from a seed at start: over 3,000 novels and 300 adult entries (for any time from
 * 2024), their authors, and every ranking since May 2013. Authors publish in nearly every minute; points, readers,
 * rankings and adult entries are renewed at 04:00 Japan time. Past rankings never change.
 */
export interface EmbeddedCatalogue extends Catalogue {
  /** All current novels, in Ncode order; for tests that search by hand. */
  novels(): readonly SampleNovel[];
  adultNovels(): readonly SampleAdultNovel[];
  /** Sorted by user id. */
  users(): readonly CatalogueUser[];
  novelIndex(): NovelScan;
  adultNovelIndex(): NovelScan;
  /** The changes of the last two weeks, one step a minute. */
  changes(): LoadedChanges;
}

/** Every field of a novel. */
type SampleNovel = Required<Omit<CatalogueNovel, 'nocgenre' | 'xid'>>;
type SampleAdultNovel = Required<Omit<CatalogueNovel, 'userid' | 'biggenre' | 'genre' | 'isr15'>>;

const DEFAULT_SEED = 20_040_402;
const MINUTE_MS = 60_000;

export function createEmbeddedCatalogue({
  clock,
  seed = DEFAULT_SEED,
}: EmbeddedCatalogueOptions): EmbeddedCatalogue {
  const works: Work[] = [];
  const adultWorks: Work[] = [];
  const changes = createSampleChanges(seed);
  const now = () => clock.now();

  /** Points, readers and adult entries, which are renewed once a day. */
  const makeDay = (day: number) => {
    addBorn(works, GENERAL, seed, day + 1);
    addBorn(adultWorks, ADULT, seed, day);
    const at = renewalOf(day);
    const adultNovels = adultWorks
      .filter(({ bornAt }) => bornAt <= at)
      .map((work) => recordAt(work, at, day, seed));
    /** By work, at the last renewal. */
    const renewed = new Map<Work, CatalogueNovel>();
    for (const work of works)
      if (work.bornAt <= at && !work.withdrawn) renewed.set(work, recordAt(work, at, day, seed));
    return { day, at, renewed, adultNovels, adultNovelIndex: createNovelScan(adultNovels, now) };
  };

  /** What authors publish, minute by minute. */
  const makeMinute = (minute: number, { day, at: renewedAt, renewed }: ReturnType<typeof makeDay>) => {
    const at = minute * MINUTE_MS;
    const novels = works
      .filter(({ bornAt, withdrawn }) => bornAt <= at && !withdrawn)
      .map((work) => {
        const record = renewed.get(work);
        if (record === undefined) return recordAt(work, at, day, seed);
        return updatesOf(work, at).updatedAt <= renewedAt
          ? record
          : { ...record, ...writtenAt(work, at, seed) };
      });
    const users = usersAt(seed, day, novels);
    const indexes = { novelIndex: createNovelScan(novels, now), userIndex: createUserScan(users) };
    return { minute, novels, users, ...indexes };
  };

  const present = (): number => Math.floor(clock.now() / MINUTE_MS);
  let today = makeDay(dayAt(clock.now()));
  let view = makeMinute(present(), today);
  const currentDay = () => {
    const day = dayAt(clock.now());
    return today.day === day ? today : (today = makeDay(day));
  };
  const current = () => {
    const day = currentDay();
    return view.minute === present() ? view : (view = makeMinute(present(), day));
  };
  return {
    changes: () => changes(works, current().minute),
    novels: () => current().novels as SampleNovel[],
    adultNovels: () => currentDay().adultNovels as SampleAdultNovel[],
    users: () => current().users,
    novelIndex: () => current().novelIndex,
    adultNovelIndex: () => currentDay().adultNovelIndex,
    userIndex: () => current().userIndex,
    ranking: (type, day) =>
      isRankingDay(type, day) && day <= currentDay().day ? sampleRankingOf(works, type, day, seed) : null,
    rankingHistory: (ncode) => {
      const { day } = currentDay();
      const work = works.find(({ fixed, bornAt }) => fixed.ncode === ncode && bornAt <= clock.now());
      return work ? historyOf(work, works, day, seed) : null;
    },
  };
}
