import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { japan, NOON, standingClock } from '../../test/upstream-under-test.ts';
import { biggenreOf, GENRE_LABELS, NOCGENRE_LABELS } from '../novels/genres.ts';
import { EXAMPLES } from '../novels/examples.ts';
import { japanInstant } from '../novels/japan-date.ts';
import { compareNcodes, parseNcode } from '../novels/ncode.ts';
import type { ChangeEvent } from '../scan/change-events.ts';
import { createEmbeddedCatalogue } from './embedded-catalogue.ts';
import { firstKana } from './users.ts';

const catalogue = createEmbeddedCatalogue({ clock: standingClock(NOON) });
const novels = catalogue.novels();
const adult = catalogue.adultNovels();
const everything = [...novels, ...adult];

describe('contents', () => {
  test('at least 3,000 novels, 300 adult entries and 1,000 users, also with a clock of 2024', () => {
    const earlier = createEmbeddedCatalogue({ clock: standingClock(japan('2024-01-01T00:00:00')) });
    for (const catalogueOfDay of [catalogue, earlier]) {
      expect(catalogueOfDay.novels().length).toBeGreaterThanOrEqual(3000);
      expect(catalogueOfDay.adultNovels().length).toBeGreaterThanOrEqual(300);
    }
    expect(catalogue.users().length).toBeGreaterThanOrEqual(1000);
  });

  test('every Ncode is valid, in rising order, and none is both general and adult', () => {
    for (const list of [novels, adult]) {
      const ncodes = list.map((novel) => novel.ncode);
      expect(ncodes.filter((ncode) => parseNcode(ncode) !== ncode || ncode.slice(1, 5) === '0000')).toEqual(
        [],
      );
      expect(ncodes.toSorted(compareNcodes)).toEqual(ncodes);
    }
    expect(new Set(everything.map((novel) => novel.ncode)).size).toBe(everything.length);
  });

  test('novels of all kinds: short, ongoing, complete, stopped, each genre, each adult genre, each style', () => {
    const kinds = new Set(novels.map((novel) => `${novel.noveltype}${novel.end}${novel.isstop}`));
    expect([...kinds].toSorted()).toEqual(['100', '110', '111', '200']);
    expect(new Set(novels.map((novel) => novel.genre))).toEqual(new Set(GENRE_LABELS.keys()));
    expect(new Set(adult.map((novel) => novel.nocgenre))).toEqual(new Set(NOCGENRE_LABELS.keys()));
    expect([...new Set(novels.map((novel) => novel.buntai))].toSorted()).toEqual([1, 2, 4, 6]);
  });

  test('adult entries are about adults, and never set in a school', () => {
    const young = /学園|学校|校舎|学生|生徒|高校|部活|少女|少年|令嬢|幼|見習い|期末試験|文化祭/;
    expect(adult.filter((novel) => young.test(novel.title + novel.story + novel.keyword))).toEqual([]);
  });

  test('authors with many novels and with none, and users without a first kana', () => {
    const counts = catalogue.users().map((user) => user.novel_cnt);
    expect(Math.max(...counts)).toBeGreaterThanOrEqual(30);
    expect(counts.filter((count) => count === 0).length).toBeGreaterThan(100);
    expect(catalogue.users().filter((user) => user.name1st === '').length).toBeGreaterThan(50);
    expect(new Set(catalogue.users().map((user) => user.name1st)).size).toBeGreaterThan(25);
  });
});

describe('the examples of the documents', () => {
  test('the novel, its author, the adult novel and the word exist, and the novel is in every ranking', () => {
    const novel = novels.find(({ ncode }) => ncode === EXAMPLES.ncode);
    expect(novel).toMatchObject({ title: EXAMPLES.title, userid: EXAMPLES.userid, writer: EXAMPLES.writer });
    const user = catalogue.users().find(({ userid }) => userid === EXAMPLES.userid);
    expect(user).toMatchObject({ name: EXAMPLES.writer, yomikata: EXAMPLES.yomikata });
    expect(adult.find(({ ncode }) => ncode === EXAMPLES.adultNcode)).toMatchObject({ xid: EXAMPLES.xid });
    expect(novels.filter(({ story }) => story.includes(EXAMPLES.word)).length).toBeGreaterThan(200);
    expect(new Set(catalogue.rankingHistory(EXAMPLES.ncode)?.map(({ rtype }) => rtype.at(-1)))).toEqual(
      new Set(['d', 'w', 'm', 'q']),
    );
  });

  test('they are the same on any day from 2021 on', () => {
    const catalogueOfDay = createEmbeddedCatalogue({ clock: standingClock(japan('2021-01-01T12:00:00')) });
    const { total } = catalogueOfDay
      .novelIndex()
      .search({ ncode: [EXAMPLES.ncode], order: 'new', st: 1, lim: 1 });
    expect(total).toBe(1);
    expect(catalogueOfDay.novels().find(({ ncode }) => ncode === EXAMPLES.ncode)?.title).toBe(EXAMPLES.title);
  });
});

