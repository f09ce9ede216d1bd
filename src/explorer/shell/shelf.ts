// What a reader follows, in this browser alone: no account, nothing is sent. Each page has its own origin, so the
// catalogue's shelf holds novels and authors, the registration page's holds domains; the file of both is the same.

export const SHELF_KINDS = ['novel', 'author', 'domain'] as const;
export type Kind = (typeof SHELF_KINDS)[number];

/** What is compared from one visit to the next, by name. */
export type Facts = Readonly<Record<string, string | number | null>>;

export interface Followed {
  kind: Kind;
  id: string;
  /** As it was called when it was last seen. */
  label: string;
  /** As the reader last confirmed it; null: never loaded. */
  seen: Facts | null;
  /** As it was last loaded. */
  latest: Facts | null;
}

interface Kept {
  followed: readonly Followed[];
  /** When the reader last confirmed what has moved, and when it was last loaded; ISO instants. */
  confirmedAt: string | null;
  loadedAt: string | null;
  /** Behind which the changes of a catalogue are still unknown; null: nothing is loaded, or the source has none. */
  cursor: string | null;
}

/** What has been loaded of what is followed. */
export interface ShelfNews {
  /** By `keyOf`. */
  facts: ReadonlyMap<string, { label: string; facts: Facts }>;
  cursor?: string | null;
}

export interface Shelf extends Kept {
  has: (kind: Kind, id: string) => boolean;
  /** Follows, or no longer; false where there is no room. */
  toggle: (one: Pick<Followed, 'kind' | 'id' | 'label'>) => boolean;
  /** What has been loaded; the first that is known of something is also what has been seen of it. */
  update: (news: ShelfNews, now: Date) => void;
  /** All that has moved is known to the reader. */
  confirm: (now: Date) => void;
  /** Adds what another shelf holds (of `kinds`); how many were added, or null for what is no shelf. */
  add: (text: string, kinds: readonly Kind[]) => number | null;
  /** As a file. */
  text: () => string;
  /** Whether the browser keeps it: storage can be full or forbidden. */
  isKept: () => boolean;
  onChange: (listener: () => void) => () => void;
}

export const keyOf = ({ kind, id }: Pick<Followed, 'kind' | 'id'>): string => `${kind} ${id}`;

/** Of each kind: as many as one request of the service takes. */
export const MOST_FOLLOWED = 100;
const MOST_LABEL = 200;
const NAME = 'mokuroku-shelf';
const NOTHING: Kept = { followed: [], confirmedAt: null, loadedAt: null, cursor: null };

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readFacts(value: unknown): Facts | null {
  if (!isRecord(value)) return null;
  const good = Object.entries(value).filter(
    ([, fact]) => fact === null || typeof fact === 'string' || typeof fact === 'number',
  );
  return Object.fromEntries(good) as Facts;
}

/** What a text holds; what has another form is left out, and null is no shelf at all. */
function readKept(text: string): Kept | null {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value) || !Array.isArray(value['followed'])) return null;
    const textIn = (name: string) => (typeof value[name] === 'string' ? value[name] : null);
    const followed = value['followed'].flatMap((each: unknown): Followed[] => {
      if (!isRecord(each)) return [];
      const kind = SHELF_KINDS.find((known) => known === each['kind']);
      const { id, label } = each;
      if (!kind || typeof id !== 'string' || id === '' || typeof label !== 'string') return [];
      const name = { id: id.slice(0, MOST_LABEL), label: label.slice(0, MOST_LABEL) };
      return [{ kind, ...name, seen: readFacts(each['seen']), latest: readFacts(each['latest']) }];
    });
    return {
      followed: bounded(followed),
      confirmedAt: textIn('confirmedAt'),
      loadedAt: textIn('loadedAt'),
      cursor: textIn('cursor'),
    };
  } catch {
    return null;
  }
}

/** Each once, and of each kind the first ones. */
function bounded(all: readonly Followed[]): Followed[] {
  const once = [...new Map(all.map((each) => [keyOf(each), each])).values()];
  return SHELF_KINDS.flatMap((kind) => once.filter((each) => each.kind === kind).slice(0, MOST_FOLLOWED));
}

