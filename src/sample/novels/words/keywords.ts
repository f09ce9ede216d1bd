import { words } from './word-list.ts';

/** Keywords that the site sets by itself, by the flag that they stand for. */
export const FLAG_KEYWORDS = {
  isr15: 'R15',
  isbl: 'ボーイズラブ',
  isgl: 'ガールズラブ',
  iszankoku: '残酷な描写あり',
  istensei: '異世界転生',
  istenni: '異世界転移',
} as const;

const anywhere = words(`
  ほのぼの シリアス ハッピーエンド 日常 群像劇 成長 友情 家族 師弟 職人 もふもふ 年の差 身分差 男主人公 女主人公
  一話完結 のんびり 切ない ダーク 溺愛 幼馴染 猫 旅 手紙 謎解き ネット小説祭 春の短編企画 完結保証 毎日更新
`);

const elsewhere = words(`
  魔法 冒険 スローライフ 領地経営 内政 料理 竜 精霊 錬金術 生産職 追放 ざまぁ 悪役令嬢 婚約破棄 聖女 騎士 王族 貴族
  チート ダンジョン 勇者 魔王 西洋風 中世 辺境 図書館 薬師 鑑定 スキル ギルド 獣人 エルフ
`);

const here = words(`
  現代 学園 青春 部活 先輩後輩 社会人 オフィス 商店街 喫茶店 田舎 同居 片想い 両想い 高校生 大学生 季節もの 夏 冬
  和風 あやかし 神様 料理 本 図書室 写真 音楽
`);

const future = words(`
  宇宙 近未来 人工知能 ロボット VRMMO ゲーム 生産職 サバイバル 群像 軍隊 ディストピア 時間 月面 星間 科学 終末 AI
`);

const past = words(
  `歴史 時代小説 江戸 戦国 平安 明治/大正 古典 武士 陰陽師 人情 捕物 伝奇 中華 シルクロード`,
);

/** Keywords by the big genre's code. */
export const KEYWORDS: Readonly<Record<number, readonly string[]>> = {
  0: anywhere,
  1: [...anywhere, ...elsewhere, ...here],
  2: [...anywhere, ...elsewhere],
  3: [...anywhere, ...here, ...past],
  4: [...anywhere, ...future],
  98: anywhere,
  99: [...anywhere, ...here],
};

export const ADULT_KEYWORDS = words(`
  大人の恋愛 年の差 身分差 契約結婚 再会 社会人 溺愛 じれじれ ハッピーエンド 西洋風 和風 オフィス 騎士 貴族 同僚 秘密
  一途 同居 切ない 政略結婚
`);
