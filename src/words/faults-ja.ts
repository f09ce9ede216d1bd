// Faults of parameters and their remedies in Japanese, by the service's English.

type Write = (...parts: string[]) => string;

const TEXTS: Readonly<Record<string, string>> = {
  // Faults
  'unknown value': 'ない値です',
  'not usable': '使えない値です',
  // The command line prints these without the value.
  'no such code': 'ない値です',
  'no such word': 'ない値です',
  missing: '指定がありません',
  'missing beside to': 'to があるのに from がありません',
  'not together with date': 'date とは併用できません',
  'neither 0 nor 1': '0 でも 1 でもありません',
  'not a whole number in digits': '数字だけの整数ではありません',
  'neither a number nor a range': '数でも範囲でもありません',
  'the end lies below the beginning': '終わりが始まりより小さくなっています',
  'not a cursor': 'カーソルではありません',
  'not a date in the form YYYY-MM-DD': 'YYYY-MM-DD の形の日付ではありません',
  'no ranking of this period has this date': 'この期間のランキングにない日付です',
  'broken percent-encoding': 'パーセント符号化が壊れています',
  'not one hiragana': 'ひらがな 1 文字ではありません',
  'not one user id': 'ユーザー ID 1 つではありません',
  'not an Ncode': 'Nコードではありません',
  'it ends before it begins': '終わりが始まりより前です',
  'no such word, times or days': '言葉でも時刻でも日付でもありません',
  'no such type: leave it out for all types': 'ない種類です（すべての種類なら指定しません）',
  "known only to the site's own search page: request t (short) and r (ongoing) instead":
    'サイトの検索ページだけの値です（代わりに短編の t と連載中の r を指定します）',

  // Faults of domain names
  'it is empty': '名前が空です',
  'it has blanks, control or invisible characters': '空白か、見えない文字が含まれています',
  'it is an IP address, not a domain name': 'ドメイン名ではなく IP アドレスです',
  'give the name alone, without scheme, user, port, path or percent signs':
    '名前以外のもの（スキーム、ユーザー、ポート、パス、%）が含まれています',
  'it is not a valid internationalised name (IDNA)': '国際化ドメイン名（IDNA）として正しくありません',
  'it is the root of the name space, which is not registered with anyone':
    '名前空間のルートで、誰も登録していません',
  'it has an empty label (two dots together, or one at the start)': '点が続いているか、点で始まっています',

  // Remedies
  '0 or 1': '0 か 1',
  'a number (n) or a range (a-b, a-, -b), in digits': '数（n）か範囲（a-b、a-、-b）、数字で',
  'one hiragana, from ぁ to ん': 'ひらがな 1 文字、ぁ から ん まで',
  'user ids (digits), separated by commas': 'ユーザー ID（数字）、カンマ区切り',
  'one user id (digits)': 'ユーザー ID（数字）1 つ',
  'a cursor from `meta.next` or an event, or now': '`meta.next` か出来事のカーソル、または now',
  'percent-encoded UTF-8': 'パーセント符号化した UTF-8',
  'an Ncode: N, four digits, one or two letters (any case)':
    'Nコード（N、数字 4 桁、英字 1〜2 字。小文字も可）',
};

