import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { plainNovel } from '../../../narou/test/plain-novel.ts';
import { CHANGE_KINDS, ncodeToNumber } from '@mokuroku/narou';
import type { CatalogueNovel, ChangeEvent } from '@mokuroku/narou/scan';
import { buildIndex, changeIndex } from './build-index.ts';
import { readCursor } from '@mokuroku/narou/scan';
import { SMALL, openIndex, publishChanges } from '../../test/index-under-test.ts';
import { requireGeneration } from './index-generations.ts';

const DAY = 86_400;
const NOW = Date.UTC(2026, 10, 21) / 1000;

const novelOf = (number: number, changes: Partial<CatalogueNovel> = {}): CatalogueNovel =>
  plainNovel({
    ncode: `N${String(number).padStart(4, '0')}TA`,
    general_firstup: '2026-11-20 18:00:00',
    fetched_at: NOW,
    ...changes,
  });

/** The changes as the source reads them, and their events. */
function read(dir: string) {
  const index = openIndex(dir, () => NOW * 1000);
  const changes = index.changes()!;
  index.close();
  const lines = Buffer.from(changes.bytes).toString().split('\n').slice(0, -1);
  return { ...changes, events: lines.map((line) => JSON.parse(line) as ChangeEvent) };
}

/** A log in its first generation, of an index of these novels; each change is a further generation. */
async function createLog(novels: readonly CatalogueNovel[] = []) {
  const dir = temporaryFolder();
  await buildIndex(dir, novels, { ...SMALL, now: NOW });
  return {
    dir,
    change: async (put: readonly CatalogueNovel[], remove: readonly string[] = [], now = NOW) => {
      await publishChanges(dir, { put, remove }, { ...SMALL, now });
      return requireGeneration(dir).changes!;
    },
    read: () => read(dir),
    kinds: () => read(dir).events.map(({ kind, ncode }) => `${kind} ${ncode}`),
  };
}

