import { describe, expect, it } from 'vitest';
import { plainNovel } from '../../test/plain-novel.ts';
import type { CatalogueNovel } from './catalogue-novel.ts';
import { CHANGED_FIELDS } from '../novels/change-kinds.ts';
import type { ChangedField } from '../novels/change-kinds.ts';
import { changesBetween, valueOf } from './novel-changes.ts';

const before = plainNovel({ general_all_no: 10, general_lastup: '2026-11-01 18:00:00' });
const LATER = '2026-11-02 18:00:00';

/** The record without some of its fields. */
function without(...names: (keyof CatalogueNovel)[]): CatalogueNovel {
  return Object.fromEntries(
    Object.entries(before).filter(([name]) => !(names as string[]).includes(name)),
  ) as unknown as CatalogueNovel;
}

const changesOf = (one: CatalogueNovel | undefined, other: CatalogueNovel | undefined) =>
  changesBetween(one, other).map(({ kind, episode, before: former }) => [
    kind,
    ...(episode === undefined ? [] : [episode]),
    ...(former === undefined ? [] : [former]),
  ]);

describe('between two records of a novel', () => {
  it('the first is new, a missing one withdrawn as it was last known', () => {
    expect(changesBetween(undefined, before)).toEqual([{ kind: 'new', novel: before }]);
    expect(changesBetween(before, undefined)).toEqual([{ kind: 'withdrawn', novel: before }]);
    expect(changesBetween(undefined, undefined)).toEqual([]);
  });

  const { userid, writer, title } = before;
  const authorChanged = ['author_changed', { userid, writer }];
  const renamed = ['renamed', { title }];
  const rewritten = (...names: ChangedField[]) => [
    'rewritten',
    Object.fromEntries(names.map((name) => [name, valueOf(before, name)])),
  ];
  const episode = (number: number) => ['episode', number, { general_all_no: number - 1 }];

  it.each<[string, Partial<CatalogueNovel>, unknown[]]>([
    ['nothing', {}, []],
    ['points and readers', { weekly_point: 99, fav_novel_cnt: 99, fetched_at: 99, updated_at: LATER }, []],
    ['the title', { title: '別の題' }, [renamed]],
    ['the author', { userid: 7, writer: '別の名' }, [authorChanged]],
    ['the pen name alone', { writer: '別の名' }, [rewritten('writer')]],
    ['author and title', { userid: 7, writer: '別の名', title: '別の題' }, [authorChanged, renamed]],
    ['one episode', { general_all_no: 11, general_lastup: LATER }, [episode(11)]],
    ['three episodes', { general_all_no: 13, general_lastup: LATER }, [11, 12, 13].map(episode)],
    ['a count that rises without an episode', { general_all_no: 13 }, [rewritten('general_all_no')]],
    [
      'title and episode, with the date of the record',
      { title: '別の題', general_all_no: 11, general_lastup: LATER, novelupdated_at: LATER, length: 1 },
      [renamed, episode(11)],
    ],
    [
      'the last episode of a novel',
      { general_all_no: 11, general_lastup: LATER, end: 0 },
      [episode(11), rewritten('end')],
    ],
    ['fewer episodes', { general_all_no: 9 }, [rewritten('general_all_no')]],
    ['an empty title', { title: '' }, []],
    ['no author', { userid: 0 }, []],
  ])('%s', (_, changes, wanted) => {
    expect(changesOf(before, { ...before, ...changes })).toEqual(wanted);
  });

  it.each(['title', 'userid', 'writer', 'story', 'length', 'general_all_no'] as const)(
    'a field that one of them lacks is no change: %s',
    (name) => {
      expect(changesOf(without(name), before)).toEqual([]);
      expect(changesOf(before, without(name))).toEqual([]);
    },
  );

  it('an empty title or author that is filled is no change', () => {
    expect(changesOf({ ...before, title: '', userid: 0 }, before)).toEqual([]);
  });

  it.each(CHANGED_FIELDS.filter((name) => name !== 'title' && name !== 'userid'))(
    'another value of %s alone is an event that names it',
    (name) => {
      const other = typeof valueOf(before, name) === 'string' ? 'さらに' : 9;
      const changed = { ...before, [name]: other };
      expect(changesOf(before, changed)).toEqual([rewritten(name)]);
    },
  );

  it('several other values are one event', () => {
    const changed = { ...before, story: 'さらに', length: 1, end: 0 as const };
    expect(changesOf(before, changed)).toEqual([rewritten('story', 'length', 'end')]);
  });

  it.each([
    ['unknown', without('general_all_no')],
    ['zero', { ...before, general_all_no: 0 }],
  ])('if the former count of episodes is %s, a later date shows one, and an equal one none', (_, former) => {
    const same = { ...before, general_all_no: 12 };
    expect(changesOf(former, { ...same, general_lastup: LATER })).toEqual([['episode', 12]]);
    expect(changesOf(former, same).flat()).not.toContain('episode');
  });

  it('without the former count and date there are no episodes', () => {
    expect(changesOf(without('general_all_no', 'general_lastup'), before)).toEqual([]);
  });

  it('a wrong count causes at most a thousand episodes, the last ones', () => {
    const wrong = { ...before, general_all_no: 2_000_000_000, general_lastup: LATER };
    const changes = changesBetween(before, wrong);
    expect(changes).toHaveLength(1_000);
    expect(changes[0]?.episode).toBe(1_999_999_001);
    expect(changes.at(-1)?.episode).toBe(2_000_000_000);
  });
});
