import { describe, expect, it } from 'vitest';
import { createPreferences } from './preferences.ts';
import { MAX_FOLLOWED, createShelf, followedItemKey, changedFactsOf } from './shelf.ts';
import type { Shelf } from './shelf.ts';

const NOW = new Date('2026-11-23T00:00:00Z');

/** A storage that may be full, and a window with other tabs that write. */
function makeBrowser() {
  const texts = new Map<string, string>();
  let isFull = false;
  const storage = {
    getItem: (name: string) => texts.get(name) ?? null,
    setItem: (name: string, text: string) => {
      if (isFull) throw new DOMException('full', 'QuotaExceededError');
      texts.set(name, text);
    },
  } as Storage;
  const events = new EventTarget();
  return {
    storage,
    texts,
    fill: () => {
      isFull = true;
    },
    open: () =>
      createShelf(
        createPreferences(() => storage),
        events,
      ),
    /** `null`: the whole storage was cleared. */
    notify: (key: string | null = 'mokuroku-shelf') =>
      events.dispatchEvent(Object.assign(new Event('storage'), { key })),
  };
}
const novel = (id: string) => ({ kind: 'novel', id, label: `title ${id}` }) as const;
/** The shelf of another browser, which follows these novels. */
function shelfOf(...ids: string[]): Shelf {
  const shelf = makeBrowser().open();
  for (const id of ids) shelf.toggle(novel(id));
  return shelf;
}
const changesOf = ({ followed }: Shelf) => followed.flatMap(changedFactsOf);
const loaded = (id: string, facts: Record<string, string | number | null>) => ({
  facts: new Map([[followedItemKey(novel(id)), { label: `title ${id}`, facts }]]),
});

const UNREADABLE = '{"followed":[null,7,{"kind":"x","id":"a","label":"b"}]}';