const writeKept = (kept: Kept): string => JSON.stringify({ mokuroku: 'shelf', version: 1, ...kept }, null, 1);

/** What is followed, as the browser keeps it; another tab's changes are taken over. */
function createKept(storageOf: () => Storage, target: Pick<EventTarget, 'addEventListener'>) {
  const listeners = new Set<() => void>();
  const state = { isKept: true, kept: NOTHING };
  const read = () => {
    try {
      state.kept = readKept(storageOf().getItem(NAME) ?? '') ?? NOTHING;
    } catch {
      state.isKept = false;
    }
  };
  const tell = () => listeners.forEach((listener) => listener());
  const change = (next: Partial<Kept>) => {
    state.kept = { ...state.kept, ...next };
    try {
      storageOf().setItem(NAME, writeKept(state.kept));
      state.isKept = true;
    } catch {
      state.isKept = false;
    }
    tell();
  };
  read();
  target.addEventListener('storage', (event) => {
    const { key } = event as StorageEvent;
    if (key !== NAME && key !== null) return;
    read();
    tell();
  });
  const onChange = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return { state, read, change, onChange };
}

const newOf = ({ kind, id, label }: Pick<Followed, 'kind' | 'id' | 'label'>): Followed => ({
  kind,
  id,
  label: label.slice(0, MOST_LABEL),
  seen: null,
  latest: null,
});

/** With what has been loaded of it; the first that is known of a fact has not moved. */
function withNews(one: Followed, news: { label: string; facts: Facts } | undefined): Followed {
  if (!news) return one;
  const latest = { ...one.latest, ...news.facts };
  return { ...one, label: news.label.slice(0, MOST_LABEL), latest, seen: { ...latest, ...one.seen } };
}

/** `storageOf` may throw: then the shelf lasts as long as the page. */
export function createShelf(storageOf: () => Storage, target: Pick<EventTarget, 'addEventListener'>): Shelf {
  const { state, read, change, onChange } = createKept(storageOf, target);
  const all = () => state.kept.followed;
  const has = (kind: Kind, id: string) => all().some((each) => each.kind === kind && each.id === id);
  return {
    get followed() {
      return all();
    },
    get confirmedAt() {
      return state.kept.confirmedAt;
    },
    get loadedAt() {
      return state.kept.loadedAt;
    },
    get cursor() {
      return state.kept.cursor;
    },
    has,
    toggle: ({ kind, id, label }) => {
      // Another tab may have written since.
      if (state.isKept) read();
      const others = all().filter((each) => keyOf(each) !== keyOf({ kind, id }));
      const isNew = others.length === all().length;
      if (isNew && all().filter((each) => each.kind === kind).length >= MOST_FOLLOWED) return false;
      change({ followed: isNew ? [...others, newOf({ kind, id, label })] : others });
      return true;
    },
    update: ({ facts, cursor = null }, now) => {
      const at = now.toISOString();
      const followed = all().map((each) => withNews(each, facts.get(keyOf(each))));
      change({ followed, cursor, loadedAt: at, confirmedAt: state.kept.confirmedAt ?? at });
    },
    confirm: (now) =>
      change({
        followed: all().map((each) => ({ ...each, seen: each.latest })),
        confirmedAt: now.toISOString(),
      }),
    add: (text, kinds) => {
      const other = readKept(text);
      if (!other) return null;
      const before = all().length;
      const wanted = other.followed.filter(({ kind, id }) => kinds.includes(kind) && !has(kind, id));
      const followed = bounded([...all(), ...wanted]);
      // What another browser has loaded can be older than the cursor of this one.
      if (followed.length > before) change({ followed, cursor: null });
      return followed.length - before;
    },
    text: () => writeKept(state.kept),
    isKept: () => state.isKept,
    onChange,
  };
}

export interface Moved {
  name: string;
  before: string | number | null;
  after: string | number | null;
}

/** What has moved since the reader confirmed it. */
export const movedOf = ({ seen, latest }: Followed): Moved[] =>
  Object.entries(latest ?? {}).flatMap(([name, after]) => {
    const before = seen?.[name];
    return before === undefined || before === after ? [] : [{ name, before, after }];
  });
