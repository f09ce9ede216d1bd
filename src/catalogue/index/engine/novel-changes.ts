import type { ChangeKind } from '../../novels/change-kinds.ts';
import type { CatalogueNovel } from '../catalogue-novel.ts';

/** One change of a novel. */
export interface NovelChange {
  readonly kind: ChangeKind;
  /** The current novel; for a withdrawn one the last known. */
  readonly novel: CatalogueNovel;
  /** Number of a new episode. */
  readonly episode?: number;
  /** The previous title or author. */
  readonly before?: Readonly<Record<string, string | number>>;
}

/** Fields whose change counts as rewritten: those that authors write, and hiatus. Points and readers change daily. */
const WRITTEN = [
  'story',
  'keyword',
  'genre',
  'biggenre',
  'nocgenre',
  'writer',
  'novel_type',
  'end',
  'isstop',
  'length',
  'isr15',
  'isbl',
  'isgl',
  'iszankoku',
  'istensei',
  'istenni',
  'novelupdated_at',
] as const;

/** Maximum episodes between two fetches: a wrong count must not cause a million events. */
const MAX_EPISODES = 1_000;

function* newEpisodes(before: CatalogueNovel, novel: CatalogueNovel): Iterable<NovelChange> {
  const last = novel.general_all_no ?? 0;
  const isLater = (novel.general_lastup ?? '') > (before.general_lastup ?? '~');
  // Without the previous count, only the time shows a new episode.
  const knownEpisodes = before.general_all_no || (isLater ? last - 1 : last);
  for (let episode = Math.max(knownEpisodes, last - MAX_EPISODES) + 1; episode <= last; episode++) {
    yield { kind: 'episode', novel, episode };
  }
}

/** The changes between two records of a novel; undefined: no record. */
export function changesBetween(
  before: CatalogueNovel | undefined,
  novel: CatalogueNovel | undefined,
): readonly NovelChange[] {
  if (before === undefined) return novel === undefined ? [] : [{ kind: 'new', novel }];
  if (novel === undefined) return [{ kind: 'withdrawn', novel: before }];
  const changes: NovelChange[] = [];
  const isGiven = (value: unknown) => value !== undefined && value !== '' && value !== 0;
  const differs = (name: keyof CatalogueNovel) =>
    before[name] !== novel[name] && before[name] !== undefined && novel[name] !== undefined;
  if (differs('userid') && isGiven(before.userid) && isGiven(novel.userid)) {
    const { userid = 0, writer = '' } = before;
    changes.push({ kind: 'hands', novel, before: { userid, writer } });
  }
  if (differs('title') && isGiven(before.title) && isGiven(novel.title)) {
    changes.push({ kind: 'renamed', novel, before: { title: before.title ?? '' } });
  }
  const episodes = [...newEpisodes(before, novel)];
  changes.push(...episodes);
  // A new episode, title or author changes the date of the record too.
  if (changes.length === 0 && (WRITTEN.some(differs) || differs('general_all_no'))) {
    changes.push({ kind: 'rewritten', novel });
  }
  return changes;
}
