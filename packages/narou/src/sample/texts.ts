import type { Random } from './random.ts';

// Building blocks of the invented texts, all made up. `{role}` stands for a word of SLOTS.role.

const wordsIn = (text: string): readonly string[] => text.trim().split(/\s+/);
const lines = (text: string): readonly string[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim());

const SLOTS = {
  role: wordsIn(`星図師 灯台守 硝子職人 薬草師 書記官 仕立屋 時計技師 門番 養蜂家 写本師 鍵師 見習い司書 料理番 測量士 庭師 茶師
    竜の世話係 塩商人 船大工 氷室番 楽器直し 紙漉き 代筆屋 渡し守 標本師`),
  person:
    wordsIn(`侯爵家の三女 辺境の領主 無口な騎士 旅の楽師 王立図書館の新人 隣国の使者 物静かな魔法使い 方向音痴の勇者 筆まめな皇女
    早起きの賢者 本好きの令嬢 猫舌の将軍 寝坊の聖女 忘れっぽい魔女 泳げない海賊 料理下手な伯爵夫人 老いた剣聖 片耳の狐`),
  modern:
    wordsIn(`図書委員の先輩 隣の席の転校生 夜勤明けの駅員 三階の経理さん 喫茶店の店主 豆腐屋の跡取り 写真部の後輩 終電の車掌
    文具店の看板娘 古書店のアルバイト 書道教室の先生 銭湯の番台さん 管理人室の老猫 同期の測量技師 向かいのパン屋`),
  grownup:
    wordsIn(`四十路の騎士団長 退役した将軍 老舗旅館の女将 三十二歳の会計士 五十歳の船長 壮年の外交官 離縁された公爵 酒蔵の六代目
    開業医の院長 勤続二十年の書記官 古書店の女主人 引退した剣聖 三十路の仕立屋 四十歳の建築家`),
  place:
    wordsIn(`雨の街 霧の谷 灰色の砦 北端の灯台 空に浮かぶ市場 砂に沈む図書館 月裏の港 忘れられた湯治場 硝子の森 王都の裏通り
    塩の平原 眠らない宿場町 逆さまの塔 七番目の島 鯨の背の町 苔むした離宮 雪解けの峠 迷子の多い迷宮 干潟の王国 最果ての郵便局`),
  town: wordsIn(`海沿いの商店街 坂の上の団地 川向こうの図書館 旧校舎の三階 各駅停車の終点 雨漏りする社員寮 屋上の菜園 半地下の喫茶店
    港の見える病室 路面電車の車庫 深夜の洗濯店 午前五時の市場 取り壊し前の映画館`),
  thing:
    wordsIn(`古い羅針盤 拾った卵 未完の地図 壊れた時計 名前のない花 百年前の手紙 喋る匙 半分の指輪 空の鳥籠 鍵のない箱 小さな竜
    左利きの剣 欠けた砂時計 星の欠片 金継ぎの茶碗 青い切手 旧式の魔導炉 影の薄い本 錆びた鈴 三枚の金貨 読めない日記 鳴らない鐘`),
  topic:
    wordsIn(`初恋 約束 家計簿 合鍵 忘れ物 交換日記 片想い 深夜番組 引っ越し 夕立 留守番電話 置き傘 最終列車 回覧板 水槽 花火
    万年筆 編みかけのマフラー 折り紙 目覚まし`),
  skill: wordsIn(
    `整理整頓 測量 聞き上手 保温 目分量 早寝 地図読み 発酵 暗算 荷造り 味見 火の番 値切り 皿洗い 二度寝`,
  ),
  verb: wordsIn(
    `守ります 直します 探しています 育てます 数えています 届けます 磨きます 待っています 売りません 拾いました 忘れません`,
  ),
  season: wordsIn(
    `春の終わり 梅雨の晴れ間 夏至の夜 初雪の朝 大晦日 花冷えの日 十五夜 幕末の横浜 大正の終わり`,
  ),
  number: wordsIn(`三 四 五 七 九 十二 十七 三十六 百 三百六十五`),
  name: wordsIn(
    `リュシア エルノ ティモ ハルカ カイト ミナモ ヨルン アスター セリカ ノエミ シグレ コハク トワ イオリ スズネ クレハ`,
  ),
};

