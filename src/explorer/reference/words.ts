import type { Language } from '../shell/language.ts';

/** What differs between the two services on the first screen. */
interface ServiceWords {
  reading: string;
  title: string;
  lead: string;
  /** The first line: of the page in front of the same service. */
  page: string;
  terms: string;
  form: string;
}

const ja = {
  brand: '目録',
  services: {
    catalogue: {
      reading: '小説 API の説明',
      title: '小説目録 API',
      lead: '小説家になろうの作品、ランキング、作者を、JSON で引けます。読み取り専用で、鍵も登録も要りません。',
      page: '画面で見る',
      terms:
        'データはなろうデベロッパー（dev.syosetu.com）のもので、その規約が使う人にも及びます。出典を示すこと、営利目的に使わないこと、2 週間より長く保存しないこと。成人向け作品は 18 歳以上の方だけに。',
      form: '答えは `{data, meta}` です。data が中身、meta は取得元（`source`）、保存された答えかどうか（`cached`）、所要時間（`tookMs`）、効かなかった引数（`ignored`）を伝えます。',
    },
    registration: {
      reading: 'ドメイン API の説明',
      title: 'ドメイン登録照会 API',
      lead: 'ドメイン名の登録情報を、レジストリ自身に WHOIS か RDAP でたずね、読み取って JSON で返します。鍵も登録も要りません。',
      page: '画面で調べる',
      terms: '登録情報は各レジストリのもので、その利用条件は `raw` の原文にあります。',
      form: '答えは登録の記録そのもので、包みはありません。`parsed` が読み取った項目、`raw` が原文です。書かれていない項目は `null` か空です。',
    },
  } as Readonly<Record<'catalogue' | 'registration', ServiceWords>>,
  facts: {
    address: 'アドレス',
    limits: '回数',
    answers: '答え',
    errors: '失敗',
    caching: '保存',
    terms: '規約',
  },
  limits:
    '1 分に 60 回まで。残りは `RateLimit` ヘッダーに。超えると `429` で、`Retry-After` の秒数だけ待てば必ず通ります。',
  errorForm:
    '失敗は必ず `{error: {code, message, details?}}` です。400 の details は、誤りをすべて挙げ、正しい値も示します。',
  caching:
    '`ETag` を `If-None-Match` で送ると、変わりがなければ `304`。`Age` は取得からの秒数、`Cache-Status` はどこから来たか。',
  anyOrigin: 'どのサイトのページからでも（CORS）、GET だけで。',
  samplesIn: '言語',
  tasks: 'やりたいことから',
  endpoints: 'エンドポイントから',
  contents: '目次',
  meta: 'meta',
  metaText: 'すべての答えに付く、答えについての事実です。',
  errors: 'エラー',
  errorsText: 'コードはプログラムのため、message は人のため。「再試行」は、同じ要求が後で通りうるものです。',
  code: 'コード',
  status: '状態',
  meaning: '意味',
  retry: '再試行',
  retryable: 'Retry-After の後に',
  parameters: '引数',
  inPath: 'パス',
  required: '必須',
  byDefault: (value: string) => `既定 ${value}`,
  example: (value: string) => `例 ${value}`,
  values: (values: string) => `値 ${values}`,
  fields: (count: string) => `答えの項目（${count}）`,
  errorsOf: (count: string) => `起こりうるエラー（${count}）`,
  exampleAnswer: '答えの例',
  cut: '長い一覧は 3 件に切ってあります。',
  liveAnswer: '答え',
  change: '変えて試す',
  run: '実行',
  running: '実行中…',
  add: '引数を足す',
  remove: (name: string) => `${name} を外す`,
  noCommand: 'コマンドにはありません。',
  copy: 'コピー',
  answered: (status: string, ms: string) => `${status} ・ ${ms} ミリ秒`,
  left: (left: string) => `この 1 分の残り ${left} 回`,
  openInTab: '別のタブで開く',
  unreachable: 'サービスにつながりません。',
  untilLoaded: '読み込み中',
  notLoaded: '説明を読み込めませんでした。同じ内容は /openapi.json にあります。',
};

