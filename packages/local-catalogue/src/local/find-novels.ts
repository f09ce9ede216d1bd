import { ServiceError } from '@mokuroku/kit';
import type { Requester } from '@mokuroku/narou/upstream';
import type { OpenIndex } from '../engine/open-index.ts';
import { fieldSelector, withdrawnAmong } from '@mokuroku/narou/scan';
import { ncodeToNumber } from '@mokuroku/narou';
import type { NovelQuery } from '@mokuroku/narou/queries';
import type { FoundNovel, NovelRecord, NovelSource, OfSelection, Sourced } from '@mokuroku/narou/source';
import type { LocalIndex } from './local-index.ts';
import { notHere, outdated, queryIndex } from './query-index.ts';

// A folder knows a novel by its record, or its absence by a withdrawal (the upstream was asked for it and did not
// return it). That it has neither says nothing about the novel.

type Found = Sourced<readonly FoundNovel[]>;

/** What the folder knows of novels without a served record. */
export function lackedNovels(index: OpenIndex, ncodes: readonly string[], now: number) {
  const numbers = ncodes.map(ncodeToNumber);
  const presence = index.presenceOf(numbers);
  const changes = index.changes();
  const lacked = new Set(numbers.filter((number) => presence.get(number) !== 'served'));
  const withdrawn =
    changes === undefined || lacked.size === 0 ? new Map() : withdrawnAmong(changes, lacked, now);
  return {
    /** When the upstream did not return it, Unix seconds. */
    deniedAt: (ncode: string) => withdrawn.get(ncodeToNumber(ncode)) as number | undefined,
    isOutdated: (ncode: string) => presence.get(ncodeToNumber(ncode)) === 'outdated',
    /** Those of which there is neither a record nor a withdrawal. */
    unknown: ncodes.filter((ncode) => {
      const number = ncodeToNumber(ncode);
      return lacked.has(number) && !withdrawn.has(number);
    }),
  };
}

function findIn(
  index: OpenIndex,
  what: string,
  query: NovelQuery & { ncode: readonly string[] },
  now: number,
): Found {
  const page = index.search(query, fieldSelector(query));
  const records = JSON.parse(page.json.toString()) as NovelRecord[];
  const found = new Map(page.ncodes.map((number, at) => [number, records[at]]));
  const { deniedAt, isOutdated } = lackedNovels(index, query.ncode, now);
  let fetchedAt = page.oldest;
  const value = query.ncode.map((ncode): FoundNovel => {
    const record = found.get(ncodeToNumber(ncode));
    if (record !== undefined) return { state: 'found', record };
    const denied = deniedAt(ncode);
    if (denied === undefined)
      return { state: 'unknown', reason: isOutdated(ncode) ? outdated(what) : notHere(`the novel ${ncode}`) };
    fetchedAt = Math.min(fetchedAt, denied);
    return { state: 'denied' };
  });
  return { value, fetchedAt };
}

/** Whether a source failed, and not the service or the client. */
export const isFailure = (error: unknown, requester: Requester | undefined): error is ServiceError =>
  error instanceof ServiceError && requester?.signal?.aborted !== true;

export function valueOrFailure<Value>(read: () => Value): Value | ServiceError {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error;
  }
}

const joined = (parts: readonly Found[]): Found => ({
  value: parts.flatMap(({ value }) => value),
  fetchedAt: Math.min(...parts.map(({ fetchedAt = Infinity }) => fetchedAt)),
});

/** What a folder knows of novels, each for itself: a damaged record does not hide the others. */
export function findLocally(
  local: LocalIndex,
  what: string,
  { ncodes, of }: { ncodes: readonly string[]; of: OfSelection },
  now: number,
): Found {
  const query = { ncode: ncodes, of, order: 'new', st: 1, lim: ncodes.length } as const;
  const found = valueOrFailure(() =>
    queryIndex(local, what, query, (index) => findIn(index, what, query, now)),
  );
  if (!(found instanceof ServiceError)) return found;
  if (ncodes.length > 1 && local.current() !== undefined)
    return joined(ncodes.map((ncode) => findLocally(local, what, { ncodes: [ncode], of }, now)));
  return { value: ncodes.map(() => ({ state: 'unknown', reason: found })) };
}

/** Requests the unknown ones from the upstream. If it fails, they stay unknown, for its reason. */
export async function completeFrom(
  upstream: NovelSource,
  found: Found,
  [ncodes, of, requester]: Parameters<NovelSource['find']>,
): Promise<Found> {
  const unknown = ncodes.filter((_, at) => found.value[at]?.state === 'unknown');
  if (unknown.length === 0) return found;
  let answers: readonly FoundNovel[];
  try {
    answers = (await upstream.find(unknown, of, requester)).value;
  } catch (error) {
    if (!isFailure(error, requester)) throw error;
    answers = unknown.map(() => ({ state: 'unknown', reason: error }));
  }
  const byNcode = new Map(unknown.map((ncode, at) => [ncode, answers[at]]));
  return {
    ...found,
    value: ncodes.map((ncode, at) => byNcode.get(ncode) ?? (found.value[at] as FoundNovel)),
  };
}