const PATTERNS: readonly (readonly [RegExp, Write])[] = [
  [/^must be at least (\S+)$/, (least) => `${least} 以上にしてください`],
  [/^must be at most (\S+)$/, (most) => `${most} 以下にしてください`],
  [/^must be at most (\w+), which is (\d+)$/, (name, most) => `${name}（${most}）以下にしてください`],
  [/^the upstream does not accept it together with (.*)$/, (others) => `${others} とは併用できません`],
  [/^before (\S+), when rankings begin$/, (day) => `ランキングが始まる ${day} より前です`],
  [/^before from, which is (\S+)$/, (from) => `from（${from}）より前です`],
  [/^given more than once \((\d+) times\)$/, (times) => `${times} 回指定されています`],
  [/^no such (?:code|word): (.*)$/, (codes) => `ない値です: ${codes}`],
  [/^not an Ncode; try (\w+)$/, (ncode) => `Nコードではありません（${ncode} のことですか）`],
  [/^not an? (?:user id|Ncode|xid): (.*)$/, (codes) => `この形では使えません: ${codes}`],
  [/^(\d+) codes, more than the (\d+) .*$/, (given, most) => `${given} 個は、${most} 個を超えています`],
  [
    /^(\d+) (?:codes|words|rankings), more than (\d+)$/,
    (given, most) => `${given} は、上限の ${most} を超えています`,
  ],
  [
    /^it has (\d+) characters; at most (\d+) are allowed$/,
    (length, most) => `${length} 文字は、上限の ${most} 文字を超えています`,
  ],
  [
    /^its label (".*") has (\d+) characters; at most (\d+) are allowed$/,
    (label, length, most) => `${label} の ${length} 文字は、上限の ${most} 文字を超えています`,
  ],
  [
    /^its label (".*") has characters other than letters, digits and hyphens$/,
    (label) => `${label} に、英数字とハイフン以外の文字があります`,
  ],
  [
    /^its label (".*") starts or ends with a hyphen$/,
    (label) => `${label} がハイフンで始まるか、終わっています`,
  ],
  [/^its label (".*") is not valid punycode$/, (label) => `${label} は正しい Punycode ではありません`],
  [
    /^its last label (".*") cannot be a top-level domain: .*$/,
    (label) => `${label} は 2 文字以上の英字ではなく、トップレベルドメインになりません`,
  ],
  [/^(\S+) calls it invalid$/, (server) => `${server} が無効な名前と応答しました`],
  [/^the upstream accepts no start position above (\d+)$/, (most) => `取得元は ${most} より先から返しません`],
  [/^at most one: (.*)$/, (right) => `1 つまで: ${allowedInJapanese(right)}`],
  [/^a whole number from (\d+) to (\d+), in digits$/, (from, to) => `${from} から ${to} までの整数、数字で`],
  [/^one of: (.*)$/, (values) => `次のどれか: ${values}`],
  [/^one or more of (.*), separated by commas$/, (codes) => `次のどれか、カンマ区切り: ${codes}`],
  [/^codes separated by hyphens: (.*)$/, (codes) => `次のコードをハイフン区切りで: ${codes}`],
  [/^at most (\d+) different words, separated by blanks$/, (most) => `空白で区切った ${most} 語まで`],
  [/^at most (\d+) Ncodes$/, (most) => `Nコード ${most} 個まで`],
  [
    /^at most (\d+) Ncodes \(.*\), separated by commas$/,
    (most) => `Nコード（N、数字 4 桁、英字 1〜2 字）${most} 個まで、カンマ区切り`,
  ],
  [
    /^at most (\d+) author ids of the adult site \(.*\), separated by commas$/,
    (most) => `成人向けサイトの作者 ID（x、数字 4 桁、英字 1〜2 字）${most} 個まで、カンマ区切り`,
  ],
  [/^a day \(YYYY-MM-DD\) from (\S+) on$/, (first) => `${first} 以後の日（YYYY-MM-DD）`],
  [
    /^a date \(YYYY-MM-DD\) from (\S+) on; a Monday for weekly, .*$/,
    (first) => `${first} 以後の日付（YYYY-MM-DD）。weekly は月曜日、monthly と quarterly は 1 日`,
  ],
  [/^one of ([\w, ]+); or (.*)$/, (words, right) => `${words} のどれか、または${allowedInJapanese(right)}`],
  [
    /^Unix times in seconds \((.*?)\) or days in Japan \((.*?)\); one end may be open \((.*?)\)$/,
    (times, days, open) => `Unix 時刻の秒（${times}）か日本の日付（${days}）。一方の端は省けます（${open}）`,
  ],
];

function inJapanese(text: string): string | undefined {
  if (Object.hasOwn(TEXTS, text)) return TEXTS[text];
  for (const [pattern, write] of PATTERNS) {
    const parts = pattern.exec(text);
    if (parts) return write(...parts.slice(1));
  }
  return undefined;
}

/** The fault. */
export const reasonInJapanese = (reason: string): string => inJapanese(reason) ?? '使えない値です';

/** The remedy; in the service's own words if there is no translation. */
export const allowedInJapanese = (allowed: string): string => inJapanese(allowed) ?? allowed;