describe('invariants of the upstream', () => {
  test('points: global_point is 2 a bookmark plus all_point, and a rating gives 2 to 10', () => {
    for (const novel of everything) {
      expect(novel.global_point).toBe(2 * novel.fav_novel_cnt + novel.all_point);
      expect(novel.all_point).toBeLessThanOrEqual(10 * novel.all_hyoka_cnt);
      expect(novel.all_point).toBeGreaterThanOrEqual(2 * novel.all_hyoka_cnt);
      expect(novel.daily_point % 2).toBe(0);
    }
  });

  test('reading time is a 500th of the length, rounded up', () => {
    for (const novel of everything) expect(novel.time).toBe(Math.ceil(novel.length / 500));
  });

  test('dates stand in order and none lies in the future', () => {
    for (const novel of everything) {
      const dates = [novel.general_firstup, novel.general_lastup, novel.novelupdated_at, novel.updated_at];
      expect(dates.toSorted()).toEqual(dates);
      expect(japanInstant(novel.updated_at)).toBeLessThanOrEqual(NOON);
    }
  });

  test('a short has one episode; only an ongoing novel is stopped, after 63 days without an episode', () => {
    const renewal = japan('2026-11-21T04:00:00');
    for (const novel of everything) {
      if (novel.noveltype === 2) expect([novel.end, novel.general_all_no]).toEqual([0, 1]);
      const silentDays = (renewal - japanInstant(novel.general_lastup)) / 86_400_000;
      expect(novel.isstop).toBe(novel.end === 1 && silentDays >= 63 ? 1 : 0);
    }
  });

  test('texts respect the limits of the site, flags match their keywords, genres match their big genre', () => {
    const awkward = new Set(
      novels.filter((novel) => novel.keyword.includes('実験')).map((novel) => novel.ncode),
    );
    for (const novel of everything) {
      expect(novel.title.length).toBeLessThanOrEqual(100);
      expect(novel.story.length).toBeLessThanOrEqual(1000);
      if ('genre' in novel) expect(novel.biggenre).toBe(biggenreOf(novel.genre));
      if (awkward.has(novel.ncode) || novel.keyword === '') continue;
      expect(novel.keyword.split(' ').includes('残酷な描写あり')).toBe(novel.iszankoku === 1);
    }
  });

  test("a user's sums are those of the user's novels", () => {
    for (const user of catalogue.users()) {
      const own = novels.filter((novel) => novel.userid === user.userid);
      expect(user.novel_cnt).toBe(own.length);
      expect(user.novel_length).toBe(own.reduce((sum, novel) => sum + novel.length, 0));
      expect(user.sum_global_point).toBe(own.reduce((sum, novel) => sum + novel.global_point, 0));
    }
    const ids = new Set(catalogue.users().map((user) => user.userid));
    expect(novels.filter((novel) => !ids.has(novel.userid))).toEqual([]);
  });
});

describe('edge cases', () => {
  const titles = novels.map((novel) => novel.title);

  test('titles of digits, of YAML words, of markup, of escapes, of 100 characters', () => {
    for (const title of ['404', '029', 'null', '~', `<b>&"'</b> 灯台守の目録`])
      expect(titles).toContain(title);
    expect(titles.some((title) => title.includes('&amp;'))).toBe(true);
    expect(titles.some((title) => title.length === 100)).toBe(true);
  });

  test('each of & < > " \' occurs in some title, some synopsis and some keyword or pen name', () => {
    for (const character of '&<>"\'') {
      expect(titles.some((title) => title.includes(character))).toBe(true);
      expect(novels.some((novel) => novel.story.includes(character))).toBe(true);
      expect(novels.some((novel) => (novel.keyword + novel.writer).includes(character))).toBe(true);
    }
  });

  test('characters beyond the basic plane in title, synopsis and pen name; a synopsis of 1000 characters', () => {
    const beyond = /[\u{10000}-\u{10ffff}]/u;
    expect(novels.some((novel) => beyond.test(novel.title))).toBe(true);
    expect(novels.some((novel) => beyond.test(novel.story))).toBe(true);
    expect(novels.some((novel) => beyond.test(novel.writer))).toBe(true);
    expect(novels.some((novel) => novel.story.length === 1000)).toBe(true);
    expect(novels.some((novel) => novel.story.includes('\n\n'))).toBe(true);
  });
});