const elsewhere = lines(`
  {role}は{place}で{thing}を{verb}
  追い出された{role}、{place}で{thing}と暮らす
  『{skill}』しか取り柄のない{role}ですが、{place}を任されました
  外れスキル【{skill}】で{place}を立て直します ～{thing}を添えて～
  {person}に拾われた{role}は今日も{thing}を{verb}
  転生したら{place}の{role}でした。とりあえず{thing}を{verb}
  {number}度目の{place}、今度こそ{thing}を{verb}
  婚約を白紙に戻された{role}は、{place}で{person}に{thing}を贈られる
  {person}様、その{thing}は私のではありません
  契約結婚のはずが、{person}は{thing}を手放してくれません
`);
const here = lines(`
  {modern}と{topic}の話をした{season}
  {town}で{modern}が{topic}を待っている
  {modern}は{topic}を知らない
  {town}の{number}番目の謎と{modern}
  {modern}の{topic}が気になって眠れません
  拝啓、{modern}。{topic}のことは忘れてください
`);
const adult = lines(`
  {grownup}と{thing}の秘めごと
  {season}、{grownup}は鍵をかける
  {place}の夜は{thing}とともに
  {grownup}は{grownup}を帰さない
`);

const TITLES = { elsewhere, here, adult };

const OPENINGS = {
  elsewhere: lines(`
    {person}である{name}は、ある日{thing}を拾う。
    「あなたに{thing}を預けたいのです」　{place}を訪れた{person}は、{name}にそう告げた。
    前の世界で{modern}だった{name}は、気がつくと{place}に立っていた。
    役立たずと呼ばれ続けたスキル『{skill}』。その本当の使い道を、{name}だけが知っている。
    {name}は{number}回目の人生でようやく{role}になれた。`),
  here: lines(`
    {season}、{town}で{modern}と出会った。
    {town}に引っ越してきた僕は、{topic}をなくしてしまう。
    「{topic}、返してもらえますか」　声をかけてきたのは{modern}だった。
    {town}が取り壊されるまで、あと{number}日。
    {modern}から届いた{topic}には、差出人の名前がなかった。`),
  /** Metadata of adult novels: nothing explicit, only adults, no school. */
  adult: lines(`
    {grownup}と{grownup}。互いに名前も知らないまま、{season}の一夜を同じ宿で過ごすことになった。
    {place}の夜会で、{grownup}は{grownup}から{thing}を手渡される。
    契約は{number}日間。そのあいだだけ、{grownup}は{grownup}の恋人を演じる。
    二十年ぶりに再会したふたりは、{place}で杯を交わす。`),
};

const MIDDLES = lines(`
  けれど{place}には、誰にも言えない秘密があった。
  頼れるのは{skill}の腕と、少しばかりの勇気だけ。
  手がかりは{thing}と、{number}行の走り書き。
  誰も傷つかない嘘を、ふたりは{number}年つき続けている。
  {season}までに返さなければ、{thing}は消えてしまう。
  「これ、{thing}じゃないですか？」「いいえ、{topic}です」
  その日から、静かな毎日は少しずつ騒がしくなっていく。
`);

const ENDINGS = lines(`
  これは、{thing}が見つかるまでの物語。
  {place}の片隅から始まる、静かな物語です。
  すれ違うふたりの、{number}日間の記録。
  ほのぼの時々しんみり。一話完結でどこからでも読めます。
  派手な戦いはありません。のんびりお付き合いください。
`);

/** The frequency of each flag, and the keyword that the site adds with it. */
const FLAGS = {
  isr15: { share: 0.33, keyword: 'R15' },
  isbl: { share: 0.05, keyword: 'ボーイズラブ' },
  isgl: { share: 0.05, keyword: 'ガールズラブ' },
  iszankoku: { share: 0.28, keyword: '残酷な描写あり' },
  istensei: { share: 0.2, keyword: '異世界転生' },
  istenni: { share: 0.1, keyword: '異世界転移' },
} as const;

const anywhere =
  wordsIn(`ほのぼの シリアス ハッピーエンド 日常 群像劇 成長 友情 家族 師弟 職人 年の差 身分差 男主人公 女主人公 一話完結
  のんびり 切ない 猫 旅 手紙 謎解き 図書館 料理 完結保証 毎日更新`);
