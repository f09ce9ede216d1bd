import type { Catalogue } from '../../catalogue/index/catalogue.ts';
import type { CatalogueNovel, CatalogueUser } from '../../catalogue/index/catalogue-novel.ts';
import { createNovelScan } from '../../catalogue/index/novel-scan.ts';
import type { LoadedChanges } from '../../catalogue/index/engine/changes.ts';
import type { NovelScan } from '../../catalogue/index/novel-scan.ts';
import { createUserScan } from '../../catalogue/index/user-scan.ts';
import { japanDay, japanMidnight } from '../../catalogue/novels/japan-date.ts';
import type { Clock } from '../../process/clock.ts';
import { historyOf, isRankingDay, sampleRankingOf } from './rankings.ts';
import { createSampleChanges } from './changes.ts';
import { recordAt } from './record.ts';
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
 * 2024), their authors, and every ranking since May 2013. It changes at 04:00 Japan time only. Past rankings never
 * change.
 */
export interface EmbeddedCatalogue extends Catalogue {
  /** All current novels, in Ncode order; for tests that search by hand. */
  novels(): readonly SampleNovel[];
  adultNovels(): readonly SampleAdultNovel[];
  /** Sorted by user id. */
  users(): readonly CatalogueUser[];
  novelIndex(): NovelScan;
  adultNovelIndex(): NovelScan;
  /** The changes of the last two weeks, one step a day. */
  changes(): LoadedChanges;
}

/** Every field of a novel. */
type SampleNovel = Required<Omit<CatalogueNovel, 'nocgenre' | 'xid'>>;
type SampleAdultNovel = Required<Omit<CatalogueNovel, 'userid' | 'biggenre' | 'genre' | 'isr15'>>;

const DEFAULT_SEED = 20_040_402;
/** Creation of the daily ranking, and of the catalogue with it. */
const RENEWAL_MS = 4 * 3_600_000;

const renewalOf = (day: number): number => japanMidnight(day) + RENEWAL_MS;

export function createEmbeddedCatalogue({
  clock,
  seed = DEFAULT_SEED,
}: EmbeddedCatalogueOptions): EmbeddedCatalogue {
  const works: Work[] = [];
  const adultWorks: Work[] = [];

  const makeView = (day: number) => {
    addBorn(works, GENERAL, seed, day);
    addBorn(adultWorks, ADULT, seed, day);
    const at = renewalOf(day);
    const recordsOf = (all: readonly Work[]) =>
      all
        .filter(({ bornAt, withdrawn }) => bornAt <= at && !withdrawn)
        .map((work) => recordAt(work, at, day, seed));
    const [novels, adultNovels] = [recordsOf(works), recordsOf(adultWorks)];
    const users = usersAt(seed, day, novels);
    const novelIndex = createNovelScan(novels, () => clock.now());
    const adultNovelIndex = createNovelScan(adultNovels, () => clock.now());
    const changes = createSampleChanges({ seed, day, renewalOf, works: [...works] });
    return {
      day,
      changes,
      novels,
      adultNovels,
      users,
      novelIndex,
      adultNovelIndex,
      userIndex: createUserScan(users),
    };
  };
  const today = (): number => japanDay(clock.now() - RENEWAL_MS);
  let view = makeView(today());
  const current = () => (view.day === today() ? view : (view = makeView(today())));
  return {
    changes: () => current().changes(),
    novels: () => current().novels as SampleNovel[],
    adultNovels: () => current().adultNovels as SampleAdultNovel[],
    users: () => current().users,
    novelIndex: () => current().novelIndex,
    adultNovelIndex: () => current().adultNovelIndex,
    userIndex: () => current().userIndex,
    ranking: (type, day) =>
      isRankingDay(type, day) && day <= current().day ? sampleRankingOf(works, type, day, seed) : null,
    rankingHistory: (ncode) => {
      const { day } = current();
      const work = works.find(({ fixed, bornAt }) => fixed.ncode === ncode && bornAt <= clock.now());
      return work ? historyOf(work, works, day, seed) : null;
    },
  };
}
