import { expect, it } from 'vitest';
import { toJapanese } from './published-ja.ts';

it.each([
  ['1: only novels with cruel depictions.', '残酷な描写のある小説だけ（1）。'],
  ['1: only novels without cruel depictions.', '残酷な描写のない小説だけ（1）。'],
  [
    'Overall points: 2 a bookmark, and all_point. Unit: points. Equals 2 * fav_novel_cnt + all_point. Selected by `gp`.',
    '総合評価ポイント: ブックマーク 1 件につき 2 と all_point。2 * fav_novel_cnt + all_point に等しい値です。 単位: ポイント。 `gp` で選べます。',
  ],
  [
    'Points of the last 30 days, at the time of the latest ranking.',
    '最新のランキング時点での 30 日間のポイント。',
  ],
])('a description of a form is translated with all its parts: %s', (english, japanese) => {
  expect(toJapanese(english)).toBe(japanese);
});
