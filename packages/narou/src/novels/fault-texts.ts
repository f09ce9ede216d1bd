import { text } from '@mokuroku/kit';

// prettier-ignore
/**
 * The faults of the catalogue's parameters, beside those of the kit. A text that begins like another comes before it:
 * `words/faults-ja.ts` of the page takes the first that matches.
 */
export const NOVEL_FAULTS = {
  missingBesideTo: text('missing beside to', 'to があるのに from がありません'),
  notBesideDate: text('not together with date', 'date とは併用できません'),
  neitherZeroNorOne: text('neither 0 nor 1', '0 でも 1 でもありません'),
  notDigits: text('not a whole number in digits', '数字だけの整数ではありません'),
  notRange: text('neither a number nor a range', '数でも範囲でもありません'),
  reversedRange: text('the end lies below the beginning', '終わりが始まりより小さくなっています'),
  reversedTimes: text('it ends before it begins', '終わりが始まりより前です'),
  notTimes: text('no such word, times or days', '言葉でも時刻でも日付でもありません'),
  notCursor: text('not a cursor', 'カーソルではありません'),
  noRankingDate: text('no ranking of this period has this date', 'この期間のランキングにない日付です'),
  notHiragana: text('not one hiragana', 'ひらがな 1 文字ではありません'),
  notUserid: text('not one user id', 'ユーザー ID 1 つではありません'),
  allTypes: text('no such type: leave it out for all types', 'ない種類です（すべての種類なら指定しません）'),
  siteOnlyType: text("known only to the site's own search page: request t (short) and r (ongoing) instead",
    'サイトの検索ページだけの値です（代わりに短編の t と連載中の r を指定します）'),
  notNcode: text('not an Ncode', 'Nコードではありません'),
  meantNcode: (ncode: string) => text(`not an Ncode; try ${ncode}`, `Nコードではありません（${ncode} のことですか）`),
  notNcodes: (codes: string) => text(`not an Ncode: ${codes}`, `Nコードではありません: ${codes}`),
  notUserids: (codes: string) => text(`not a user id: ${codes}`, `ユーザー ID ではありません: ${codes}`),
  notXids: (codes: string) => text(`not an xid: ${codes}`, `作者 ID ではありません: ${codes}`),
  unknownCodes: (codes: string) => text(`no such code: ${codes}`, `ない値です: ${codes}`),
  unknownWords: (words: string) => text(`no such word: ${words}`, `ない値です: ${words}`),
  tooManyHere: (given: number, most: number) => text(`${given} codes, more than the ${most} that this source accepts at once`,
    `${given} 個は、${most} 個を超えています`),
  tooManyCodes: (given: number, most: number) => text(`${given} codes, more than ${most}`, `${given} は、上限の ${most} を超えています`),
  tooManyWords: (given: number, most: number) => text(`${given} words, more than ${most}`, `${given} は、上限の ${most} を超えています`),
  tooManyRankings: (given: number, most: number) => text(`${given} rankings, more than ${most}`, `${given} は、上限の ${most} を超えています`),
  tooSmall: (least: number) => text(`must be at least ${least}`, `${least} 以上にしてください`),
  aboveOther: (name: string, most: number) => text(`must be at most ${name}, which is ${most}`, `${name}（${most}）以下にしてください`),
  tooLarge: (most: number) => text(`must be at most ${most}`, `${most} 以下にしてください`),
  beyondStart: (most: number) => text(`the upstream accepts no start position above ${most}`, `取得元は ${most} より先から返しません`),
  notTogether: (others: string) => text(`the upstream does not accept it together with ${others}`, `${others} とは併用できません`),
  beforeFirst: (day: string) => text(`before ${day}, when rankings begin`, `ランキングが始まる ${day} より前です`),
  beforeFrom: (from: string) => text(`before from, which is ${from}`, `from（${from}）より前です`),
} as const;

// prettier-ignore
export const NOVEL_ALLOWED = {
  flag: text('0 or 1', '0 か 1'),
  range: text('a number (n) or a range (a-b, a-, -b), in digits', '数（n）か範囲（a-b、a-、-b）、数字で'),
  wholeNumber: (from: number, to: number) => text(`a whole number from ${from} to ${to}, in digits`, `${from} から ${to} までの整数、数字で`),
  someOf: (codes: string) => text(`one or more of ${codes}, separated by commas`, `次のどれか、カンマ区切り: ${codes}`),
  hyphenated: (codes: string) => text(`codes separated by hyphens: ${codes}`, `次のコードをハイフン区切りで: ${codes}`),
  words: (most: number) => text(`at most ${most} different words, separated by blanks`, `空白で区切った ${most} 語まで`),
  hiragana: text('one hiragana, from ぁ to ん', 'ひらがな 1 文字、ぁ から ん まで'),
  userids: text('user ids (digits), separated by commas', 'ユーザー ID（数字）、カンマ区切り'),
  userid: text('one user id (digits)', 'ユーザー ID（数字）1 つ'),
  cursor: text('a cursor from `meta.next` or an event, or now', '`meta.next` か出来事のカーソル、または now'),
  ncode: text('an Ncode: N, four digits, one or two letters (any case)', 'Nコード（N、数字 4 桁、英字 1〜2 字。小文字も可）'),
  ncodes: (most: number) => text(`at most ${most} Ncodes (N, four digits, one or two letters), separated by commas`,
    `Nコード（N、数字 4 桁、英字 1〜2 字）${most} 個まで、カンマ区切り`),
  fewerNcodes: (most: number) => text(`at most ${most} Ncodes`, `Nコード ${most} 個まで`),
  xids: (most: number) => text(`at most ${most} author ids of the adult site (x, four digits, one or two letters), separated by commas`,
    `成人向けサイトの作者 ID（x、数字 4 桁、英字 1〜2 字）${most} 個まで、カンマ区切り`),
  day: (first: string) => text(`a day (YYYY-MM-DD) from ${first} on`, `${first} 以後の日（YYYY-MM-DD）`),
  rankingDate: (first: string) => text(`a date (YYYY-MM-DD) from ${first} on; a Monday for weekly, the first of a month for monthly and quarterly`,
    `${first} 以後の日付（YYYY-MM-DD）。weekly は月曜日、monthly と quarterly は 1 日`),
  wordOrTimes: (words: string, times: string) => text(`one of ${words}; or ${times}`, `${words} のどれか、または${times}`),
  times: text('Unix times in seconds (1793458800-1795186799) or days in Japan (2026-11-01,2026-11-20); one end may be open (2026-11-01,)',
    'Unix 時刻の秒（1793458800-1795186799）か日本の日付（2026-11-01,2026-11-20）。一方の端は省けます（2026-11-01,）'),
} as const;
