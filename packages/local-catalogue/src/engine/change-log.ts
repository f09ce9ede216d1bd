import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { japanSeconds } from '@mokuroku/narou';
import type { ChangedField } from '@mokuroku/narou';
import { MAX_AGE_SECONDS } from '@mokuroku/narou/queries';
import {
  cursorOf,
  eventsOf,
  formatEvents,
  loadEvents,
  noticedSeconds,
  parseEvents,
  positionOf,
  readCursor,
  differencesOf,
} from '@mokuroku/narou/scan';
import type { ChangeEvent, LoadedChanges, Position, FieldValues, NovelChange } from '@mokuroku/narou/scan';
import { DamagedFile, readFully, withFile } from './files.ts';

// The log of changes is part of a generation. Each new generation is compared with the previous one when it is written,
// so that a change and its event become visible together.

interface ChangeFile {
  /** In the folder of the index: lines of JSON, oldest first. */
  readonly name: string;
  readonly last: Position;
  /** Unix seconds of the last event. */
  readonly noticedAt: number;
}

/** The log of a generation. */
export interface ChangeLog extends Pick<LoadedChanges, 'id' | 'dropped'> {
  readonly files: readonly ChangeFile[];
}

/** Events are not added to a larger file: they start a new one. */
const OPEN_BYTES = 4_000_000;

export const readEvents = (dir: string, { name }: ChangeFile): ChangeEvent[] => [
  ...parseEvents(fs.readFileSync(path.join(dir, name))),
];

/** The withdrawals, by Ncode, of novels that did not return, according to the log. */
function withdrawnOf(dir: string, files: readonly ChangeFile[]): Map<string, ChangeEvent> {
  const withdrawn = new Map<string, ChangeEvent>();
  for (const file of files)
    for (const event of readEvents(dir, file)) {
      if (event.kind === 'withdrawn') withdrawn.set(event.ncode, event);
      else withdrawn.delete(event.ncode);
    }
  return withdrawn;
}

/**
 * A new novel that was withdrawn is restored, with what has changed meanwhile of what its withdrawal states. So is one
 * that was published before `cutoff` (Unix seconds): it was hidden, or a harvest has missed it.
 */
function asRestored(
  change: NovelChange,
  withdrawn: ReadonlyMap<string, ChangeEvent>,
  cutoff: number,
): NovelChange {
  if (change.kind !== 'new') return change;
  const { ncode, general_firstup: firstup } = change.novel;
  const withdrawal = withdrawn.get(ncode);
  const isOld = (japanSeconds(firstup) ?? Infinity) < cutoff;
  if (withdrawal === undefined) return isOld ? { ...change, kind: 'restored' } : change;
  const valueBefore = (field: ChangedField) => (withdrawal as FieldValues)[field];
  return { ...change, kind: 'restored', before: differencesOf(valueBefore, change.novel) };
}

interface LogParts {
  readonly number: number;
  /** The log of the previous generation; undefined if there is none, or it has no log. */
  readonly before: ChangeLog | undefined;
  readonly changes: readonly NovelChange[];
  /** Unix seconds. */
  readonly now: number;
  /** Creates the id of a new log. */
  readonly seed: string;
}

/** Writes the log of a generation: the previous files, and a new one if anything changed. */
export function writeChanges(dir: string, { number, before, changes, now, seed }: LogParts): ChangeLog {
  const id = before?.id ?? createHash('sha256').update(seed).digest('hex').slice(0, 8);
  const cutoff = now - MAX_AGE_SECONDS;
  const files = before?.files ?? [];
  const recent = files.filter(({ noticedAt }) => noticedAt >= cutoff);
  const lastOld = files.findLast(({ noticedAt }) => noticedAt < cutoff);
  const dropped = lastOld?.last ?? before?.dropped ?? [number, 0];
  if (changes.length === 0) return { id, dropped, files: recent };
  const open = recent.at(-1);
  const isOpen = open !== undefined && fs.statSync(path.join(dir, open.name)).size < OPEN_BYTES;
  const carried = isOpen ? readEvents(dir, open) : [];
  const young = carried.filter((event) => noticedSeconds(event) >= cutoff);
  const lastCarried = carried[carried.length - young.length - 1];
  const position = lastCarried ? (positionOf(lastCarried) as Position) : dropped;
  const withdrawn = withdrawnOf(dir, recent);
  const fresh = eventsOf(
    changes.map((change) => asRestored(change, withdrawn, cutoff)),
    id,
    number,
    now,
  );
  const name = `changes-${String(number).padStart(6, '0')}`;
  fs.writeFileSync(path.join(dir, name), formatEvents([...young, ...fresh]), { flush: true });
  const file: ChangeFile = { name, last: [number, fresh.length], noticedAt: now };
  return {
    id,
    dropped: position,
    files: [...(isOpen ? recent.slice(0, -1) : recent), file],
  };
}

/** Throws DamagedFile if a cursor is invalid. */
export function loadChanges(dir: string, { id, dropped, files }: ChangeLog): LoadedChanges {
  if (readCursor(cursorOf(id, dropped)) === undefined) throw new DamagedFile('changes');
  const paths = files.map(({ name }) => path.join(dir, name));
  const sizes = paths.map((file) => fs.statSync(file).size);
  // In one place, since a log of two weeks has 200 MB. No Buffer: a small one shares its memory, which is transferred.
  const bytes = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0));
  let filled = 0;
  for (const [index, file] of paths.entries()) {
    const part = bytes.subarray(filled, (filled += sizes[index] as number));
    withFile(file, 'r', (open) => readFully(open, part, 0));
  }
  const loaded = loadEvents({ id, dropped }, bytes);
  if (loaded.sequence.includes(0)) throw new DamagedFile('changes');
  return loaded;
}
