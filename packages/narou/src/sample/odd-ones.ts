import type { CatalogueNovel } from '../scan/catalogue-novel.ts';
import { EXAMPLES } from '../novels/examples.ts';

/** Fields that replace the random ones. */
type Given = Partial<
  Pick<CatalogueNovel, 'title' | 'story' | 'keyword' | 'userid' | 'writer' | 'genre' | 'noveltype'>
>;

/** The example of the documents. */
const EXAMPLE: Given = {
  title: EXAMPLES.title,
  story:
    '星図師の娘は、雨の街の図書館で一枚の地図を拾った。\n描かれているのは、まだ誰も見たことのない夜空だった。',
  keyword: '冒険 魔法 成長 図書館',
  userid: EXAMPLES.userid,
  writer: EXAMPLES.writer,
  genre: 201,
  noveltype: 1,
};

/** Texts that are difficult to transport or to display. */
const AWKWARD: readonly Given[] = [
  // Markup and its escapes. A title that reads `&amp;` must not be decoded twice.
  { title: `<b>&"'</b> 灯台守の目録` },
  { title: '&amp; と &lt; の違いを説明できない司書' },
  { title: '1 < 2 & 3 > 2', story: '不等号の恋。\n\n1 < 2 && 3 > 2;\n"ふたり" > \'ひとり\'' },
  { title: '&#39;&quot;&nbsp;', story: '文字参照だけの題名。&hellip; そのまま読んでください。' },
  { title: '</script><!-- 終わり -->', keyword: 'R&D <実験> "引用" \'単引用\' C/D' },
  // Titles that look like values other than text.
  ...['404', '029', '1e3', '-1', 'null', '~', '2024-02-30', 'N0001TA', '[]'].map((title) => ({ title })),
  { title: '- : # ? | > @ ` % ! *' },
  // Characters outside the basic plane, joined, combining, zero-width, or treated as line ends.
  { title: '👨‍👩‍👧‍👦と𠮷野の宿屋、はじめました🍡' },
  { title: '𩸽を焼く夜 🌌', story: '𩸽（ほっけ）を焼く。\n🔥🐟🔥\n' + '𠮷'.repeat(40) },
  { title: 'か\u3099くせいの魔女', story: '結合文字の濁点で書かれた「か\u3099」。' },
  { title: '幅の\u200bない空白', keyword: '零幅\u200b空白 実験' },
  { title: '行\u2028区切りと段落\u2029区切り', story: '一行目\u2028二行目\u2029三行目' },
  { title: 'É́ñ ﷽ العربية 한국어', story: '右から左へ書く文字 العربية を混ぜた旅行記。' },
  // Spaces, slashes, control characters.
  { title: '　全角の空白で始まり終わる　' },
  { title: 'C:\\物語\\n\\u3042 / 戻り値は\\0', story: '逆斜線\\と斜線/だけの街。\t字下げは水平タブ。' },
  // The limits of the site: titles of 100 characters, synopses of 1000.
  {
    title: '長い題名を付けなければ誰にも読んでもらえないと信じている文具店の看板娘が'.repeat(3).slice(0, 100),
  },
  {
    title: '千文字のあらすじ',
    story: `${'灯台守は霧の夜ごとに鐘を鳴らした。\n'.repeat(60).slice(0, 997)}おわり`,
  },
  { title: 'あ', story: '一\n\n\n二\n\n\n三\n' },
  { title: 'キーワードのない話', keyword: '' },
];

/** By index in the general catalogue. */
export const ODD_NOVELS = new Map<number, Given>([
  ...AWKWARD.map((given, index) => [60 + 37 * index, given] as const),
  [2400, EXAMPLE],
]);

const NAMES: readonly (readonly [string, string])[] = [
  [EXAMPLES.writer, EXAMPLES.yomikata],
  ['Owl & Lantern', ''],
  ['404', ''],
  ['<taro>', 'タロウ'],
  ["O'Hana", 'オハナ'],
  ['𠮷野家紋', 'ヨシノカモン'],
  ['　全角空白　', 'ゼンカククウハク'],
  ['鼠と月', 'ねずみとつき'],
  ['ァ小文字', 'ァコモジ'],
];

/** Name and furigana by index of the account. */
export const ODD_NAMES: ReadonlyMap<number, readonly [string, string]> = new Map(
  NAMES.map((name, index) => [13 * index, name]),
);
