/** One row of a code table, as published by /v1/meta/*: `label_ja` is the site's own label. */
export interface CodeLabel {
  readonly code: number;
  readonly label_ja: string;
}

// Labels: the developer manuals of novelapi and novel18api (dev.syosetu.com/man/api/ and /xman/api/), as of
// August 2025. A genre's label carries its big genre in 〔〕; the brackets of nocgenre are ASCII. The upstream has no
// English names.

type Row = readonly [code: number, label: string, english: string];

const BIGGENRE_ROWS: readonly Row[] = [
  [0, '未選択', 'Unspecified'],
  [1, '恋愛', 'Romance'],
  [2, 'ファンタジー', 'Fantasy'],
  [3, '文芸', 'Literary'],
  [4, 'SF', 'Science fiction'],
  [99, 'その他', 'Other'],
  [98, 'ノンジャンル', 'Non-genre'],
];

const GENRE_ROWS: readonly Row[] = [
  [0, '未選択〔未選択〕', 'Unspecified'],
  [101, '異世界〔恋愛〕', 'Romance, another world'],
  [102, '現実世界〔恋愛〕', 'Romance, this world'],
  [201, 'ハイファンタジー〔ファンタジー〕', 'High fantasy'],
  [202, 'ローファンタジー〔ファンタジー〕', 'Low fantasy'],
  [301, '純文学〔文芸〕', 'Literary fiction'],
  [302, 'ヒューマンドラマ〔文芸〕', 'Human drama'],
  [303, '歴史〔文芸〕', 'History'],
  [304, '推理〔文芸〕', 'Mystery'],
  [305, 'ホラー〔文芸〕', 'Horror'],
  [306, 'アクション〔文芸〕', 'Action'],
  [307, 'コメディー〔文芸〕', 'Comedy'],
  [401, 'VRゲーム〔SF〕', 'VR games'],
  [402, '宇宙〔SF〕', 'Space'],
  [403, '空想科学〔SF〕', 'Speculative science'],
  [404, 'パニック〔SF〕', 'Disaster'],
  [9901, '童話〔その他〕', 'Fairy tales'],
  [9902, '詩〔その他〕', 'Poetry'],
  [9903, 'エッセイ〔その他〕', 'Essays'],
  [9904, 'リプレイ〔その他〕', 'Game replays'],
  [9999, 'その他〔その他〕', 'Other'],
  [9801, 'ノンジャンル〔ノンジャンル〕', 'Non-genre'],
];

const toLabels = (rows: readonly Row[]): readonly CodeLabel[] =>
  rows.map(([code, label]) => ({ code, label_ja: label }));

export const BIGGENRES = toLabels(BIGGENRE_ROWS);
export const GENRES = toLabels(GENRE_ROWS);

export const NOCGENRES: readonly CodeLabel[] = [
  { code: 1, label_ja: 'ノクターンノベルズ(男性向け)' },
  { code: 2, label_ja: 'ムーンライトノベルズ(女性向け)' },
  { code: 3, label_ja: 'ムーンライトノベルズ(BL)' },
  { code: 4, label_ja: 'ミッドナイトノベルズ(大人向け)' },
];

/** English names of genres and big genres by code. */
export const GENRE_NAMES: Readonly<Record<number, string>> = Object.fromEntries(
  [...BIGGENRE_ROWS, ...GENRE_ROWS].map(([code, , english]) => [code, english]),
);

const byCode = (table: readonly CodeLabel[]): ReadonlyMap<number, string> =>
  new Map(table.map((row) => [row.code, row.label_ja]));

/** Code to label, for the labels beside the codes in a novel record. */
export const GENRE_LABELS = byCode(GENRES);
export const NOCGENRE_LABELS = byCode(NOCGENRES);

/** Labels by field: `genre_label` stands beside `genre`. */
export const FIELD_LABELS: Readonly<Record<string, ReadonlyMap<number, string>>> = {
  genre: GENRE_LABELS,
  nocgenre: NOCGENRE_LABELS,
};

/** The big genre of a genre: the code without its last two digits (302 -> 3, 9801 -> 98). */
export function biggenreOf(genre: number): number {
  return Math.floor(genre / 100);
}
