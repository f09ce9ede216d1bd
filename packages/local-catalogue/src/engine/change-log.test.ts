import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { plainNovel } from '../../../narou/test/plain-novel.ts';
import { CHANGE_KINDS, ncodeFromNumber, ncodeToNumber } from '@mokuroku/narou';
import type { CatalogueNovel, NovelChange } from '@mokuroku/narou/scan';
import { buildIndex, changeIndex } from './build-index.ts';
import { readCursor } from '@mokuroku/narou/scan';
import { loadChanges, readEvents, writeChanges } from './change-log.ts';
import type { ChangeLog } from './change-log.ts';
import { compareWith } from './compare-generations.ts';
import { requireGeneration, newestGeneration } from './index-generations.ts';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'mokuroku-changes-'));
afterAll(() => {
  fs.rmSync(root, { recursive: true });
});
const newFolder = (): string => fs.mkdtempSync(path.join(root, 'log-'));

const DAY = 86_400;
const NOW = Date.UTC(2026, 10, 21) / 1000;
const SMALL = { spacing: 4, rangePositions: 3000 };

const novelOf = (number: number, changes: Partial<CatalogueNovel> = {}): CatalogueNovel =>
  plainNovel({ ncode: `N000${number}TA`, fetched_at: NOW, ...changes });
const changeOf = (
  kind: NovelChange['kind'],
  number: number,
  changes: Partial<CatalogueNovel> = {},
): NovelChange => ({ kind, novel: novelOf(number, changes) });

/** Writes generations of a log one after the other. */
function createLog(dir = newFolder()) {
  let log: ChangeLog | undefined;
  let number = 0;
  return {
    dir,
    write: (changes: readonly NovelChange[], now = NOW): ChangeLog => {
      log = writeChanges(dir, { number: ++number, before: log, changes, now, seed: 'a seed' });
      return log;
    },
    events: () => (log?.files ?? []).flatMap((file) => readEvents(dir, file)),
  };
}

