import { ncodeToNumber } from '../novels/ncode.ts';
import { UNKNOWN, UNKNOWN_KEY, bytesOf } from './catalogue-novel.ts';
import type { CatalogueNovel } from './catalogue-novel.ts';
import { CHANGED_FIELDS, CHANGE_KINDS } from '../novels/change-kinds.ts';
import type { ChangedField, ChangeKind } from '../novels/change-kinds.ts';
import type { FieldValues, NovelChange } from './novel-changes.ts';

/** Position of an event: the number of its generation, and its sequence number there, from 1. Positions are unique. */
export type Position = readonly [generation: number, sequence: number];

/** The fields of the novel of an event, in their order. Those missing in the upstream's record are absent. */
const NOVEL_FIELDS = [
  ...(['title', 'userid', 'writer', 'biggenre', 'genre'] as const),
  ...(['general_all_no', 'general_lastup', 'novelupdated_at'] as const),
] as const;

type EventNovel = { readonly [Name in (typeof NOVEL_FIELDS)[number]]: CatalogueNovel[Name] | undefined };

export interface ChangeEvent extends EventNovel {
  readonly cursor: string;
  readonly id: string;
  readonly kind: ChangeKind;
  readonly noticedAt: string;
  readonly ncode: string;
  readonly episode?: number;
  /** The changed fields, in the order of CHANGED_FIELDS; empty for a new and a withdrawn novel. */
  readonly changed: readonly ChangedField[];
  readonly before: FieldValues;
}

export const cursorOf = (log: string, [generation, sequence]: Position): string =>
  `${log}-${generation}-${sequence}`;

export function readCursor(text: string): { log: string; position: Position } | undefined {
  const [, log, generation, sequence] = /^([0-9a-f]{8})-(\d{1,9})-(\d{1,9})$/.exec(text) ?? [];
  return log === undefined ? undefined : { log, position: [Number(generation), Number(sequence)] };
}

export const isBefore = ([a, b]: Position, [c, d]: Position): boolean => a < c || (a === c && b < d);

/** Undefined for an invalid cursor. */
export const positionOf = ({ cursor }: ChangeEvent): Position | undefined => readCursor(cursor)?.position;

export const noticedSeconds = ({ noticedAt }: ChangeEvent): number => Date.parse(noticedAt) / 1000;

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

export const formatEvents = (events: readonly ChangeEvent[]): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(events.map((event) => `${JSON.stringify(event)}\n`).join(''));

function changeEvent(change: NovelChange, log: string, position: Position, now: number): ChangeEvent {
  const { kind, novel, episode, before = {} } = change;
  const { ncode } = novel;
  const stamp = (novel.general_lastup ?? '').replace(/\D/g, '');
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
    ...(Object.fromEntries(NOVEL_FIELDS.map((field) => [field, novel[field]])) as EventNovel),
    ...(episode !== undefined && { episode }),
    changed: CHANGED_FIELDS.filter((field) => Object.hasOwn(before, field)),
    before,
  };
}

/** The events of a generation for filters: plain data, transferred between threads without a copy. */
export interface LoadedChanges {
  /** Id of the log: cursors of another log are invalid. */
  readonly id: string;
  /** The last dropped event, or the start of the log. */
  readonly dropped: Position;
  /** The lines, and their boundaries. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly starts: Uint32Array<ArrayBuffer>;
  /** The positions; 0 for an invalid cursor. */
  readonly generation: Uint32Array<ArrayBuffer>;
  readonly sequence: Uint32Array<ArrayBuffer>;
  readonly noticed: Uint32Array<ArrayBuffer>;
  readonly ncode: Uint32Array<ArrayBuffer>;
  readonly userid: Uint32Array<ArrayBuffer>;
  /** The previous author, or `userid` if the author did not change. */
  readonly userBefore: Uint32Array<ArrayBuffer>;
  /** `UNKNOWN_GENRE` if unknown, as authors are `UNKNOWN_KEY`. */
  readonly genre: Uint16Array<ArrayBuffer>;
  /** Place in CHANGE_KINDS. */
  readonly kind: Uint8Array<ArrayBuffer>;
  /** A bit for each changed field, as in `maskOf`. */
  readonly changed: Uint32Array<ArrayBuffer>;
}

export const UNKNOWN_GENRE = UNKNOWN[bytesOf('genre')];

/** The bits of fields, by their places in CHANGED_FIELDS. */
export const maskOf = (fields: readonly ChangedField[]): number =>
  fields.reduce((mask, field) => mask | (1 << CHANGED_FIELDS.indexOf(field)), 0);

/** Where the lines begin, and where the last one ends. */
function startsOf(bytes: Uint8Array): number[] {
  const starts = [0];
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, end + 1)) starts.push(end + 1);
  return starts;
}

/** One by one: together they may be longer than a string can be, or fill the memory. */
export function* parseEvents(bytes: Uint8Array): Generator<ChangeEvent, void, undefined> {
  const decoder = new TextDecoder();
  for (let start = 0, end = 0; (end = bytes.indexOf(10, start)) !== -1; start = end + 1)
    yield JSON.parse(decoder.decode(bytes.subarray(start, end))) as ChangeEvent;
}

/** Loads the lines of a log for filters. `events`: those of the lines, if they are parsed already. */
export function loadEvents(
  { id, dropped }: Pick<LoadedChanges, 'id' | 'dropped'>,
  bytes: Uint8Array<ArrayBuffer>,
  events: Iterable<ChangeEvent> = parseEvents(bytes),
): LoadedChanges {
  const starts = Uint32Array.from(startsOf(bytes));
  const column = () => new Uint32Array(starts.length - 1);
  const [genre, kind] = [new Uint16Array(starts.length - 1), new Uint8Array(starts.length - 1)];
  const times = { generation: column(), sequence: column(), noticed: column() };
  const novels = { ncode: column(), userid: column(), userBefore: column(), changed: column() };
  let at = 0;
  for (const event of events) {
    const { userid = UNKNOWN_KEY, before } = event;
    [times.generation[at], times.sequence[at]] = positionOf(event) ?? [0, 0];
    times.noticed[at] = noticedSeconds(event);
    novels.ncode[at] = ncodeToNumber(event.ncode);
    novels.userid[at] = userid;
    novels.userBefore[at] = Number(before.userid ?? userid);
    novels.changed[at] = maskOf(event.changed);
    genre[at] = event.genre ?? UNKNOWN_GENRE;
    kind[at++] = CHANGE_KINDS.indexOf(event.kind);
  }
  return { id, dropped, bytes, starts, ...times, ...novels, genre, kind };
}