describe('a log of changes', () => {
  it('calls a novel new within two weeks of its publication, else restored: a harvest may have missed it', async () => {
    const log = await createLog([novelOf(1)]);
    const old = { general_firstup: '2026-11-07 08:59:59', general_lastup: '2026-11-20 18:00:00' };
    await log.change([novelOf(2, old), novelOf(3, { general_firstup: '2026-11-07 09:00:00' })]);
    expect(log.kinds().sort()).toEqual(['new N0003TA', 'restored N0002TA']);
  });

  it('calls the change of a novel that was published long ago what it is', async () => {
    const old = { general_firstup: '2020-01-01 08:00:00' };
    const log = await createLog([novelOf(1, old)]);
    await log.change([novelOf(1, { ...old, title: '別の題', novelupdated_at: '2026-11-20 09:00:00' })]);
    expect(log.kinds()).toEqual(['renamed N0001TA']);
  });

  it('has one event of a novel that is both changed and removed: the record counts', async () => {
    const log = await createLog([novelOf(1)]);
    await log.change([novelOf(1, { title: '別の題', novelupdated_at: '2026-11-20 09:00:00' })], ['N0001TA']);
    expect(log.kinds()).toEqual(['renamed N0001TA']);
  });

  it('lists events by the time of the upstream, withdrawn ones last, each with its own cursor and id', async () => {
    const log = await createLog([1, 2, 3, 4].map((number) => novelOf(number)));
    const rewritten = {
      novelupdated_at: '2026-11-20 11:00:00',
      writer: '別の名',
      story: '別',
      userid: 7,
      genre: 101,
    };
    await log.change(
      [
        novelOf(2, { general_all_no: 11, general_lastup: '2026-11-20 10:00:00' }),
        novelOf(3, { title: '別の題', novelupdated_at: '2026-11-20 09:00:00' }),
        novelOf(4, rewritten),
      ],
      ['N0001TA'],
    );
    const { events, generation, sequence } = log.read();
    expect(log.kinds()).toEqual([
      'renamed N0003TA',
      'episode N0002TA',
      'author_changed N0004TA',
      'rewritten N0004TA',
      'withdrawn N0001TA',
    ]);
    const positions = [1, 2, 3, 4, 5].map((number) => [2, number]);
    expect(events.map(({ cursor }) => readCursor(cursor)?.position)).toEqual(positions);
    expect([...generation].map((number, at) => [number, sequence[at]])).toEqual(positions);
    expect(events.map(({ id }) => id)).toEqual([
      'N0003TA/renamed/2.1',
      'N0002TA/episode/11/20261120100000',
      'N0004TA/author_changed/2.3',
      'N0004TA/rewritten/2.4',
      'N0001TA/withdrawn/2.5',
    ]);
  });

  it('states the id, the times and the fields that a reader needs, and no other', async () => {
    const novel = novelOf(1);
    const log = await createLog([{ ...novel, title: '以前の題' }]);
    await log.change([novel]);
    expect(log.read().events).toEqual([
      {
        cursor: expect.stringMatching(/^[0-9a-f]{8}-2-1$/) as string,
        id: 'N0001TA/renamed/2.1',
        kind: 'renamed',
        noticedAt: '2026-11-21T00:00:00.000Z',
        ncode: 'N0001TA',
        title: novel.title,
        userid: novel.userid,
        writer: novel.writer,
        biggenre: novel.biggenre,
        genre: novel.genre,
        general_all_no: novel.general_all_no,
        general_lastup: novel.general_lastup,
        novelupdated_at: novel.novelupdated_at,
        changed: ['title'],
        before: { title: '以前の題' },
      },
    ]);
  });

  it('a withdrawn novel that is new again is restored, once', async () => {
    const log = await createLog([novelOf(1)]);
    await log.change([], ['N0001TA']);
    await buildIndex(log.dir, [novelOf(1), novelOf(2)], { ...SMALL, now: NOW });
    // Left out of an index without a withdrawal.
    await buildIndex(log.dir, [novelOf(2)], { ...SMALL, now: NOW });
    await log.change([novelOf(1)]);
    expect(log.kinds()).toEqual(['withdrawn N0001TA', 'restored N0001TA', 'new N0002TA', 'new N0001TA']);
  });

  it('keeps its id, and its files if nothing changed', async () => {
    const log = await createLog();
    expect(await log.change([])).toMatchObject({ dropped: [1, 0], files: [] });
    const { id, files } = await log.change([novelOf(1)]);
    expect(files).toEqual([{ name: 'changes-000003', last: [3, 1], noticedAt: NOW }]);
    expect(await log.change([])).toEqual({ id, dropped: [1, 0], files });
    expect(id).toMatch(/^[0-9a-f]{8}$/);
    expect(log.read()).toMatchObject({ id, dropped: [1, 0] });
  });

  it.each([
    ['a file of young events', 14 * DAY, ['N0001TA', 'N0002TA', 'N0003TA', 'N0004TA'], [1, 0]],
    ['the old events of a file', 14 * DAY + 1, ['N0003TA', 'N0004TA'], [2, 2]],
    ['a file of old events', 15 * DAY + 1, ['N0004TA'], [3, 1]],
  ])(
    'after two weeks it drops events, and says which was the last: %s',
    async (_, later, ncodes, dropped) => {
      const log = await createLog();
      await log.change([novelOf(1), novelOf(2)]);
      await log.change([novelOf(3)], [], NOW + DAY);
      await log.change([novelOf(4)], [], NOW + later);
      expect(log.read()).toMatchObject({ dropped, ncode: Uint32Array.from(ncodes, ncodeToNumber) });
    },
  );

  it('starts another file instead of copying one of four megabytes; both have events to continue', async () => {
    const log = await createLog([novelOf(99)]);
    const many = (letter: string) =>
      [10, 11, 12, 13, 14, 15, 16].map((number) => novelOf(number, { title: letter.repeat(100_000) }));
    expect((await log.change(many('長'), ['N0099TA'])).files).toHaveLength(1);
    // Seven titles of 300 KB are less than the maximum, 21 are more: events of new titles state the former ones too.
    expect((await log.change(many('短'))).files).toMatchObject([{ name: 'changes-000003', last: [3, 7] }]);
    const ncodes = many('').map(({ ncode }) => ncode);
    expect((await log.change([novelOf(1)], ncodes, NOW + 1)).files).toMatchObject([
      { name: 'changes-000003', noticedAt: NOW },
      { name: 'changes-000004', last: [4, 8], noticedAt: NOW + 1 },
    ]);
    await log.change([novelOf(99)], [], NOW + 1);
    expect(log.kinds()).toHaveLength(24);
    expect(log.kinds().at(-1)).toBe('restored N0099TA');
    await log.change([novelOf(2)], [], NOW + 14 * DAY + 1);
    expect([log.read().dropped, log.kinds().length]).toEqual([[3, 7], 10]);
  });

  it('has the values of all its events for filters', async () => {
    const log = await createLog([novelOf(2, { userid: 9, writer: '名' })]);
    await log.change([novelOf(1, { userid: 7, genre: 101 }), novelOf(2, { userid: 8 })]);
    await log.change([{ ncode: 'N0003TA', fetched_at: NOW }], [], NOW + DAY);
    const changes = log.read();
    expect(
      (['noticed', 'ncode', 'kind', 'userid', 'userBefore', 'genre', 'changed'] as const).map((name) => [
        ...changes[name],
      ]),
    ).toEqual([
      [NOW, NOW, NOW + DAY],
      ['N0001TA', 'N0002TA', 'N0003TA'].map(ncodeToNumber),
      (['new', 'author_changed', 'new'] as const).map((kind) => CHANGE_KINDS.indexOf(kind)),
      [7, 8, 0xffff_ffff],
      [7, 9, 0xffff_ffff],
      [101, 201, 0xffff],
      [0, 6, 0],
    ]);
  });
});

