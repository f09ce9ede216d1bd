import type { CatalogueNovel } from '../index/catalogue-novel.ts';

/** How many novels have something of a field: a figure above 0, a text that is not empty; and how many are of a genre. */
export interface Profile {
  readonly novels: number;
  readonly filled: Readonly<Record<string, number>>;
  readonly genres: Readonly<Record<string, number>>;
}

interface Bound {
  readonly fields: readonly (keyof CatalogueNovel)[];
  /** The greatest part of the novels that have something there which may lose it in one round ... */
  readonly mostLoss: number;
  /** ... and the least number of novels that must have lost it. */
  readonly least: number;
}

const BOUNDS: readonly Bound[] = [
  // A novel that has them never loses them.
  { fields: ['title', 'writer', 'length', 'general_all_no', 'general_firstup'], mostLoss: 0.02, least: 3 },
  { fields: ['general_lastup', 'novelupdated_at', 'story', 'time'], mostLoss: 0.05, least: 3 },
  // Sums over all time: readers withdraw single marks, but not all of a novel's.
  { fields: ['global_point', 'all_point', 'fav_novel_cnt', 'all_hyoka_cnt'], mostLoss: 0.1, least: 3 },
  // Authors may remove them.
  { fields: ['keyword', 'impression_cnt', 'review_cnt', 'sasie_cnt', 'kaiwaritu'], mostLoss: 0.1, least: 20 },
  // Points of a period fall to 0 by themselves, the sooner the shorter it is.
  { fields: ['yearly_point', 'quarter_point'], mostLoss: 0.5, least: 20 },
  { fields: ['monthly_point', 'weekly_point', 'daily_point', 'weekly_unique'], mostLoss: 0.9, least: 20 },
  // Marks that authors set.
  { fields: ['isr15', 'isbl', 'isgl', 'iszankoku', 'istensei', 'istenni'], mostLoss: 0.5, least: 20 },
];
const FIELDS = BOUNDS.flatMap(({ fields }) => fields);

/** A genre may lose half of its novels in one round. */
const OF_A_GENRE = { mostLoss: 0.5, least: 20 };

/** Counts novels into a profile. */
export function createProfile() {
  let novels = 0;
  const filled: Record<string, number> = {};
  const genres: Record<string, number> = {};
  return {
    add: (novel: CatalogueNovel): void => {
      novels++;
      for (const field of FIELDS) if (novel[field]) filled[field] = (filled[field] ?? 0) + 1;
      const genre = novel.nocgenre ? `nocgenre ${String(novel.nocgenre)}` : `genre ${String(novel.genre)}`;
      genres[genre] = (genres[genre] ?? 0) + 1;
    },
    profile: (): Profile => ({ novels, filled, genres }),
  };
}

export function profileOf(novels: Iterable<CatalogueNovel>): Profile {
  const { add, profile } = createProfile();
  for (const novel of novels) add(novel);
  return profile();
}

const whole = (count: number): string => count.toLocaleString('en');

/** Implausible differences between a catalogue before and after a round; empty if it is plausible. */
export function doubtsAbout(before: Profile, after: Profile): string[] {
  const judge = (name: string, was: number, is: number, { mostLoss, least }: Omit<Bound, 'fields'>) => {
    // Of as many novels as there are now.
    const expected = (was / Math.max(1, before.novels)) * after.novels;
    const lost = expected - is;
    if (lost < least || lost <= expected * mostLoss) return [];
    const now = `${whole(is)} of ${whole(after.novels)} novels`;
    return [`${name}: ${now} have it, before it were ${whole(was)} of ${whole(before.novels)}`];
  };
  const fields = BOUNDS.flatMap((bound) =>
    bound.fields.flatMap((name) => judge(name, before.filled[name] ?? 0, after.filled[name] ?? 0, bound)),
  );
  const genres = Object.entries(before.genres).flatMap(([name, was]) =>
    judge(name, was, after.genres[name] ?? 0, OF_A_GENRE),
  );
  return [...fields, ...genres];
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

/** By its name: the thread that builds hands over an error as a plain one with the same properties. */
export const isDoubtful = (error: unknown): error is DoubtfulRound =>
  error instanceof Error && error.name === 'DoubtfulRound';
