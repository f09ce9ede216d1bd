import { ja as shell } from '../shell/words-ja.ts';
import { toJapanese } from '../../words/published-ja.ts';

/** Texts of the first screen that differ between the services. */
interface ServiceWords {
  reading: string;
  title: string;
  lead: string;
  /** The first line: the page of the same service. */
  page: string;
  terms: string;
  form: string;
}

export const ja = {
  brand: '目録',
  services: {
    catalogue: {
      reading: '小説 API の説明',
      title: '小説目録 API',
      lead: '小説家になろうの作品、ランキング、作者を、JSON で引けます。読み取り専用で、鍵も登録も要りません。',
      page: '画面で見る',
      terms:
        'データはなろうデベロッパー（dev.syosetu.com）のもので、その規約が使う人にも及びます。出典を示すこと、営利目的に使わないこと、2 週間より長く保存しないこと。成人向け作品は 18 歳以上の方だけに。',
      form: 'レスポンスは `{data, meta}` です。data が中身、meta は取得元（`source`）、キャッシュからかどうか（`cached`）、所要時間（`tookMs`）、効かなかった引数（`ignored`）を伝えます。',
    },
    registration: {
      reading: 'ドメイン API の説明',
      title: 'ドメイン登録照会 API',
      lead: 'ドメイン名の登録情報を、レジストリ自身に WHOIS か RDAP でたずね、読み取って JSON で返します。鍵も登録も要りません。',
      page: '画面で調べる',
      terms: '登録情報は各レジストリのもので、その利用条件は `raw` の原文にあります。',
      form: 'レスポンスは登録の記録そのもので、包みはありません。`parsed` が読み取った項目、`raw` が原文です。書かれていない項目は `null` か空です。',
    },
  } as Readonly<Record<'catalogue' | 'registration', ServiceWords>>,
  facts: {
    address: 'アドレス',
    limits: '回数',
    answers: 'レスポンス',
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
  find: 'さがす',
  findWhat: 'やりたいこと、引数、項目、エラー',
  foundNothing: '見つかりません。',
  kinds: {
    task: 'やりたいこと',
    endpoint: 'エンドポイント',
    parameter: '引数',
    field: '項目',
    error: 'エラー',
  },
  meta: 'meta',
  metaText: 'すべてのレスポンスに付く、レスポンスについての事実です。',
  errors: 'エラー',
  errorsText: 'コードはプログラムのため、message は人のため。「再試行」は、同じ要求が後で通りうるものです。',
  retry: '再試行',
  retryable: 'Retry-After の後に',
  parameters: '引数',
  inPath: 'パス',
  required: '必須',
  byDefault: (value: string) => `既定 ${value}`,
  example: (value: string) => `例 ${value}`,
  values: (values: string) => `値 ${values}`,
  fields: (count: string) => `レスポンスの項目（${count}）`,
  errorsOf: (count: string) => `起こりうるエラー（${count}）`,
  exampleAnswer: 'レスポンスの例',
  cut: '長い一覧は 3 件に切ってあります。',
  liveAnswer: 'レスポンス',
  change: '変えて試す',
  run: '実行',
  running: '実行中…',
  add: '引数を足す',
  remove: (name: string) => `${name} を外す`,
  noCommand: 'コマンドにはありません。',
  copy: 'コピー',
  answered: (status: string, ms: string) => `${status} ・ ${ms} ミリ秒`,
  remaining: (left: string) => `この 1 分の残り ${left} 回`,
  openInTab: '別のタブで開く',
  unreachable: 'サービスにつながりません。',
};

export type ReferenceWords = typeof ja;

export const words = { shell, reference: ja, published: toJapanese };
