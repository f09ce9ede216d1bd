import { STORED_FIELDS } from '../index/catalogue-novel.ts';
import type { CatalogueNovel } from '../index/catalogue-novel.ts';

/** Numbers of novels. */
interface Profile {
  readonly novels: number;
  /** By field: its value is known. */
  readonly knownValues: Readonly<Record<string, number>>;
  /** By field: its value is a figure above 0 or a nonempty text. */
  readonly filled: Readonly<Record<string, number>>;
  readonly genres: Readonly<Record<string, number>>;
}

interface Bound {
  readonly fields: readonly (keyof CatalogueNovel)[];
  /** The maximum part of the novels with a value that may lose it in one round. */
  readonly maxLoss: number;
  /** Fewer losses than this are no fault. */
  readonly minLoss: number;
}

const BOUNDS: readonly Bound[] = [
  // A novel never loses these.
  { fields: ['title', 'writer', 'length', 'general_all_no', 'general_firstup'], maxLoss: 0.02, minLoss: 3 },
  { fields: ['general_lastup', 'novelupdated_at', 'story', 'time'], maxLoss: 0.05, minLoss: 3 },
  // Sums over all time: readers withdraw single ratings, but not all of a novel's.
  { fields: ['global_point', 'all_point', 'fav_novel_cnt', 'all_hyoka_cnt'], maxLoss: 0.1, minLoss: 3 },
  // Authors may remove them.
  {
    fields: ['keyword', 'impression_cnt', 'review_cnt', 'sasie_cnt', 'kaiwaritu'],
    maxLoss: 0.1,
    minLoss: 20,
  },
  // Points of a period fall to 0 by themselves, those of short periods sooner.
  { fields: ['yearly_point', 'quarter_point'], maxLoss: 0.5, minLoss: 20 },
  { fields: ['monthly_point', 'weekly_point', 'daily_point', 'weekly_unique'], maxLoss: 0.9, minLoss: 20 },
  // Flags set by authors.
  { fields: ['isr15', 'isbl', 'isgl', 'iszankoku', 'istensei', 'istenni'], maxLoss: 0.5, minLoss: 20 },
];
const FIELDS = BOUNDS.flatMap(({ fields }) => fields);

/** A known field stays known, whatever its value. */
const OF_A_KNOWN_FIELD = { maxLoss: 0.02, minLoss: 3 };
/** A genre may lose half of its novels in one round. */
const OF_A_GENRE = { maxLoss: 0.5, minLoss: 20 };

/** Counts novels into a profile. */
export function createProfile() {
  let novels = 0;
  const knownValues: Record<string, number> = {};
  const filled: Record<string, number> = {};
  const genres: Record<string, number> = {};
  return {
    add: (novel: CatalogueNovel): void => {
      novels++;
      for (const field of STORED_FIELDS)
        if (novel[field] !== undefined) knownValues[field] = (knownValues[field] ?? 0) + 1;
      for (const field of FIELDS) if (novel[field]) filled[field] = (filled[field] ?? 0) + 1;
      const genre = novel.nocgenre ? `nocgenre ${String(novel.nocgenre)}` : `genre ${String(novel.genre)}`;
      genres[genre] = (genres[genre] ?? 0) + 1;
    },
    profile: (): Profile => ({ novels, knownValues, filled, genres }),
  };
}

export function profileOf(novels: Iterable<CatalogueNovel>): Profile {
  const { add, profile } = createProfile();
  for (const novel of novels) add(novel);
  return profile();
}

const withSeparators = (count: number): string => count.toLocaleString('en');

/** Implausible differences between a catalogue before and after a round; empty if it is plausible. */
export function doubtsAbout(before: Profile, after: Profile): string[] {
  const judge = (name: string, was: number, is: number, { maxLoss, minLoss }: Omit<Bound, 'fields'>) => {
    // Scaled to the present number of novels.
    const expected = (was / Math.max(1, before.novels)) * after.novels;
    const lost = expected - is;
    if (lost < minLoss || lost <= expected * maxLoss) return [];
    const now = `${withSeparators(is)} of ${withSeparators(after.novels)} novels`;
    return [`${name}: ${now} have it; previously ${withSeparators(was)} of ${withSeparators(before.novels)}`];
  };
  const fields = BOUNDS.flatMap((bound) =>
    bound.fields.flatMap((name) => judge(name, before.filled[name] ?? 0, after.filled[name] ?? 0, bound)),
  );
  const missing = Object.entries(before.knownValues).flatMap(([name, was]) =>
    judge(name, was, after.knownValues[name] ?? 0, OF_A_KNOWN_FIELD),
  );
  const genres = Object.entries(before.genres).flatMap(([name, was]) =>
    judge(name, was, after.genres[name] ?? 0, OF_A_GENRE),
  );
  return [...new Set([...missing, ...fields, ...genres])];
}

/** The fetched data are implausible: the old data stay. */
export class DoubtfulRound extends Error {
  readonly doubts: readonly string[];

  constructor(doubts: readonly string[]) {
    super(`Implausible upstream data: ${doubts.join('; ')}.`);
    this.name = 'DoubtfulRound';
    this.doubts = doubts;
  }
}

/** Compares the name: the build thread sends an error as a plain one with the same properties. */
export const isDoubtful = (error: unknown): error is DoubtfulRound =>
  error instanceof Error && error.name === 'DoubtfulRound';
