import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { MAX_AGE_SECONDS } from '../../novels/max-age.ts';
import { ncodeToNumber } from '../../novels/ncode.ts';
import type { CatalogueNovel } from '../catalogue-novel.ts';
import { CHANGED_FIELDS, CHANGE_KINDS } from '../../novels/change-kinds.ts';
import type { ChangedField, ChangeKind } from '../../novels/change-kinds.ts';
import { UNKNOWN_KEY, unknownIn } from './columns.ts';
import { DamagedFile } from './files.ts';
import { differencesOf } from './novel-changes.ts';
import type { FieldValues, NovelChange } from './novel-changes.ts';

// The log of changes is part of a generation. Each new generation is compared with the previous one when it is written,
// so that a change and its event become visible together.

/** Position of an event: the number of its generation, and its sequence number there, from 1. Positions are unique. */
export type Position = readonly [generation: number, sequence: number];

interface ChangeFile {
  /** In the folder of the index: lines of JSON, oldest first. */
  readonly name: string;
  readonly last: Position;
  /** Unix seconds of the last event. */
  readonly noticedAt: number;
}

/** The log of a generation. */
export interface ChangeLog {
  /** Id of the log: cursors of another log are invalid. */
  readonly id: string;
  /** The last dropped event, or the start of the log. */
  readonly dropped: Position;
  readonly files: readonly ChangeFile[];
}

/** The novel of an event; fields missing in the upstream's record are absent. */
type EventNovel = {
  readonly [
    Name in
      | ('title' | 'userid' | 'writer' | 'biggenre' | 'genre')
      | ('general_all_no' | 'general_lastup' | 'novelupdated_at')
  ]: CatalogueNovel[Name] | undefined;
};

/** A line of the log. */
export interface ChangeEvent extends EventNovel {
  readonly cursor: string;
  readonly id: string;
  readonly kind: ChangeKind;
  readonly noticedAt: string;
  readonly ncode: string;
  readonly episode?: number;
  /** The changed fields, in the order of CHANGED_FIELDS; empty for a new and a withdrawn novel. */
  readonly changed: readonly ChangedField[];
  /** Their previous values. */
  readonly before: FieldValues;
}

/** Events are not added to a larger file: they start a new one. */
const OPEN_BYTES = 4_000_000;

export const cursorOf = (log: string, [generation, sequence]: Position): string =>
  `${log}-${generation}-${sequence}`;

export function readCursor(text: string): { log: string; position: Position } | undefined {
  const [, log, generation, sequence] = /^([0-9a-f]{8})-(\d{1,9})-(\d{1,9})$/.exec(text) ?? [];
  return log === undefined ? undefined : { log, position: [Number(generation), Number(sequence)] };
}

export const isBefore = ([a, b]: Position, [c, d]: Position): boolean => a < c || (a === c && b < d);

function positionOf({ cursor }: ChangeEvent): Position {
  const { position } = readCursor(cursor) ?? {};
  if (position === undefined) throw new DamagedFile('changes');
  return position;
}

const noticedSeconds = ({ noticedAt }: ChangeEvent): number => Date.parse(noticedAt) / 1000;

export const readEvents = (dir: string, { name }: ChangeFile): ChangeEvent[] =>
  fs
    .readFileSync(path.join(dir, name), 'utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as ChangeEvent]));

/** The withdrawals, by Ncode, of novels that did not return, according to the log. */
function withdrawnOf(dir: string, files: readonly ChangeFile[]): Map<string, ChangeEvent> {
  const withdrawn = new Map<string, ChangeEvent>();
  for (const event of files.flatMap((file) => readEvents(dir, file))) {
    if (event.kind === 'withdrawn') withdrawn.set(event.ncode, event);
    else withdrawn.delete(event.ncode);
  }
  return withdrawn;
}

/** A new novel that was withdrawn is restored, with what has changed meanwhile of what its withdrawal states. */
function asRestored(change: NovelChange, withdrawn: ReadonlyMap<string, ChangeEvent>): NovelChange {
  const withdrawal = change.kind === 'new' ? withdrawn.get(change.novel.ncode) : undefined;
  if (withdrawal === undefined) return change;
  const valueBefore = (field: ChangedField) => (withdrawal as FieldValues)[field];
  return { ...change, kind: 'restored', before: differencesOf(valueBefore, change.novel) };
}

/** The upstream's time of a change, by which events are sorted. */
const timeOf = ({ kind, novel }: NovelChange): string =>
  kind === 'withdrawn' ? '~' : ((kind === 'episode' ? novel.general_lastup : novel.novelupdated_at) ?? '');

/** The events of a generation, sorted by the upstream's times. `now`: Unix seconds. */
export function eventsOf(
  changes: readonly NovelChange[],
  log: string,
  generation: number,
  now: number,
): ChangeEvent[] {
  const inOrder = [...changes].sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : timeOf(a) > timeOf(b) ? 1 : 0));
  return inOrder.map((change, index) => changeEvent(change, log, [generation, index + 1], now));
}