export type ReferenceWords = typeof ja;

const en: ReferenceWords = {
  brand: 'Mokuroku',
  services: {
    catalogue: {
      reading: 'novel API reference',
      title: 'Novel Catalogue API',
      lead: 'Novels, rankings and authors of 小説家になろう, a Japanese site of web novels, as JSON. Read-only, without a key and without signing up.',
      page: 'Look around on the page',
      terms:
        'The data are those of なろうデベロッパー (dev.syosetu.com), and its terms bind whoever uses them: name the source, no commercial use, nothing kept for longer than two weeks. Adult novels are for readers of 18 and over.',
      form: 'Answers are `{data, meta}`. data is what you asked for; meta tells the `source`, whether the answer was kept (`cached`), how long it took (`tookMs`) and which parameters had no effect (`ignored`).',
    },
    registration: {
      reading: 'domain API reference',
      title: 'Domain Registration API',
      lead: 'Who registered a domain name, and until when: asked of the registry itself over WHOIS or RDAP, parsed, as JSON. No key, no signing up.',
      page: 'Look a name up on the page',
      terms: 'The records belong to their registries, each with its own terms, which stand in `raw`.',
      form: 'The answer is the record itself, without an envelope: `parsed` holds what could be read, `raw` the registry’s text. What is not stated is `null`, or empty.',
    },
  },
  facts: {
    address: 'Address',
    limits: 'Limit',
    answers: 'Answers',
    errors: 'Failures',
    caching: 'Caching',
    terms: 'Terms',
  },
  limits:
    '60 requests a minute. The `RateLimit` header tells what is left; beyond it comes a `429`, and after the seconds in `Retry-After` the next request succeeds.',
  errorForm:
    'Every failure is `{error: {code, message, details?}}`. The details of a 400 name every fault at once, and what would be right.',
  caching:
    'Send the `ETag` in `If-None-Match`: a `304` means that nothing has changed. `Age` is in seconds since the data were fetched, `Cache-Status` tells where they came from.',
  anyOrigin: 'From pages of any site (CORS), by GET alone.',
  samplesIn: 'Language',
  tasks: 'By task',
  endpoints: 'By endpoint',
  contents: 'Contents',
  meta: 'meta',
  metaText: 'Facts about the answer, in every answer.',
  errors: 'Errors',
  errorsText:
    'The code is for programs, the message for people. Where it says so, the same request can succeed later.',
  code: 'Code',
  status: 'Status',
  meaning: 'Meaning',
  retry: 'Try again',
  retryable: 'after Retry-After',
  parameters: 'Parameters',
  inPath: 'path',
  required: 'required',
  byDefault: (value) => `default ${value}`,
  example: (value) => `e.g. ${value}`,
  values: (values) => `one of ${values}`,
  fields: (count) => `Fields of the answer (${count})`,
  errorsOf: (count) => `Errors it can meet (${count})`,
  exampleAnswer: 'What it answers',
  cut: 'Long lists are cut to three.',
  liveAnswer: 'Answer',
  change: 'Change it and run it',
  run: 'Run',
  running: 'Running…',
  add: 'Add a parameter',
  remove: (name) => `Remove ${name}`,
  noCommand: 'The command line has none for this.',
  copy: 'Copy',
  answered: (status, ms) => `${status} · ${ms} ms`,
  left: (left) => `${left} requests left in this minute`,
  openInTab: 'Open in a tab',
  unreachable: 'The service cannot be reached.',
  untilLoaded: 'Loading',
  notLoaded: 'The reference could not be loaded. The same is in /openapi.json.',
};

export const REFERENCE_WORDS: Readonly<Record<Language, ReferenceWords>> = { ja, en };
