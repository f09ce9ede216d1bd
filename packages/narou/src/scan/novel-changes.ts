import { CHANGED_FIELDS } from '../novels/change-kinds.ts';
import type { ChangedField, ChangeKind } from '../novels/change-kinds.ts';
import { japanSeconds } from '../novels/japan-date.ts';
import type { CatalogueNovel } from './catalogue-novel.ts';

/** Values of fields, by their published names. */
export type FieldValues = Readonly<Partial<Record<ChangedField, string | number>>>;

export interface NovelChange {
  readonly kind: ChangeKind;
  /** The current novel; for a withdrawn one the last known. */
  readonly novel: CatalogueNovel;
  readonly episode?: number;
  /** The changed fields with their previous values; undefined for a new and a withdrawn novel. */
  readonly before?: FieldValues;
}

export const valueOf = (novel: CatalogueNovel, field: ChangedField): string | number | undefined =>
  novel[field];

/** A new episode, title or author changes these too. */
const CHANGED_WITH_OTHERS: readonly ChangedField[] = ['length', 'novelupdated_at'];

/** Maximum episodes between two fetches: a wrong count must not cause a million events. */
const MAX_EPISODES = 1_000;

const isGiven = (value: unknown): boolean => value !== undefined && value !== '' && value !== 0;

/** Previous values of fields with two known, different values. */
export function differencesOf(
  before: (field: ChangedField) => string | number | undefined,
  novel: CatalogueNovel,
  fields: readonly ChangedField[] = CHANGED_FIELDS,
): FieldValues {
  const differences: Partial<Record<ChangedField, string | number>> = {};
  for (const field of fields) {
    const [old, current] = [before(field), valueOf(novel, field)];
    if (old !== undefined && current !== undefined && old !== current) differences[field] = old;
  }
  return differences;
}

/** A count that rises without a later time is a correction. An unknown time was before the record was fetched. */
function* newEpisodes(before: CatalogueNovel, novel: CatalogueNovel): Iterable<NovelChange> {
  const isCounted = isGiven(before.general_all_no);
  const knownUntil = japanSeconds(before.general_lastup) ?? (isCounted ? before.fetched_at : Infinity);
  if ((japanSeconds(novel.general_lastup) ?? 0) <= knownUntil) return;
  const last = novel.general_all_no ?? 0;
  const knownEpisodes = before.general_all_no || last - 1;
  for (let episode = Math.max(knownEpisodes, last - MAX_EPISODES) + 1; episode <= last; episode++) {
    yield { kind: 'episode', novel, episode, ...(isCounted && { before: { general_all_no: episode - 1 } }) };
  }
}

/** Whether two records are of different novels: the upstream mixed up its rows. This time of a novel never changes. */
export const isOfAnother = (
  { general_firstup: before = '' }: Partial<CatalogueNovel>,
  { general_firstup: now = '' }: Partial<CatalogueNovel>,
): boolean => before !== '' && now !== '' && before !== now;

/** The changes between two records of a novel, each changed field in one of them; undefined: no record. */
export function changesBetween(
  before: CatalogueNovel | undefined,
  novel: CatalogueNovel | undefined,
): readonly NovelChange[] {
  if (before === undefined) return novel === undefined ? [] : [{ kind: 'new', novel }];
  if (novel === undefined) return [{ kind: 'withdrawn', novel: before }];
  if (isOfAnother(before, novel)) return [];
  const changes: NovelChange[] = [];
  const of = (fields: readonly ChangedField[]) =>
    differencesOf((field) => valueOf(before, field), novel, fields);
  // Each event states its fields itself; the others count as rewritten.
  const stated = new Set<ChangedField>();
  const state = (kind: ChangeKind, fields: readonly ChangedField[]) => {
    const [first] = fields;
    if (first === undefined || !isGiven(valueOf(before, first)) || !isGiven(valueOf(novel, first))) return;
    const differences = of(fields);
    if (differences[first] === undefined) return;
    changes.push({ kind, novel, before: differences });
    for (const field of fields) stated.add(field);
  };
  state('author_changed', ['userid', 'writer']);
  state('renamed', ['title']);
  const episodes = [...newEpisodes(before, novel)];
  changes.push(...episodes);
  if (episodes.length > 0) stated.add('general_all_no');
  if (changes.length > 0) for (const field of CHANGED_WITH_OTHERS) stated.add(field);
  // An emptied or unknown title or author is no event.
  stated.add('title').add('userid');
  const rewritten = of(CHANGED_FIELDS.filter((field) => !stated.has(field)));
  if (Object.keys(rewritten).length > 0) changes.push({ kind: 'rewritten', novel, before: rewritten });
  return changes;
}