export const formatEvents = (events: readonly ChangeEvent[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join('');

function changeEvent(change: NovelChange, log: string, position: Position, now: number): ChangeEvent {
  const { kind, novel, episode, before = {} } = change;
  const { ncode, title, userid, writer, biggenre, genre } = novel;
  const { general_all_no, general_lastup, novelupdated_at } = novel;
  const stamp = (general_lastup ?? '').replace(/\D/g, '');
  return {
    cursor: cursorOf(log, position),
    // For an episode it does not depend on the generation.
    id:
      kind === 'episode'
        ? `${ncode}/${kind}/${episode ?? 0}/${stamp}`
        : `${ncode}/${kind}/${position.join('.')}`,
    kind,
    noticedAt: new Date(now * 1000).toISOString(),
    ncode,
    title,
    userid,
    writer,
    biggenre,
    genre,
    general_all_no,
    general_lastup,
    novelupdated_at,
    ...(episode !== undefined && { episode }),
    changed: CHANGED_FIELDS.filter((field) => Object.hasOwn(before, field)),
    before,
  };
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
  const recent = (before?.files ?? []).filter(({ noticedAt }) => noticedAt >= cutoff);
  let dropped: Position = before?.dropped ?? [number, 0];
  for (const { noticedAt, last } of before?.files ?? []) if (noticedAt < cutoff) dropped = last;
  const open = recent.at(-1);
  const isOpen = open !== undefined && fs.statSync(path.join(dir, open.name)).size < OPEN_BYTES;
  if (changes.length === 0) return { id, dropped, files: recent };
  const carried = isOpen ? readEvents(dir, open) : [];
  const [young, old] = [true, false].map((isYoung) =>
    carried.filter((event) => noticedSeconds(event) >= cutoff === isYoung),
  ) as [ChangeEvent[], ChangeEvent[]];
  const lastOld = old.at(-1);
  if (lastOld) dropped = positionOf(lastOld);
  const withdrawn = changes.some(({ kind }) => kind === 'new')
    ? withdrawnOf(dir, recent)
    : new Map<string, never>();
  const fresh = eventsOf(
    changes.map((change) => asRestored(change, withdrawn)),
    id,
    number,
    now,
  );
  const name = `changes-${String(number).padStart(6, '0')}`;
  fs.writeFileSync(path.join(dir, name), formatEvents([...young, ...fresh]), { flush: true });
  const file: ChangeFile = { name, last: [number, fresh.length], noticedAt: now };
  return { id, dropped, files: [...(isOpen ? recent.slice(0, -1) : recent), file] };
}

/** The events of a generation for filters: plain data, transferred between threads without a copy. */
export interface LoadedChanges {
  readonly id: string;
  readonly dropped: Position;
  /** The lines, and their boundaries. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly generation: Uint32Array<ArrayBuffer>;
  readonly sequence: Uint32Array<ArrayBuffer>;
  readonly noticed: Uint32Array<ArrayBuffer>;
  readonly ncode: Uint32Array<ArrayBuffer>;
  readonly userid: Uint32Array<ArrayBuffer>;
  /** The previous author, or `userid` if the author did not change. */
  readonly userBefore: Uint32Array<ArrayBuffer>;
  /** `unknownIn('genre')` if unknown, as authors are `UNKNOWN_KEY`. */
  readonly genre: Uint16Array<ArrayBuffer>;
  /** Place in CHANGE_KINDS. */
  readonly kind: Uint8Array<ArrayBuffer>;
  /** A bit for each changed field, as in `maskOf`. */
  readonly changed: Uint32Array<ArrayBuffer>;
}

/** The bits of fields, by their places in CHANGED_FIELDS. */
export const maskOf = (fields: readonly ChangedField[]): number =>
  fields.reduce((mask, field) => mask | (1 << CHANGED_FIELDS.indexOf(field)), 0);

export function loadChanges(dir: string, { id, dropped, files }: ChangeLog): LoadedChanges {
  if (readCursor(cursorOf(id, dropped)) === undefined) throw new DamagedFile('changes');
  const texts = files.map(({ name }) => fs.readFileSync(path.join(dir, name)));
  const bytes = new Uint8Array(texts.reduce((sum, text) => sum + text.length, 0));
  let filled = 0;
  for (const text of texts) {
    bytes.set(text, filled);
    filled += text.length;
  }
  return parseChanges({ id, dropped }, bytes);
}

/** The events of lines, for filters. */
export function parseChanges(
  log: Pick<ChangeLog, 'id' | 'dropped'>,
  bytes: Uint8Array<ArrayBuffer>,
): LoadedChanges {
  const starts = lineStarts(bytes);
  const decoder = new TextDecoder();
  const events = starts
    .slice(0, -1)
    .map((start, at) => JSON.parse(decoder.decode(bytes.subarray(start, starts[at + 1]))) as ChangeEvent);
  return withColumns(log, bytes, starts, events);
}

/** Events as `parseChanges` would read them from their lines. */
export function loadEvents(
  log: Pick<ChangeLog, 'id' | 'dropped'>,
  events: readonly ChangeEvent[],
): LoadedChanges {
  const bytes = new TextEncoder().encode(formatEvents(events));
  return withColumns(log, bytes, lineStarts(bytes), events);
}

function lineStarts(bytes: Uint8Array): number[] {
  const starts = [0];
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, end + 1)) starts.push(end + 1);
  return starts;
}

function withColumns(
  { id, dropped }: Pick<ChangeLog, 'id' | 'dropped'>,
  bytes: Uint8Array<ArrayBuffer>,
  starts: readonly number[],
  events: readonly ChangeEvent[],
): LoadedChanges {
  const column = (valueOf: (event: ChangeEvent) => number) => Uint32Array.from(events, valueOf);
  return {
    id,
    dropped,
    bytes,
    starts: Uint32Array.from(starts),
    generation: column((event) => positionOf(event)[0]),
    sequence: column((event) => positionOf(event)[1]),
    noticed: column(noticedSeconds),
    ncode: column(({ ncode }) => ncodeToNumber(ncode)),
    userid: column(({ userid = UNKNOWN_KEY }) => userid),
    userBefore: column(({ userid = UNKNOWN_KEY, before }) => Number(before.userid ?? userid)),
    genre: Uint16Array.from(events, ({ genre = unknownIn('genre') }) => genre),
    kind: Uint8Array.from(events, ({ kind }) => CHANGE_KINDS.indexOf(kind)),
    changed: column(({ changed }) => maskOf(changed)),
  };
}
