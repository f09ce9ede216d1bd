/** One row of a code table, as published by /v1/meta/*: `label_ja` is the site's own label. */
export interface CodeLabel {
  readonly code: number;
  readonly label_ja: string;
}

// Labels: the developer manuals of novelapi and novel18api (dev.syosetu.com/man/api/ and /xman/api/), as of
// August 2025. A genre's label carries its big genre in 〔〕; the brackets of nocgenre are ASCII.

export const BIGGENRES: readonly CodeLabel[] = [
  { code: 0, label_ja: '未選択' },
  { code: 1, label_ja: '恋愛' },
  { code: 2, label_ja: 'ファンタジー' },
  { code: 3, label_ja: '文芸' },
  { code: 4, label_ja: 'SF' },
  { code: 99, label_ja: 'その他' },
  { code: 98, label_ja: 'ノンジャンル' },
];

export const GENRES: readonly CodeLabel[] = [
  { code: 0, label_ja: '未選択〔未選択〕' },
  { code: 101, label_ja: '異世界〔恋愛〕' },
  { code: 102, label_ja: '現実世界〔恋愛〕' },
  { code: 201, label_ja: 'ハイファンタジー〔ファンタジー〕' },
  { code: 202, label_ja: 'ローファンタジー〔ファンタジー〕' },
  { code: 301, label_ja: '純文学〔文芸〕' },
  { code: 302, label_ja: 'ヒューマンドラマ〔文芸〕' },
  { code: 303, label_ja: '歴史〔文芸〕' },
  { code: 304, label_ja: '推理〔文芸〕' },
  { code: 305, label_ja: 'ホラー〔文芸〕' },
  { code: 306, label_ja: 'アクション〔文芸〕' },
  { code: 307, label_ja: 'コメディー〔文芸〕' },
  { code: 401, label_ja: 'VRゲーム〔SF〕' },
  { code: 402, label_ja: '宇宙〔SF〕' },
  { code: 403, label_ja: '空想科学〔SF〕' },
  { code: 404, label_ja: 'パニック〔SF〕' },
  { code: 9901, label_ja: '童話〔その他〕' },
  { code: 9902, label_ja: '詩〔その他〕' },
  { code: 9903, label_ja: 'エッセイ〔その他〕' },
  { code: 9904, label_ja: 'リプレイ〔その他〕' },
  { code: 9999, label_ja: 'その他〔その他〕' },
  { code: 9801, label_ja: 'ノンジャンル〔ノンジャンル〕' },
];

export const NOCGENRES: readonly CodeLabel[] = [
  { code: 1, label_ja: 'ノクターンノベルズ(男性向け)' },
  { code: 2, label_ja: 'ムーンライトノベルズ(女性向け)' },
  { code: 3, label_ja: 'ムーンライトノベルズ(BL)' },
  { code: 4, label_ja: 'ミッドナイトノベルズ(大人向け)' },
];

/** English names of genres and big genres by code; the upstream has none. */
export const GENRE_NAMES: Readonly<Record<number, string>> = {
  0: 'Unspecified',
  1: 'Romance',
  2: 'Fantasy',
  3: 'Literary',
  4: 'Science fiction',
  98: 'Non-genre',
  99: 'Other',
  101: 'Romance, another world',
  102: 'Romance, this world',
  201: 'High fantasy',
  202: 'Low fantasy',
  301: 'Literary fiction',
  302: 'Human drama',
  303: 'History',
  304: 'Mystery',
  305: 'Horror',
  306: 'Action',
  307: 'Comedy',
  401: 'VR games',
  402: 'Space',
  403: 'Speculative science',
  404: 'Disaster',
  9801: 'Non-genre',
  9901: 'Fairy tales',
  9902: 'Poetry',
  9903: 'Essays',
  9904: 'Game replays',
  9999: 'Other',
};

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
