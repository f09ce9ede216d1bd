import { ServiceError } from '@mokuroku/kit';
import type { ChangesPage } from '../source/index.ts';
import { bisect } from './bisect.ts';
import { UNKNOWN_GENRE, cursorOf, isBefore, maskOf, readCursor } from './change-events.ts';
import type { LoadedChanges, Position } from './change-events.ts';
import { UNKNOWN_KEY } from './catalogue-novel.ts';
import { CHANGE_KINDS } from '../novels/change-kinds.ts';
import { biggenreOf } from '../novels/genres.ts';
import type { ChangesQuery } from '../novels/search-query.ts';
import { MAX_AGE_SECONDS } from '../novels/upstream-facts.ts';
import { ncodeToNumber } from '../novels/ncode.ts';
import { NOVEL_ERRORS } from '../novels/errors.ts';

/** A replica may lag by this many generations; `--follow` writes one every ten minutes at most. */
const LAGGING_GENERATIONS = 18;

const ADVICE = 'Fetch the novels you need by a search, then continue with the cursor of since=now.';

function expired(reason: string): ServiceError {
  return new ServiceError(NOVEL_ERRORS.cursor_expired, { message: `${reason} ${ADVICE}` });
}

const positionAt = ({ generation, sequence }: LoadedChanges, at: number): Position => [
  generation[at] as number,
  sequence[at] as number,
];

/** The first event that is no older than two weeks. */
function firstRecent({ noticed }: LoadedChanges, now: number): number {
  const cutoff = now / 1000 - MAX_AGE_SECONDS;
  const first = noticed.findIndex((time) => time >= cutoff);
  return first === -1 ? noticed.length : first;
}

/** The first event after the cursor. Throws cursor_expired if events may be missing. */
function firstEvent(changes: LoadedChanges, since: string | undefined, now: number) {
  const recent = firstRecent(changes, now);
  const dropped = recent === 0 ? changes.dropped : positionAt(changes, recent - 1);
  if (since === undefined) return { first: recent, position: dropped };
  if (since === 'now') {
    const last = changes.sequence.length - 1;
    return { first: last + 1, position: last < recent ? dropped : positionAt(changes, last) };
  }
  const cursor = readCursor(since);
  if (cursor?.log !== changes.id)
    throw expired('This cursor belongs to another catalogue, or to one that was fetched again.');
  const { position } = cursor;
  const last = changes.generation.at(-1) ?? changes.dropped[0];
  if (position[0] > last + LAGGING_GENERATIONS)
    throw expired('This cursor is ahead of this catalogue, which may have been restored from an older copy.');
  if (isBefore(position, dropped))
    throw expired('Events after this cursor are older than two weeks and were deleted.');
  // The cursor may come from a replica with newer data.
  const first = bisect(changes.sequence.length, (at) => !isBefore(position, positionAt(changes, at)));
  return { first, position };
}

const WITHDRAWAL = CHANGE_KINDS.indexOf('withdrawn');

function filterOf(changes: LoadedChanges, query: ChangesQuery): (at: number) => boolean {
  const tests: ((at: number) => boolean)[] = [];
  /** As in a search, an unknown value neither is one of a list nor is none of it. */
  const addList = (
    valueAt: (at: number) => number | undefined,
    values: readonly number[] | undefined,
    isWanted = true,
  ) => {
    const listed = values && new Set(values);
    if (listed === undefined) return;
    tests.push((at) => {
      const value = valueAt(at);
      return value !== undefined && listed.has(value) === isWanted;
    });
  };
  const kinds = query.kind?.map((kind) => CHANGE_KINDS.indexOf(kind));
  addList((at) => changes.kind[at], kinds);
  const fields = query.changed && maskOf(query.changed);
  if (fields !== undefined) tests.push((at) => ((changes.changed[at] as number) & fields) !== 0);
  addList((at) => changes.ncode[at], query.ncode?.map(ncodeToNumber));
  const genreAt = (at: number) => (changes.genre[at] === UNKNOWN_GENRE ? undefined : changes.genre[at]);
  const biggenreAt = (at: number) => {
    const genre = genreAt(at);
    return genre && biggenreOf(genre);
  };
  addList(genreAt, query.genre);
  addList(genreAt, query.notgenre, false);
  addList(biggenreAt, query.biggenre);
  addList(biggenreAt, query.notbiggenre, false);
  if (query.userid !== undefined) {
    const users = new Set(query.userid.filter((id) => id !== UNKNOWN_KEY));
    tests.push(
      (at) => users.has(changes.userid[at] as number) || users.has(changes.userBefore[at] as number),
    );
  }
  return (at) => tests.every((test) => test(at));
}

/** The events after a cursor, oldest first; or the newest of them, newest first. `now`: milliseconds UTC. */
export function changesSince(changes: LoadedChanges, query: ChangesQuery, now: number): ChangesPage {
  const { first, position } = firstEvent(changes, query.since, now);
  const isWanted = filterOf(changes, query);
  const { length } = changes.sequence;
  const page: number[] = [];
  let total = 0;
  for (let count = 0; count < length - first; count++) {
    const at = query.isNewestFirst ? length - 1 - count : first + count;
    if (isWanted(at) && ++total <= query.lim) page.push(at);
  }
  const isFull = total >= query.lim;
  const lines = page.map((at) =>
    Buffer.from(
      changes.bytes.subarray(changes.starts[at], (changes.starts[at + 1] as number) - 1),
    ).toString(),
  );
  // A page that is not full has checked all events, so they are not checked again.
  const last = isFull && !query.isNewestFirst ? (page.at(-1) as number) : length - 1;
  return { lines, total, next: cursorOf(changes.id, last < first ? position : positionAt(changes, last)) };
}

/** Of these Ncodes (as numbers) those whose last event is a withdrawal, with its Unix seconds. `now`: milliseconds UTC. */
export function withdrawnAmong(
  changes: LoadedChanges,
  ncodes: ReadonlySet<number>,
  now: number,
): ReadonlyMap<number, number> {
  const withdrawn = new Map<number, number>();
  const sought = new Set(ncodes);
  const first = firstRecent(changes, now);
  for (let at = changes.ncode.length - 1; at >= first && sought.size > 0; at--) {
    const ncode = changes.ncode[at] as number;
    const isLast = sought.delete(ncode);
    if (isLast && changes.kind[at] === WITHDRAWAL) withdrawn.set(ncode, changes.noticed[at] as number);
  }
  return withdrawn;
}