const KEYWORDS = {
  elsewhere: [
    ...anywhere,
    ...wordsIn(`魔法 冒険 スローライフ 領地経営 内政 竜 精霊 錬金術 追放 ざまぁ 悪役令嬢 婚約破棄 聖女 騎士 王族
      ダンジョン 勇者 西洋風 辺境 薬師 スキル エルフ 宇宙 VRMMO 歴史 明治/大正`),
  ],
  here: [
    ...anywhere,
    ...wordsIn(
      `現代 学園 青春 部活 社会人 オフィス 商店街 喫茶店 同居 片想い 高校生 和風 あやかし 写真 人工知能`,
    ),
  ],
  adult: wordsIn(
    `大人の恋愛 年の差 身分差 契約結婚 再会 社会人 溺愛 ハッピーエンド 西洋風 和風 オフィス 騎士 秘密 一途 切ない`,
  ),
};

/** Parts of pen names as `writing/reading`; the reading is the furigana in katakana. */
const parts = (text: string) => wordsIn(text).map((pair) => pair.split('/') as [string, string]);

export const NAME_BEGINNINGS =
  parts(`夜長/ヨナガ 霧雨/キリサメ 白瀬/シラセ 硯/スズリ 雨傘/アマガサ 灯/トモシビ 月見坂/ツキミザカ
  苔庭/コケニワ 風待/カゼマチ 木漏日/コモレビ 朝凪/アサナギ 千歳飴/チトセアメ 蛍野/ホタルノ 薄氷/ウスライ 花筏/ハナイカダ
  味噌汁/ミソシル 猫背/ネコゼ ぽんかん/ポンカン ゆずみそ/ユズミソ ふくろう/フクロウ べに色/ベニイロ えのき/エノキ
  おにやんま/オニヤンマ れんげ/レンゲ らっこ/ラッコ るりいろ/ルリイロ りんどう/リンドウ ろうそく/ロウソク
  そらまめ/ソラマメ にんじん/ニンジン`);

export const NAME_ENDINGS =
  parts(`しおり/シオリ ことは/コトハ しずく/シズク 文/フミ 綴/ツヅリ 三郎丸/サブロウマル 小町/コマチ 遥/ハルカ
  十四郎/トウシロウ 千鶴/チヅル 燕/ツバメ 湊/ミナト 糸/イト つむぎ/ツムギ ねね/ネネ 堂/ドウ 書房/ショボウ 亭/テイ 工房/コウボウ`);

/** The setting of a novel, which determines its texts. */
export type Setting = keyof typeof TITLES;

/** Replaces every `{slot}` of a form with a word. */
const fillTemplate = (form: string, random: Random): string =>
  form.replace(/\{(\w+)\}/g, (_, slot: keyof typeof SLOTS) => random.pick(SLOTS[slot]));

/** At most 100 characters. */
export const makeTitle = (setting: Setting, random: Random): string =>
  fillTemplate(random.pick(TITLES[setting]), random);

/** A synopsis: a few sentences, in paragraphs or not. */
export function makeStory(setting: Setting, random: Random): string {
  const first = random.int(0, MIDDLES.length - 1);
  const middles = Array.from(
    { length: random.int(1, 4) },
    (_, index) => MIDDLES[(first + index) % MIDDLES.length],
  );
  return [random.pick(OPENINGS[setting]), ...middles, random.pick(ENDINGS)]
    .map((form = '') => fillTemplate(form, random))
    .join(random.pick(['', '\n', '\n\n　']));
}

type Flags = Partial<Record<keyof typeof FLAGS, 0 | 1>>;
const FLAG_NAMES = Object.keys(FLAGS) as (keyof Flags)[];

/** Adult entries have no flag for readers of 15 and over. */
export const makeFlags = (adult: boolean, random: Random): Flags => {
  const flags = FLAG_NAMES.map((name) => [name, random.chance(FLAGS[name].share) ? 1 : 0] as const);
  return Object.fromEntries(flags.filter(([name]) => !adult || name !== 'isr15'));
};

/** Keywords separated by spaces: first those of the flags, then some of the setting's, without duplicates. */
export function makeKeyword(setting: Setting, flags: Flags, random: Random): string {
  const set = FLAG_NAMES.filter((name) => flags[name] === 1).map((name) => FLAGS[name].keyword);
  const chosen = Array.from({ length: random.int(2, 8) }, () => random.pick(KEYWORDS[setting]));
  return [...new Set([...set, ...chosen])].join(' ');
}