describe('a shelf', () => {
  it('persists, and shows changes until they are confirmed', () => {
    const browser = makeBrowser();
    browser.open().toggle(novel('N0001A'));
    browser.open().update(loaded('N0001A', { episodes: 3, rank: null }), NOW);
    const later = browser.open();
    expect(changesOf(later)).toEqual([]);
    later.update(loaded('N0001A', { episodes: 5, rank: 12 }), NOW);
    const moved = [
      { name: 'episodes', before: 3, after: 5 },
      { name: 'rank', before: null, after: 12 },
    ];
    expect(changesOf(browser.open())).toEqual(moved);
    browser.open().update(loaded('N0001A', { episodes: 5, rank: 12 }), NOW);
    const last = browser.open();
    expect(changesOf(last)).toEqual(moved);
    last.confirmVisit(NOW);
    expect(changesOf(browser.open())).toEqual([]);
    last.toggle(novel('N0001A'));
    expect(browser.open().followed).toEqual([]);
  });

  it('changes the newest shelf, even if it has missed what another tab has written', () => {
    const browser = makeBrowser();
    const [frozen, other] = [browser.open(), browser.open()];
    const follow = (id: string) => other.toggle(novel(id));
    const idsOf = () => browser.open().followed.map(({ id }) => id);
    follow('N0001A');
    frozen.update(loaded('N0001A', { episodes: 3 }), NOW);
    expect(idsOf()).toEqual(['N0001A']);
    follow('N0002A');
    frozen.confirmVisit(NOW);
    expect(idsOf()).toEqual(['N0001A', 'N0002A']);
    follow('N0003A');
    expect(frozen.add(shelfOf('N0003A', 'N0004A').text(), ['novel'])).toBe(1);
    expect(idsOf()).toEqual(['N0001A', 'N0002A', 'N0003A', 'N0004A']);
  });

  it.each(['', '{', '[]', 'null', '{"followed":{}}', UNREADABLE])(
    'stands on broken storage (%s) as an empty one',
    (text) => {
      const browser = makeBrowser();
      browser.texts.set('mokuroku-shelf', text);
      const shelf = browser.open();
      expect(shelf.followed).toEqual([]);
      expect(shelf.toggle(novel('N0001A'))).toBe(true);
      expect(browser.open().has('novel', 'N0001A')).toBe(true);
    },
  );

  it('without storage, or with a full one, lasts as long as the page, with a notice', () => {
    const storage = createPreferences(() => {
      throw new DOMException('no', 'SecurityError');
    });
    const forbidden = createShelf(storage, new EventTarget());
    expect(forbidden.isStored).toBe(false);
    forbidden.toggle(novel('N0001A'));
    expect([forbidden.has('novel', 'N0001A'), forbidden.isStored]).toEqual([true, false]);
    const browser = makeBrowser();
    browser.fill();
    const full = browser.open();
    full.toggle(novel('N0001A'));
    full.toggle(novel('N0002A'));
    expect([full.followed.length, full.isStored]).toEqual([2, false]);
  });

  it('is shared by two tabs', () => {
    const browser = makeBrowser();
    const [one, other] = [browser.open(), browser.open()];
    let notified = 0;
    other.onChange(() => (notified += 1));
    one.toggle(novel('N0001A'));
    browser.notify();
    expect([other.has('novel', 'N0001A'), notified]).toEqual([true, 1]);
    // Written before the other tab is notified.
    one.toggle(novel('N0002A'));
    other.toggle(novel('N0003A'));
    expect(browser.open().followed.map(({ id }) => id)).toEqual(['N0001A', 'N0002A', 'N0003A']);
    browser.notify('another');
    expect(one.followed).toHaveLength(2);
    browser.texts.clear();
    browser.notify(null);
    expect([one.followed, other.followed]).toEqual([[], []]);
  });

  it('discards its cursor when items of another browser are added, whose data may be older', () => {
    const shelf = shelfOf('N0001A');
    shelf.update({ ...loaded('N0001A', { episodes: 3 }), cursor: '9f3c2a10-7-12' }, NOW);
    expect(shelf.add(shelf.text(), ['novel'])).toBe(0);
    expect(shelf.cursor).toBe('9f3c2a10-7-12');
    expect(shelf.add(shelfOf('N0002A').text(), ['novel'])).toBe(1);
    expect(shelf.cursor).toBeNull();
  });

  it.each<[what: string, loads: Record<string, number | string | null>[], changes: object[]]>([
    ['a value that was unknown before', [{ episodes: 3 }, { episodes: 3, rank: 5 }], []],
    ['the reason of an absence', [{ rank: null }, { rank: '' }], []],
    ['that reason, the other way', [{ rank: '' }, { rank: null }], []],
    ['a value', [{ rank: 5 }, { rank: 7 }], [{ name: 'rank', before: 5, after: 7 }]],
  ])('compares %s with what was seen', (_what, loads, changes) => {
    const shelf = shelfOf('N0001A');
    for (const facts of loads) shelf.update(loaded('N0001A', facts), NOW);
    expect(changesOf(shelf)).toEqual(changes);
  });

  it('has no change of an item that was never seen, as in a file of another program', () => {
    const item = { ...novel('N0001A'), seen: null, latest: { episodes: 3 } };
    expect(changedFactsOf(item)).toEqual([]);
  });

  it('states when it was loaded, and when its changes were confirmed: the first load counts as that', () => {
    const shelf = shelfOf('N0001A');
    const later = new Date('2026-11-24T00:00:00Z');
    for (const at of [NOW, later]) shelf.update(loaded('N0001A', {}), at);
    expect([shelf.confirmedAt, shelf.loadedAt]).toEqual([NOW.toISOString(), later.toISOString()]);
    shelf.confirmVisit(later);
    expect(shelf.confirmedAt).toBe(later.toISOString());
  });

  it('keeps its own data of an item that a file has as well', () => {
    const shelf = shelfOf('N0001A');
    shelf.update(loaded('N0001A', { episodes: 3 }), NOW);
    expect(shelf.add(shelfOf('N0001A', 'N0002A').text(), ['novel'])).toBe(1);
    expect(shelf.followed[0]?.latest).toEqual({ episodes: 3 });
  });

  it('has the longest domain name as it is', () => {
    const browser = makeBrowser();
    const id = `${'a.'.repeat(125)}com`;
    browser.open().toggle({ kind: 'domain', id, label: id });
    expect(browser.open().has('domain', id)).toBe(true);
  });

  it('has labels of at most 200 characters', () => {
    const shelf = makeBrowser().open();
    shelf.toggle({ ...novel('N0001A'), label: 'x'.repeat(201) });
    expect(shelf.followed[0]?.label).toHaveLength(200);
  });

  it('is bounded, and can be moved to another browser as a file', () => {
    const shelf = shelfOf();
    for (let count = 0; count < MAX_FOLLOWED; count += 1) expect(shelf.toggle(novel(`N${count}`))).toBe(true);
    expect(shelf.toggle(novel('more'))).toBe(false);
    expect(shelf.toggle({ kind: 'author', id: '7', label: '人' })).toBe(true);
    const other = shelfOf('N0');
    expect(other.add(shelf.text(), ['domain'])).toBe(0);
    expect(other.add(shelf.text(), ['novel'])).toBe(MAX_FOLLOWED - 1);
    expect(other.add(shelf.text(), ['novel'])).toBe(0);
    expect(other.add('<opml/>', ['novel'])).toBeNull();
  });
});