describe('a log of changes', () => {
  it('lists events by the time of the upstream, withdrawn ones last, each with its own cursor and id', () => {
    const { write, events } = createLog();
    write([
      changeOf('withdrawn', 1),
      { ...changeOf('episode', 2, { general_lastup: '2026-11-20 10:00:00' }), episode: 11 },
      changeOf('renamed', 3, { novelupdated_at: '2026-11-20 09:00:00' }),
      changeOf('rewritten', 4, { novelupdated_at: '2026-11-20 11:00:00' }),
      changeOf('author_changed', 4, { novelupdated_at: '2026-11-20 11:00:00' }),
    ]);
    expect(events().map(({ kind, ncode }) => `${kind} ${ncode}`)).toEqual([
      'renamed N0003TA',
      'episode N0002TA',
      'rewritten N0004TA',
      'author_changed N0004TA',
      'withdrawn N0001TA',
    ]);
    expect(events().map(({ cursor }) => readCursor(cursor)?.position)).toEqual(
      [1, 2, 3, 4, 5].map((number) => [1, number]),
    );
    expect(events().map(({ id }) => id)).toEqual([
      'N0003TA/renamed/1.1',
      'N0002TA/episode/11/20261120100000',
      'N0004TA/rewritten/1.3',
      'N0004TA/author_changed/1.4',
      'N0001TA/withdrawn/1.5',
    ]);
  });

  it('states the id, the times and the fields that a reader needs, and no other', () => {
    const { write, events } = createLog();
    const novel = novelOf(1);
    write([{ kind: 'renamed', novel, before: { title: '以前の題' } }]);
    expect(events()).toEqual([
      {
        cursor: expect.stringMatching(/^[0-9a-f]{8}-1-1$/) as string,
        id: 'N0001TA/renamed/1.1',
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

  it('a withdrawn novel that is new again is restored, once', () => {
    const { write, events } = createLog();
    write([changeOf('withdrawn', 1)]);
    write([changeOf('new', 1), changeOf('new', 2)]);
    write([changeOf('new', 1)]);
    expect(events().map(({ kind, ncode }) => `${kind} ${ncode}`)).toEqual([
      'withdrawn N0001TA',
      'restored N0001TA',
      'new N0002TA',
      'new N0001TA',
    ]);
  });

  it('keeps its id, and its files if nothing changed', () => {
    const { write } = createLog();
    expect(write([])).toMatchObject({ dropped: [1, 0], files: [] });
    const { id, files } = write([changeOf('new', 1)]);
    expect(files).toEqual([{ name: 'changes-000002', last: [2, 1], noticedAt: NOW }]);
    expect(write([])).toEqual({ id, dropped: [1, 0], files });
    expect(id).toMatch(/^[0-9a-f]{8}$/);
  });

  it.each([
    ['a file of young events', 14 * DAY, ['N0001TA', 'N0002TA', 'N0003TA', 'N0004TA'], [1, 0]],
    ['the old events of a file', 14 * DAY + 1, ['N0003TA', 'N0004TA'], [1, 2]],
    ['a file of old events', 15 * DAY + 1, ['N0004TA'], [2, 1]],
  ])('after two weeks it drops events, and says which was the last: %s', (_, later, ncodes, dropped) => {
    const { write, events } = createLog();
    write([changeOf('new', 1), changeOf('new', 2)]);
    write([changeOf('new', 3)], NOW + DAY);
    expect(write([changeOf('new', 4)], NOW + later).dropped).toEqual(dropped);
    expect(events().map(({ ncode }) => ncode)).toEqual(ncodes);
  });

  it('starts another file instead of copying one of four megabytes', () => {
    const { write, events } = createLog();
    const title = '長'.repeat(100_000);
    const many = (from: number) =>
      Array.from({ length: 8 }, (_, number) => changeOf('rewritten', from + number, { title }));
    expect(write(many(1)).files).toHaveLength(1);
    // Eight titles of 300 KB are less than the maximum, sixteen are more.
    expect(write(many(1)).files).toMatchObject([{ name: 'changes-000002', last: [2, 8] }]);
    expect(write([changeOf('rewritten', 1)], NOW + 1).files).toMatchObject([
      { name: 'changes-000002', noticedAt: NOW },
      { name: 'changes-000003', last: [3, 1], noticedAt: NOW + 1 },
    ]);
    expect(events()).toHaveLength(17);
  });

  it('a withdrawn novel is restored, whichever file has its withdrawal', () => {
    const { write, events } = createLog();
    const title = '長'.repeat(100_000);
    const many = Array.from({ length: 16 }, (_, place) => changeOf('rewritten', place + 1, { title }));
    write([...many, changeOf('withdrawn', 99)]);
    expect(write([changeOf('rewritten', 1)]).files).toHaveLength(2);
    write([changeOf('new', 99), changeOf('new', 100)]);
    const kinds = events().map(({ kind }) => kind);
    expect(kinds.slice(-2)).toEqual(['restored', 'new']);
  });

  it('is loaded with all events of its files, one line each', () => {
    const { dir, write, events } = createLog();
    write([
      changeOf('new', 1, { userid: 7, genre: 101 }),
      { ...changeOf('author_changed', 2, { userid: 8 }), before: { userid: 9, writer: '名' } },
    ]);
    const log = write([{ kind: 'new', novel: { ncode: 'N0003TA', fetched_at: NOW } }], NOW + DAY);
    const loaded = loadChanges(dir, log);
    const lines = Array.from({ length: loaded.starts.length - 1 }, (_, at) =>
      Buffer.from(loaded.bytes.subarray(loaded.starts[at], loaded.starts[at + 1])).toString(),
    );
    expect(lines).toEqual(events().map((event) => `${JSON.stringify(event)}\n`));
    expect(
      ['generation', 'sequence', 'noticed', 'ncode', 'kind', 'userid', 'userBefore', 'genre', 'changed'].map(
        (name) => [...(loaded[name as keyof typeof loaded] as Uint32Array)],
      ),
    ).toEqual([
      [1, 1, 2],
      [1, 2, 1],
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

describe('a cursor', () => {
  it.each(['', 'abcdef01', 'abcdef01-1', 'ABCDEF01-1-1', 'abcdef012-1-1', 'abcdef01-1-1-1', 'abcdef01--1-1'])(
    'is not read from "%s"',
    (text) => {
      expect(readCursor(text)).toBeUndefined();
    },
  );

  it('is read as it was written', () => {
    expect(readCursor('abcdef01-23-4')).toEqual({ log: 'abcdef01', position: [23, 4] });
  });
});

describe('a rebuilt index', () => {
  /** Builds two generations, and returns the events of the second. */
  async function rebuild(
    novels: readonly CatalogueNovel[],
    later: readonly CatalogueNovel[],
    damage: (dir: string) => void = () => undefined,
  ) {
    const dir = newFolder();
    await buildIndex(dir, [], { ...SMALL, now: NOW });
    await buildIndex(dir, novels, { ...SMALL, now: NOW });
    const { id } = requireGeneration(dir).changes as ChangeLog;
    damage(dir);
    const withdrawn = new Set([ncodeToNumber('N0003TA')]);
    await buildIndex(dir, later, { ...SMALL, now: NOW, withdrawn });
    const log = newestGeneration(dir)?.changes as ChangeLog;
    const events = log.files.flatMap((file) => readEvents(dir, file));
    const added = events.filter(({ cursor }) => readCursor(cursor)?.position[0] === 3);
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
    const dir = newFolder();
    await buildIndex(dir, novels, { ...SMALL, now: NOW });
    const changed = novelOf(2, { title: '別の題', fetched_at: NOW + 1 });
    await changeIndex(dir, { put: [changed], remove: ['N0003TA'] }, { ...SMALL, now: NOW });
    const before = requireGeneration(dir).changes;
    await buildIndex(dir, [one, changed, four], { ...SMALL, now: NOW });
    expect(before?.files).toHaveLength(1);
    expect(requireGeneration(dir).changes).toEqual(before);
  });

  it.each(['records', 'columns', 'starts'])(
    'starts another log if the %s of the former one are damaged',
    async (name) => {
      const damage = (dir: string) => {
        const file = path.join(dir, 'segment-000002-1', name);
        fs.writeFileSync(file, Buffer.alloc(fs.statSync(file).size));
      };
      const later = novels.map((novel) => ({ ...novel, title: '別の題', fetched_at: NOW + 1 }));
      expect(await rebuild(novels, later, damage)).toEqual({ isSameLog: false, events: [] });
    },
  );

  it.each([
    ['unreadable', '{', 'x'],
    ['those of another novel', 'N0001TA', 'N0009TA'],
  ])('starts another log if the events of the former one are damaged: %s', async (_, text, damaged) => {
    const damage = (dir: string) => {
      const file = path.join(dir, 'changes-000002');
      fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replaceAll(text, damaged));
    };
    expect(await rebuild(novels, [one, two, three], damage)).toEqual({ isSameLog: false, events: [] });
  });

  it.each([
    [299_999, true],
    [300_000, false],
  ])('with %d new novels and a withdrawn one, the log is continued: %s', async (count, isSameLog) => {
    const dir = newFolder();
    await buildIndex(dir, [novelOf(1)], { ...SMALL, now: NOW });
    const comparison = compareWith(dir, requireGeneration(dir));
    for (let number = 0; number < count; number++)
      comparison.add(novelOf(1, { ncode: ncodeFromNumber(number) }));
    const { log, changes } = comparison.finish(new Set([ncodeToNumber('N0001TA')]));
    expect([log !== undefined, changes.length]).toEqual([isSameLog, isSameLog ? count + 1 : 0]);
  });

  it('after so many new novels, stores no more events', async () => {
    const dir = newFolder();
    await buildIndex(dir, [novelOf(1)], { ...SMALL, now: NOW });
    const comparison = compareWith(dir, requireGeneration(dir));
    for (let number = 0; number <= 300_000; number++)
      comparison.add(novelOf(1, { ncode: ncodeFromNumber(number) }));
    let isStored = false;
    comparison.add({
      ...novelOf(2),
      get title() {
        isStored = true;
        return '';
      },
    });
    expect(isStored).toBe(false);
    comparison.close();
  });

  it('starts another log if the list of dead records of the former one is damaged', async () => {
    const dir = newFolder();
    await buildIndex(dir, novels, { ...SMALL, now: NOW });
    await changeIndex(dir, { put: [], remove: ['N0003TA'] }, { ...SMALL, now: NOW });
    const { changes, segments } = requireGeneration(dir);
    fs.writeFileSync(path.join(dir, segments[0]?.dead ?? ''), Uint32Array.of(0));
    await buildIndex(dir, [one, two, four], { ...SMALL, now: NOW });
    const log = requireGeneration(dir).changes;
    expect(log?.id).not.toBe(changes?.id);
    expect(log?.files).toEqual([]);
  });
});
