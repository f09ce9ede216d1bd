// The followed items of a reader, in this browser only: no account, nothing is sent. Each page has its own origin, so
// the catalogue's shelf has novels and authors, and the registration page's has domains. The file format is the same.

import { isRecord, parseJson } from 'mokuroku-client/parts';
import { createListeners } from './listeners.ts';
import type { Preferences } from './preferences.ts';

const SHELF_KINDS = ['novel', 'author', 'domain'] as const;
export type Kind = (typeof SHELF_KINDS)[number];

/** Values that are compared from one visit to the next, by name. */
export type Facts = Readonly<Record<string, string | number | null>>;

export interface FollowedItem {
  kind: Kind;
  id: string;
  /** Name of the item when it was last loaded. */
  label: string;
  /** The values that the reader last confirmed; null: never loaded. */
  seen: Facts | null;
  /** The values that were last loaded. */
  latest: Facts | null;
}

interface StoredShelf {
  followed: readonly FollowedItem[];
  /** When the reader last confirmed the changes, and when they were last loaded; ISO instants. */
  confirmedAt: string | null;
  loadedAt: string | null;
  /** The cursor of the next changes of a catalogue; null: nothing is loaded, or the source has no changes. */
  cursor: string | null;
}

/** The latest data of followed items. */
export interface ShelfNews {
  /** Facts by `followedItemKey`. */
  facts: ReadonlyMap<string, { label: string; facts: Facts }>;
  cursor?: string | null;
}

export const followedItemKey = ({ kind, id }: Pick<FollowedItem, 'kind' | 'id'>): string => `${kind} ${id}`;

/** Maximum number of each kind, which is the service's limit per request. */
export const MAX_FOLLOWED = 100;
/** The longest domain name; the part of a longer id would be another item. */
const MAX_ID = 253;
const MAX_LABEL = 200;
const NAME = 'shelf';
const NOTHING: StoredShelf = { followed: [], confirmedAt: null, loadedAt: null, cursor: null };

function readFacts(value: unknown): Facts | null {
  if (!isRecord(value)) return null;
  const good = Object.entries(value).filter(
    ([, fact]) => fact === null || typeof fact === 'string' || typeof fact === 'number',
  );
  return Object.fromEntries(good) as Facts;
}

/** The items in a text. Items in another form are skipped; null if it is no shelf. */
function parseShelf(text: string): StoredShelf | null {
  const value = parseJson(text);
  if (!isRecord(value) || !Array.isArray(value['followed'])) return null;
  const textIn = (name: string) => (typeof value[name] === 'string' ? value[name] : null);
  const followed = value['followed'].flatMap((each: unknown): FollowedItem[] => {
    if (!isRecord(each)) return [];
    const kind = SHELF_KINDS.find((name) => name === each['kind']);
    const { id, label } = each;
    if (!kind || typeof id !== 'string' || id === '' || typeof label !== 'string') return [];
    return [{ kind, id, label, seen: readFacts(each['seen']), latest: readFacts(each['latest']) }];
  });
  return {
    followed: bounded(followed),
    confirmedAt: textIn('confirmedAt'),
    loadedAt: textIn('loadedAt'),
    cursor: textIn('cursor'),
  };
}

/** Each item once, up to the maximum of each kind, with the beginning of its label. */
function bounded(all: readonly FollowedItem[]): FollowedItem[] {
  const once = [...new Map(all.map((each) => [followedItemKey(each), each])).values()]
    .filter(({ id }) => id.length <= MAX_ID)
    .map((each) => ({ ...each, label: each.label.slice(0, MAX_LABEL) }));
  return SHELF_KINDS.flatMap((kind) => once.filter((each) => each.kind === kind).slice(0, MAX_FOLLOWED));
}

const formatShelf = ({ followed, confirmedAt, loadedAt, cursor }: StoredShelf): string =>
  JSON.stringify({ mokuroku: 'shelf', version: 1, followed, confirmedAt, loadedAt, cursor }, null, 1);