describe('time', () => {
  test('the same seed and time give the same catalogue, another seed another', () => {
    const again = createEmbeddedCatalogue({ clock: standingClock(NOON) });
    const other = createEmbeddedCatalogue({ clock: standingClock(NOON), seed: 7 });
    expect(again.novels()).toEqual(novels);
    expect(again.users()).toEqual(catalogue.users());
    expect(other.novels().slice(0, 50)).not.toEqual(novels.slice(0, 50));
  });

  test('it is constant for a minute; points and readers are renewed at 04:00 in Japan', () => {
    const clock = standingClock(japan('2026-11-21T04:00:00'));
    const catalogueOfDay = createEmbeddedCatalogue({ clock });
    const before = catalogueOfDay.novels();
    const read = () =>
      catalogueOfDay.novels().map(({ global_point, daily_point }) => [global_point, daily_point]);
    const points = read();
    clock.set(japan('2026-11-21T04:00:59'));
    expect(catalogueOfDay.novels()).toBe(before);
    clock.set(japan('2026-11-21T04:30:00'));
    const changed = catalogueOfDay.novels().filter((each, index) => each !== before[index]);
    expect(changed.length).toBeGreaterThan(25);
    expect(changed.length).toBeLessThan(45);
    clock.set(japan('2026-11-22T03:59:59'));
    expect(read().slice(0, points.length)).toEqual(points);
    clock.set(japan('2026-11-22T04:00:00'));
    expect(read().slice(0, points.length)).not.toEqual(points);
    expect(catalogueOfDay.novels()[0]?.title).toBe(before[0]?.title);
  });

  test('a novel that does not exist yet has no ranking history, even after a later time was requested', () => {
    const clock = standingClock(NOON);
    const catalogueOfDay = createEmbeddedCatalogue({ clock });
    const before = new Set(catalogueOfDay.novels().map(({ ncode }) => ncode));
    clock.set(japan('2027-01-21T12:00:00'));
    const later = catalogueOfDay.novels().find(({ ncode }) => !before.has(ncode))?.ncode ?? '';
    expect(catalogueOfDay.rankingHistory(later)).not.toBeNull();
    clock.set(NOON);
    expect(catalogueOfDay.rankingHistory(later)).toBeNull();
  });
});

test('the changes of two weeks lead from the catalogue of the first day to that of today', () => {
  const now = Date.parse('2026-11-27T12:00:00+09:00');
  const at = (ms: number) => createEmbeddedCatalogue({ clock: { now: () => ms, monotonic: () => 0 } });
  const today = at(now);
  const lines = Buffer.from(today.changes().bytes).toString().trimEnd().split('\n');
  const events = lines.map((line) => JSON.parse(line) as ChangeEvent);
  const episodes = new Map(
    at(now - 14 * 86_400_000)
      .novels()
      .map((each) => [each.ncode, each.general_all_no]),
  );
  const skipped = events.filter(({ kind, ncode, episode, general_all_no = 0 }) => {
    const before = episodes.get(ncode) ?? 0;
    if (kind === 'new') episodes.set(ncode, general_all_no);
    if (kind === 'episode') episodes.set(ncode, episode ?? 0);
    return kind === 'episode' && episode !== before + 1;
  });
  expect(skipped).toEqual([]);
  expect(episodes).toEqual(new Map(today.novels().map((each) => [each.ncode, each.general_all_no])));
  expect(new Set(events.map(({ kind }) => kind))).toEqual(new Set(['new', 'episode', 'rewritten']));
});

test('an episode appears in nearly every minute, and later changes are added to the same log', () => {
  const clock = standingClock(NOON);
  const watched = createEmbeddedCatalogue({ clock });
  const before = watched.changes();
  const last = before.noticed.at(-1) ?? 0;
  clock.set(NOON + 3_600_000);
  const after = watched.changes();
  const added = Buffer.from(after.bytes)
    .toString()
    .trimEnd()
    .split('\n')
    .slice(after.noticed.findIndex((at) => at > last));
  const episodes = added
    .map((line) => JSON.parse(line) as ChangeEvent)
    .filter(({ kind }) => kind === 'episode');
  expect(new Set(episodes.map(({ noticedAt }) => noticedAt)).size).toBeGreaterThan(54);
  // What filters read of each line, too.
  expect(isDeepStrictEqual(after, createEmbeddedCatalogue({ clock }).changes())).toBe(true);
  // A corrected clock: what has not happened yet is in no log.
  clock.set(NOON);
  expect(Buffer.compare(watched.changes().bytes, before.bytes)).toBe(0);
});

test('the first kana of a furigana is a plain hiragana, or none', () => {
  const furigana = [
    'バショウ',
    'パセリ',
    'ヴィオラ',
    'ぎんなん',
    'ァコモジ',
    'ンガ',
    'ヂ',
    'ーノバシ',
    '鼠',
    'owl',
    '',
  ];
  expect(furigana.map(firstKana)).toEqual(['は', 'は', 'う', 'き', 'ぁ', 'ん', 'ち', '', '', '', '']);
});
