import type { Text } from '../process/text.ts';

/** Responses that have a header: `answers` are successes, `lists` those of endpoints with other forms. */
type ResponseKind = 'all' | 'answers' | 'lists' | 'retryable';

interface PublishedHeader extends Text {
  readonly on: ResponseKind;
  readonly example: string;
}

/** Headers of responses for clients. OpenAPI documents them, and scripts of other origins may read them. */
export const PUBLISHED_HEADERS = {
  'X-Request-Id': {
    on: 'all',
    en: 'Id of the request, also in the log of the service.',
    ja: 'リクエストの ID。サービスのログにもあります。',
    example: 'k3f9-2a',
  },
  RateLimit: {
    on: 'all',
    en: 'Rest of the quota (IETF draft).',
    ja: 'レート制限の残り（IETF ドラフト）。',
    example: '"default";r=59;t=1',
  },
  'RateLimit-Policy': {
    on: 'all',
    en: 'The quota: requests in a window of seconds.',
    ja: 'レート制限: 秒数あたりのリクエスト数。',
    example: '"default";q=60;w=60',
  },
  'X-Data': {
    on: 'all',
    en: 'Sent with the value "sample" by a service whose data are all invented.',
    ja: 'データがすべて架空のサービスが、値 "sample" で付けます。',
    example: 'sample',
  },
  ETag: {
    on: 'answers',
    en: 'Weak validator over the data alone, for If-None-Match.',
    ja: 'データだけから計算した弱い検証子。If-None-Match で使います。',
    example: 'W/"Xo1q"',
  },
  'Cache-Control': {
    on: 'answers',
    en: 'How long the response may be cached, in seconds.',
    ja: 'レスポンスをキャッシュできる秒数。',
    example: 'public, max-age=300',
  },
  Age: {
    on: 'answers',
    en: 'Seconds since the data were fetched.',
    ja: 'データを取得してからの秒数。',
    example: '12',
  },
  'Cache-Status': {
    on: 'answers',
    en: 'Origin of the response (RFC 9211).',
    ja: 'レスポンスの出どころ（RFC 9211）。',
    example: 'mokuroku; hit; ttl=288',
  },
  'X-Total-Count': {
    on: 'lists',
    en: 'Number of all items of the list.',
    ja: '一覧の全件数。',
    example: '1432',
  },
  Link: {
    on: 'lists',
    en: 'Address of the next page of the list (RFC 8288); absent on the last page.',
    ja: '一覧の次のページのアドレス（RFC 8288）。最後のページにはありません。',
    example: '<https://api.example.org/items?st=21>; rel="next"',
  },
  'Content-Disposition': {
    on: 'lists',
    en: 'File name, for CSV and JSON lines: the question and the date.',
    ja: 'CSV と JSON 行のファイル名（質問と日付）。',
    example: 'attachment; filename="items-2026-11-19.csv"',
  },
  'X-Ignored': {
    on: 'lists',
    en: 'Query parameters without effect, for forms without `meta.ignored`.',
    ja: '無視されたクエリパラメーター。`meta.ignored` のない形式で付きます。',
    example: 'limit, page',
  },
  'X-Incomplete': {
    on: 'lists',
    en: 'What the rows lack, for forms without `meta`: the number or the first 50 names of each of its members about it.',
    ja: '行に欠けているもの。`meta` のない形式で、そのうち欠けを示すメンバーの数または先頭の 50 件を示します。',
    example: 'missing=2026-10-02; unreadable=1',
  },
  'Retry-After': {
    on: 'retryable',
    en: 'Seconds after which the same request can succeed.',
    ja: '同じリクエストが成功しうるまでの秒数。',
    example: '30',
  },
} as const satisfies Readonly<Record<string, PublishedHeader>>;

/** Names of the headers of some responses. */
export const headersOn = (...kinds: readonly ResponseKind[]): readonly string[] =>
  Object.entries(PUBLISHED_HEADERS).flatMap(([name, { on }]) => (kinds.includes(on) ? [name] : []));

/** Value of Access-Control-Expose-Headers. */
export const EXPOSED_HEADERS: string = [...Object.keys(PUBLISHED_HEADERS), 'Content-Length'].join(', ');