/** The shelf in the browser's storage; adopts changes of other tabs. */
function createShelfStorage(storage: Preferences, target: Pick<EventTarget, 'addEventListener'>) {
  const { notify, onChange } = createListeners();
  const stored = () => parseShelf(storage.read(NAME) ?? '') ?? NOTHING;
  /** `isStored`: whether the browser stores it. */
  const shelf = { ...stored(), isStored: storage.isStored(NAME), onChange };
  /** Changes the newest shelf: another tab may have written while this one did not run. */
  const change: ChangeShelf = (next) => {
    Object.assign(shelf, stored());
    Object.assign(shelf, next(shelf));
    shelf.followed = bounded(shelf.followed);
    storage.write(NAME, formatShelf(shelf));
    shelf.isStored = storage.isStored(NAME);
    notify();
  };
  target.addEventListener('storage', (event) => {
    const { key } = event as StorageEvent;
    if (key !== `mokuroku-${NAME}` && key !== null) return;
    Object.assign(shelf, stored());
    notify();
  });
  return { shelf, change };
}

type Followable = Pick<FollowedItem, 'kind' | 'id' | 'label'>;

/** The item with its latest data; a value that was unknown before has not changed. */
function withNews(one: FollowedItem, news: { label: string; facts: Facts } | undefined): FollowedItem {
  if (!news) return one;
  const latest = { ...one.latest, ...news.facts };
  return { ...one, label: news.label, latest, seen: { ...latest, ...one.seen } };
}

type ChangeShelf = (next: (stored: StoredShelf) => Partial<StoredShelf>) => void;

function createShelfChanges(change: ChangeShelf, has: (kind: Kind, id: string) => boolean) {
  return {
    /** Follows or unfollows an item; false if the shelf is full. */
    toggle: (one: Followable): boolean => {
      let isNew = false;
      change(({ followed }) => {
        const others = followed.filter((each) => followedItemKey(each) !== followedItemKey(one));
        isNew = others.length === followed.length;
        return { followed: isNew ? [...others, { ...one, seen: null, latest: null }] : others };
      });
      return has(one.kind, one.id) === isNew;
    },
    /** Stores loaded data; the first data of an item also count as seen. */
    update: ({ facts, cursor = null }: ShelfNews, now: Date): void => {
      const at = now.toISOString();
      change(({ followed, confirmedAt }) => ({
        followed: followed.map((each) => withNews(each, facts.get(followedItemKey(each)))),
        cursor,
        loadedAt: at,
        confirmedAt: confirmedAt ?? at,
      }));
    },
    /** Marks all changes as seen. */
    confirmVisit: (now: Date): void =>
      change(({ followed }) => ({
        followed: followed.map((each) => ({ ...each, seen: each.latest })),
        confirmedAt: now.toISOString(),
      })),
    /** Adds the items of another shelf (of `kinds`). Returns their number; null if the text is no shelf. */
    add: (text: string, kinds: readonly Kind[]): number | null => {
      const other = parseShelf(text);
      if (!other) return null;
      let newItems: FollowedItem[] = [];
      change(({ followed }) => {
        newItems = other.followed.filter(({ kind, id }) => kinds.includes(kind) && !has(kind, id));
        // Data loaded by another browser may be older than the cursor of this one.
        return { followed: [...followed, ...newItems], ...(newItems.length > 0 && { cursor: null }) };
      });
      return newItems.filter(({ kind, id }) => has(kind, id)).length;
    },
  };
}

export type Shelf = ReturnType<typeof createShelf>;

export function createShelf(storage: Preferences, target: Pick<EventTarget, 'addEventListener'>) {
  const { shelf, change } = createShelfStorage(storage, target);
  const has = (kind: Kind, id: string) => shelf.followed.some((each) => each.kind === kind && each.id === id);
  /** `text`: the shelf as a file. */
  return Object.assign(shelf, createShelfChanges(change, has), {
    has,
    isFull: (kind: Kind) => shelf.followed.filter((each) => each.kind === kind).length === MAX_FOLLOWED,
    text: () => formatShelf(shelf),
  });
}

export interface ChangedFact {
  name: string;
  before: string | number | null;
  after: string | number | null;
}

/** The changes since the reader's last confirmation. An empty text and null are absences, with different reasons. */
export const changedFactsOf = ({ seen, latest }: FollowedItem): ChangedFact[] =>
  Object.entries(latest ?? {}).flatMap(([name, after]) => {
    const before = seen?.[name];
    return before === undefined || (before ?? '') === (after ?? '') ? [] : [{ name, before, after }];
  });