describe('a rebuilt index', () => {
  /** Builds two generations, and returns the events of the second. */
  async function rebuild(
    novels: readonly CatalogueNovel[],
    later: readonly CatalogueNovel[],
    maxChanges?: number,
  ) {
    const dir = temporaryFolder();
    await buildIndex(dir, [], { ...SMALL, now: NOW });
    await buildIndex(dir, novels, { ...SMALL, now: NOW });
    const { id } = read(dir);
    const withdrawn = new Set([ncodeToNumber('N0003TA')]);
    await buildIndex(dir, later, { ...SMALL, now: NOW, withdrawn, maxChanges });
    const log = read(dir);
    const added = log.events.filter(({ cursor }) => readCursor(cursor)?.position[0] === 3);
    return { isSameLog: log.id === id, events: added.map(({ kind, ncode }) => `${kind} ${ncode}`).sort() };
  }
  const novels = [1, 2, 3, 4].map((number) => novelOf(number));
  const [one, two, three, four] = novels as [CatalogueNovel, CatalogueNovel, CatalogueNovel, CatalogueNovel];

  it('continues the log with new, changed and withdrawn novels, not with others that it lacks', async () => {
    const later = [one, novelOf(2, { title: '別の題', fetched_at: NOW + 1 }), novelOf(5)];
    expect(await rebuild(novels, later)).toEqual({
      isSameLog: true,
      events: ['new N0005TA', 'renamed N0002TA', 'withdrawn N0003TA'],
    });
  });

  it.each<[string, Partial<CatalogueNovel>, boolean]>([
    ['fetched again', { fetched_at: NOW + 1 }, true],
    ['with another date of the last episode', { general_lastup: '2026-11-20 10:00:00' }, true],
    ['with another date of the record', { novelupdated_at: '2026-11-20 10:00:00' }, true],
    ['fetched before', {}, false],
  ])('compares a record %s with the former one', async (_, stamp, isCompared) => {
    const { events } = await rebuild(novels, [one, two, three, { ...four, title: '別の題', ...stamp }]);
    expect(events).toEqual(isCompared ? ['renamed N0004TA'] : []);
  });

  it('compares with the state after changes, not with records that these replaced', async () => {
    const dir = temporaryFolder();
    await buildIndex(dir, novels, { ...SMALL, now: NOW });
    const changed = novelOf(2, { title: '別の題', fetched_at: NOW + 1 });
    await changeIndex(dir, [changed], { ...SMALL, now: NOW });
    const before = requireGeneration(dir).changes;
    await buildIndex(dir, [one, changed, four], { ...SMALL, now: NOW });
    expect(before?.files).toHaveLength(1);
    expect(requireGeneration(dir).changes).toEqual(before);
  });

  it.each([
    [2, true],
    [1, false],
  ])(
    'with two changes, of which %d are possible, the log is continued: %s',
    async (maxChanges, isSameLog) => {
      const later = [one, two, four, novelOf(5)];
      const events = isSameLog ? ['new N0005TA', 'withdrawn N0003TA'] : [];
      expect(await rebuild(novels, later, maxChanges)).toEqual({ isSameLog, events });
    },
  );
});
