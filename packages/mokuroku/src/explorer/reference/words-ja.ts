import { ja as shell } from '../shell/words-ja.ts';

export const ja = {
  brand: '目録',
  /** Texts of the first screen that differ between the services. */
  services: {
    catalogue: {
      reading: '小説 API リファレンス',
      lead: '小説家になろうの作品、ランキング、作者を JSON で取得できます。読み取り専用で、このサービスに API キーは不要です。',
      page: '画面で見る',
      terms:
        'データはなろうデベロッパー（dev.syosetu.com）のもので、その規約は利用者にも適用されます。同サイトへのユーザー登録が必要です。出典を示し、営利目的に使わず、2 週間を超えて保存しないでください。成人向け作品は 18 歳以上の方のみ閲覧できます。サンプルは架空のデータで、規約の対象外です。',
      form: 'レスポンスは `{data, meta}` です。`data` が内容です。`meta` は取得元（`source`）、キャッシュの使用（`cached`）、所要時間（`tookMs`）、無視されたパラメーター（`ignored`）を示します。',
    },
    registration: {
      reading: 'ドメイン API リファレンス',
      lead: 'ドメイン名の登録情報を、レジストリに WHOIS または RDAP で問い合わせ、解析して JSON で返します。API キーも登録も不要です。',
      page: '画面で調べる',
      terms: '登録情報は各レジストリのもので、その利用条件は `raw` の原文にあります。',
      form: '登録情報をそのまま返し、`data` などで囲みません。`parsed` が解析した項目、`raw` が原文です。記載のない項目は `null` または空です。',
    },
  },
  facts: {
    address: 'ベース URL',
    limits: 'レート制限',
    answers: 'レスポンス',
    errors: 'エラー',
    caching: 'キャッシュ',
    terms: '規約',
  },
  limits:
    '1 分に 60 回までです。運営者が変えた場合の上限は `RateLimit-Policy`、残りは `RateLimit` ヘッダーで分かります。超えると `429` を返し、`Retry-After` の秒数だけ待てば再び受け付けます。',
  errorForm:
    'エラーはすべて `{error: {code, message, details?}}` です。400 の `details` は、すべての誤りと使用できる値を示します。',
  caching:
    '`ETag` を `If-None-Match` で送ると、変更がなければ `304` を返します。`Age` は取得からの秒数、`Cache-Status` はキャッシュの状態です。',
  anyOrigin: 'どのサイトのページからも、GET で利用できます（CORS）。',
  samplesIn: '言語',
  tasks: '目的別',
  contents: '目次',
  find: '検索',
  findWhat: '目的、パラメーター、値、項目、ヘッダー、エラー',
  foundNothing: '見つかりません。短い言葉で探してください。',
  kinds: {
    task: '目的',
    fact: '基本',
    endpoint: 'エンドポイント',
    parameter: 'パラメーター',
    value: '値',
    field: '項目',
    header: 'ヘッダー',
    error: 'エラー',
  },
  headers: 'ヘッダー',
  headersText: 'レスポンスのヘッダーです。該当する場合に付きます。',
  errorsText:
    '`code` はプログラム用、`message` は人が読むためのものです。「再試行」のエラーでは、同じリクエストが後で成功する場合があります。',
  retry: '再試行: Retry-After の後に',
  parameters: 'パラメーター',
  inPath: 'パス',
  required: '必須',
  byDefault: (value: string) => `既定 ${value}`,
  example: (value: string) => `例 ${value}`,
  values: (values: string) => `値 ${values}`,
  fields: '項目',
  tablesOf: 'レスポンスの項目表:',
  sharedFields: '共通の項目',
  fieldsOf: (count: string) => `その他の項目（${count}）`,
  exampleAnswer: 'レスポンスの例',
  cut: '長い一覧は 3 件に省略しています。',
  liveAnswer: 'レスポンス',
  change: '変えて試す',
  run: '実行',
  running: '実行中…',
  add: 'パラメーターを追加',
  remove: (name: string) => `${name} を外す`,
  noCommand: 'コマンドにはありません。',
  copy: 'コピー',
  answered: (status: string, ms: string) => `${status} ・ ${ms} ミリ秒`,
  remaining: (left: string) => `この 1 分の残り ${left} 回`,
  openInTab: '別のタブで開く',
};

export type ReferenceWords = typeof ja;

export const words = { shell, reference: ja };
