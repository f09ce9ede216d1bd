import { OF_FIELDS } from '../catalogue/novels/of-fields.ts';
import type { OfField } from '../catalogue/novels/of-fields.ts';
import {
  NOVEL18API_ORDERS,
  NOVELAPI_ORDERS,
  USERAPI_ORDERS,
  describeOrders,
} from '../catalogue/novels/orders.ts';
import type { Text } from '../catalogue/novels/parameter.ts';
import { ADULT_NOVEL_ROWS, NOVEL_ROWS } from '../catalogue/novels/search-conditions.ts';
import { DATES, DETAILS } from '../registration/record/fields.ts';

type Rows = Readonly<Record<string, { readonly text: Text }>>;

/** The texts that are declared in both languages. */
const DECLARED: readonly Rows[] = [NOVEL_ROWS, ADULT_NOVEL_ROWS, DATES, DETAILS];
const FIELDS: readonly OfField[] = OF_FIELDS;
const ORDERS = [NOVELAPI_ORDERS, NOVEL18API_ORDERS, USERAPI_ORDERS].map(describeOrders);
const DECLARED_JA = new Map([
  ...ORDERS.map(({ en, ja }) => [en, ja] as const),
  ...DECLARED.flatMap((rows) => Object.values(rows).map(({ text }) => [text.en, text.ja] as const)),
  ...FIELDS.map(({ text, note }) =>
    note ? ([`${text.en} ${note.en}`, text.ja + note.ja] as const) : ([text.en, text.ja] as const),
  ),
]);

/** The other published descriptions. `toJapanese` also reads their patterns. */
const TEXTS: Readonly<Record<string, string>> = {
  // Groups
  Novels: '小説',
  Rankings: 'ランキング',
  Users: 'ユーザー',
  'Adult novels': '成人向け作品',
  'Code tables': 'コード表',
  Registration: '登録情報',
  Service: 'サービス',
  'Search, one novel, its history in the rankings.': '検索、1 作品、その順位の推移。',
  'Daily, weekly, monthly and quarterly, with and without novel data.':
    '日間、週間、月間、四半期。作品の情報つきでも、なしでも。',
  'Authors and readers.': '作者と読者。',
  'Metadata only; not to be shown to anyone under 18.':
    'メタデータのみ。18 歳未満の方には見せないでください。',
  'Genre codes and their labels.': 'ジャンルのコードと名前。',
  'Who registered what, where and until when.': '誰が、どこで、いつまで登録しているか。',
  'What this service is and works with.': 'このサービスと、使っているデータについて。',

  // Endpoints
  'Search novels': '小説を検索する',
  'Novels that match all conditions. Several values of one parameter are alternatives. The upstream returns the first 2,499 matches only: narrow the search to see others.':
    '指定した条件をすべて満たす小説。1 つのパラメーターに複数の値を書くと「どれか」になります。取得元は先頭の 2,499 件までしか返さないので、その先を見るには条件を絞ってください。',
  'Get one novel': '小説を 1 つ取得する',
  'All fields of a novel.': '小説のすべての項目。',
  'Get the ranking history of a novel': '小説が載ったランキングを取得する',
  'Every ranking (300 entries each) that contains the novel, by date. Empty if it never ranked.':
    '小説が載った、保存されているすべてのランキング（各 300 位まで）を日付順に。載ったことがなければ空です。',
  'Get a ranking': 'ランキングを取得する',
  'Get a ranking with its novels': 'ランキングを作品の情報つきで取得する',
  "A ranking (with `from` and `to` several, each as `{date, entries}`), each entry with the fields of its novel that `of` selects. The novel's points and counts are current, not those of the ranking's date. An entry whose novel was withdrawn has only rank, pt and ncode.":
    'ランキング（`from` と `to` ではいくつものランキングを `{date, entries}` で）の各順位に、`of` で選んだ作品の項目が付きます。ポイントや件数は、その日ではなく現在のものです。取得できなくなった作品（削除、非公開、検索除外）は rank、pt、ncode だけになります。',
  'Search users': 'ユーザーを検索する',
  'Authors and readers, newest first. `of` is not supported here.':
    '作者と読者を新しい順に。ここでは `of` は使えません。',
  'Get one user': 'ユーザーを 1 人取得する',
  'An author or reader by user id.': 'ユーザー ID で、作者または読者を 1 人。',
  'Search adult novels (metadata only)': '成人向け作品を検索する（メタデータのみ）',
  'Like the search of novels, on the adult interface. Not to be shown to anyone under 18. Metadata only: responses contain no text of a novel.':
    '小説の検索と同じことを、成人向けのインターフェースで。18 歳未満の方には見せないでください。返るのはメタデータだけで、本文が含まれることはありません。',
  'Get one adult novel (metadata only)': '成人向け作品を 1 つ取得する（メタデータのみ）',
  'All metadata of an adult novel. Not to be shown to anyone under 18.':
    '成人向け作品のすべてのメタデータ。18 歳未満の方には見せないでください。',
  'List genres and big genres': 'ジャンルと大ジャンルを一覧する',
  'The codes of `genre` and `biggenre` with their labels. A genre belongs to the big genre genre / 100, rounded down.':
    '`genre` と `biggenre` のコードと名前。ジャンルは、100 で割って切り捨てた大ジャンルに属します。',
  'List adult genres': '成人向けのジャンルを一覧する',
  'The codes of `nocgenre` with their labels.': '`nocgenre` のコードと名前。',
  'Look a domain name up': 'ドメイン名を検索する',
  'Queries the root server for the registry of the name, then the registry, and parses its answer. Where a registry has no WHOIS, or it is unavailable or refuses, RDAP is used.':
    'ルートサーバーで担当レジストリを調べ、レジストリに問い合わせて応答を解析します。WHOIS がない、停止している、または拒否された場合は RDAP を使います。',
  'Whether a name is available': '名前を取得できるか',
  'The same look-up as yes, no or unknown. 200 whenever the question was answered; a registry that throttles, refuses or is unavailable is an error.':
    '同じ検索の結果を「取得可能」「取得不可」「不明」で返します。判定できれば 200 です。レジストリのレート制限、拒否、停止はエラーになります。',
  'Data of the service': 'サービスが使っているデータ',
  'Version, source, and the dates of what is bundled or fetched.':
    'バージョン、取得元、同梱または取得したデータの日付。',
  'Look many names up': '複数の名前を検索する',
  'A line of JSON per name, as soon as it is ready: the response of `/{domain}`, or `domain` with `error`, `status`, and `retryAfterSeconds` if known. Each name counts as one request; names beyond the limit get `rate_limited`.':
    '名前ごとに 1 行の JSON を、結果が出た順に返します。`/{domain}` と同じレスポンスか、`domain` とその `error`、`status`（分かれば `retryAfterSeconds` も）です。名前 1 つを 1 リクエストと数え、超えた分は `rate_limited` になります。',
  'Expiry of a name for calendars': '有効期限のカレンダー',
  'A calendar with the day on which the registration ends or is deleted (UTC), and reminders 30 and 7 days before. Its entry says so if the name has expired or is about to be deleted. Subscribe to it: it follows renewals. `not_found` if the registry publishes no date.':
    '登録が切れる日または削除される日（UTC）と、30 日前と 7 日前の通知が入ったカレンダーです。期限切れや削除待ちの名前では、予定にその旨を示します。購読すれば更新にも追従します。レジストリが期限を示さなければ `not_found` です。',
  'Whether and how the registration ends, from its status and dates: `expired`, `redemption` (deleted, its holder can restore it), `pending_delete`, `on_hold` (removed from the DNS). A registry may have renewed such a name by a year, so `daysLeft` alone does not show it. Null if neither a status nor a date is stated.':
    '登録が終わるかどうかと、その状態。status と日付から判定します: `expired`（期限切れ）、`redemption`（削除済みで、登録者が復旧可能）、`pending_delete`（削除待ち）、`on_hold`（DNS から除外）。レジストリがそのような名前を 1 年更新していることがあるため、`daysLeft` だけでは分かりません。status も日付も記載がなければ null です。',
  'Expiry of a name for Prometheus': 'Prometheus のための有効期限',
  "For Prometheus' multi-target pattern: time until a name expires, how it ends, and its statuses. 200 also if the look-up failed; see `domain_lookup_success`.":
    'Prometheus の multi-target 方式のための、登録の残り時間、終了の状態、status。照会に失敗しても 200 で、成否は `domain_lookup_success` が示します。',

  'Get the ranking histories of many novels': '複数の小説のランキング履歴を取得する',
  'The response of `/v1/novels/{ncode}/ranking-history` for up to 50 novels (500 on a local catalogue): an object by Ncode, null for an unknown novel. Each uncached history costs one or two upstream requests of your daily share; the request itself counts once. If one fails, the response is its error; a repeated request resumes. With `format=ndjson` each history is a line, `{ncode, data}` or `{ncode, error}`, sent as soon as it is ready.':
    '`/v1/novels/{ncode}/ranking-history` のレスポンスを、一度に 50 作品まで（ローカルカタログでは 500 作品まで）返します。Nコードをキーとするオブジェクトで、存在しない小説は null です。キャッシュにない履歴は、1 件につき取得元へのリクエスト 1〜2 回を 1 日の割り当てから消費します（このリクエスト自体は 1 回と数えます）。1 件でも失敗するとそのエラーを返し、再試行すると続きから取得します。`format=ndjson` では、推移が届くたびに 1 行（`{ncode, data}` か `{ncode, error}`）を返します。',
  'The first 300 entries of a period, without novel data. A past ranking never changes. With `from` (and `to`) several rankings, each as `{date, entries}`.':
    '期間の上位 300。作品の情報は付きません。過去のランキングは変わりません。`from`（と `to`）では、複数のランキングを `{date, entries}` で返します。',

  'Suggest titles, pen names and keywords': '題名、作者名、キーワードの候補を出す',
  'Titles, pen names and keywords that contain the typed words in any case and width, by weekly points: for search fields, at each keystroke. Needs a local catalogue or the sample: 501 on the live upstream.':
    '入力された語を含む題名、作者名、キーワードを、週間ポイントの高い順に返します。大文字と小文字、全角と半角は区別しません。検索欄で 1 文字入力するごとに使えます。ローカルカタログまたはサンプルが必要です。実際の取得元では 501 を返します。',

  'Entries by rank with their novels; with `from` several rankings by date.':
    '順位ごとの作品。`from` では日付ごとのランキング。',

  // Changes
  'User id of the author.': '作者のユーザー ID。',
  'Ncodes, at most 500, separated by commas.': 'Nコード。500 個まで、カンマ区切り。',
  'List changes': '変更を一覧する',
  'Changes of novels after a cursor, oldest first: new novels and episodes, rewritten, renamed, with another author, withdrawn and restored. A feed has the newest, newest first. Events are kept for two weeks. On the live upstream 501: it needs a local catalogue. A cursor that is too old, ahead, or of another catalogue, is `cursor_expired`.':
    'カーソルより後の小説の変更を、古い順に返します。新作、最新話、改稿、改題、作者変更、公開終了、再公開があります。フィードは最新のものを新しい順に返します。2 週間分を保持します。ローカルカタログが必要で、ライブの取得元では 501 を返します。古すぎるカーソル、先に進みすぎたカーソル、別のカタログのカーソルは `cursor_expired` になります。',
  'Cursor to continue from: `meta.next` of the last response. `now`: no events, only the current cursor. Default: all events of the last two weeks.':
    '続きの位置を示すカーソル。前回のレスポンスの `meta.next` です。`now` では変更を返さず、現在のカーソルだけを返します。省略すると過去 2 週間の変更すべて。',
  'Number of events.': '変更の件数。',
  'Kinds of events to return.': '取得する変更の種類。',
  'Continues after this event, as `since`.': '`since` に渡すと、この変更の次から取得します。',
  'Permanent id of the event; for an episode made of Ncode, number and time.':
    '変更の固定 ID。最新話では Nコード、話数、日時から成ります。',
  '`new`, `episode` (one event for each), `rewritten` (text, synopsis, keywords, genre or state), `renamed`, `author_changed`, `withdrawn` (no longer returned: deleted, private or hidden from search), `restored` (withdrawn, then returned again).':
    '`new`（新作）、`episode`（最新話。1 話に 1 件）、`rewritten`（本文、あらすじ、キーワード、ジャンル、状態）、`renamed`（改題）、`author_changed`（作者変更）、`withdrawn`（取得できなくなった小説。削除、非公開、検索除外）、`restored`（公開終了のあと再び取得できた小説）。',
  'When the catalogue recorded it, UTC.': 'カタログに記録された日時（UTC）。',
  'Title; of a withdrawn novel the last known one.': '題名。公開終了では最後の題名。',
  'Big genre.': '大ジャンル。',
  'Genre.': 'ジャンル。',
  'Number of episodes.': '話数。',
  'Publication of the latest episode, Japan time.': '最新話の掲載日時（日本時間）。',
  'Last change of the novel, Japan time.': '小説の最終更新日時（日本時間）。',
  'Of `episode`: its number.': '`episode` の番号。',
  'Only events with a change of one of these fields; `end` for completed novels.':
    'いずれかの項目が変わった変更だけ。完結した小説は `end`。',
  'The changed fields; empty for `new` and `withdrawn`. Each field is in one event: `end` in `rewritten`, also if the last episode came with it.':
    '変わった項目。`new` と `withdrawn` では空。各項目は 1 件の変更だけに入ります。`end` は、最終話と同時でも `rewritten` に入ります。',
  'Their previous values.': '変更前の値。',
  'A change of a novel.': '小説の変更。',
  'Cursor for the next request, also if there are no events.':
    '次のリクエストに使うカーソル。変更がなくても付きます。',
  'Whether another page is ready.': '続きのページがあるか。',

  // Parameters: words
  'With format=atom: `episodes` lists the latest episode of each novel as an entry with its own id.':
    'format=atom で episodes なら、各小説の最新話が、それぞれの ID を持つ 1 件になります。',
  'The typed words; each suggestion contains all of them. Empty: no suggestions. At most 10 different words.':
    '入力された語。すべてを含むものが候補になります。空なら候補はありません。異なる語は 10 個まで。',
  'Number of suggestions of each kind.': '候補の数（種類ごと）。',
  'Fields by which `meta.facets` counts all matches; type counts t, r and er. Needs a local catalogue or the sample: 501 on the live upstream.':
    '全件を集計して `meta.facets` に入れる項目。type は t、r、er を数えます。ローカルカタログまたはサンプルが必要です。実際の取得元では 501 を返します。',
  "Words that must all occur in the user's name or its reading, separated by blanks. At most 30 different words.":
    'ユーザー名かその読みに、すべてを含む語。空白で区切ります。異なる語は 30 個まで。',
  "Words to exclude from the user's name and its reading. At most 30 different words.":
    'ユーザー名にもその読みにも含まれてはならない語。異なる語は 30 個まで。',
  'First hiragana of the reading of the user name. Voiced kana count as plain ones.':
    '読みの最初のひらがな 1 文字（姓ではなくユーザー名の）。濁音は清音として数えます。',

  // Parameters: which ones
  'Minimum number of novels.': '作品数の下限。',
  'Maximum number of novels.': '作品数の上限。',
  'Minimum number of reviews written.': '書いたレビュー数の下限。',
  'Maximum number of reviews written.': '書いたレビュー数の上限。',
  'User id, one only.': 'ユーザー ID。1 つだけ。',
  'User id, digits.': 'ユーザー ID（数字）。',
  'Accepted, without effect. The adult interface of the upstream lacks this filter.':
    '受け付けますが効きません。取得元の成人向けの窓口にはない条件です。',

  // Parameters: order and fields
  'Number of results. Default: 20, or the number of Ncodes if that is more.':
    '件数。省略時は 20、Nコードをそれより多く指定した場合はその数。',
  'Position of the first result, from 1. At most 2000 on the live upstream.':
    '取得を始める位置（1 から）。実際の取得元では 2000 まで。',
  'Codes of the fields to return, separated by hyphens. Default: all fields.':
    '取得する項目のコード。ハイフン区切り。省略時はすべての項目。',
  'Codes of the fields to return, separated by hyphens. Default: all fields. u, bg, g and ir select nothing here.':
    '取得する項目のコード。ハイフン区切り。省略時はすべての項目。ここでは u、bg、g、ir は無効です。',
  'Code of the novel, in any case.': '小説の Nコード。大文字・小文字は問いません。',
  'Code of the adult novel, in any case.': '成人向け作品の Nコード。大文字・小文字は問いません。',
  'Ranking period.': 'ランキングの期間。',
  "Day of the ranking in Japan, from 2013-05-01 on: a Monday for weekly (the week's ranking is published on the Tuesday), the first of a month for monthly and quarterly. Default: the newest published one.":
    'ランキングの日本の日付（2013-05-01 から）。weekly は月曜（その週のランキングは火曜に公開）、monthly と quarterly は 1 日。省略時は公開済みの最新。',
  '`registrar`: query the registrar too, and return its text if it has the name.':
    '`registrar` なら、レジストラにも問い合わせ、この名前の原文があればそれを返します。',
  'Up to 100 names.': '100 個までの名前。',
  'The domain name.': 'ドメイン名。',
  'Any case, with or without trailing dot, in Unicode or punycode. A name below the registered one looks up that one; a top-level domain queries the root.':
    '大文字・小文字、末尾のドットの有無、Unicode と Punycode は問いません。登録名より下の名前では登録名を、トップレベルドメインではルートを検索します。',

  '1: CSV for spreadsheets, with a byte order mark, and an apostrophe before texts that would run as a formula.':
    '1 なら表計算ソフト向けの CSV: 先頭に BOM を付け、数式として実行されうる文字列の前にアポストロフィを置きます。',
  'Ncodes, separated by commas: at most 50 on the live upstream, at most 500 on a local catalogue.':
    'Nコード。カンマ区切り。実際の取得元では 50 個まで、ローカルカタログでは 500 個まで。',
  'First day of several rankings: with it `data` is a list of {date, entries}, at most 31 of them. Any day; selects the rankings dated between. Not together with date.':
    '複数のランキングの最初の日。これがあると `data` は {date, entries} の一覧（31 個まで）になります。どの日でもよく、その間に日付のあるランキングを返します。date とは併用できません。',
  'Last day of several rankings, included. Default: the newest.':
    '複数のランキングの最後の日（その日を含む）。省略時は最新まで。',
  'Number of entries from the first on, of each ranking. Default: all.':
    '1 位からの件数。複数のランキングではそれぞれの件数。省略時はすべて。',

  // Fields of novels
  'A novel. `of` selects its fields. Without `of` it may contain further upstream fields (`gensaku`, always empty).':
    '小説。含まれる項目は `of` で決まります。`of` を省略すると、取得元の他の項目（常に空の `gensaku`）が入ることもあります。',
  'An adult novel: metadata only. It has neither userid, biggenre, genre nor isr15. Without `of` it may contain further upstream fields (`gensaku`, always empty).':
    '成人向け作品のメタデータ。userid、biggenre、genre、isr15 はありません。`of` を省略すると、取得元の他の項目（常に空の `gensaku`）が入ることもあります。',
  'Japanese label of genre, present whenever it is; empty for an unknown code.':
    'genre の日本語名。genre があれば必ず付き、表にないコードでは空。',
  'Japanese label of nocgenre, present whenever it is; empty for an unknown code.':
    'nocgenre の日本語名。nocgenre があれば必ず付き、表にないコードでは空。',
  'Overall points: 2 a bookmark, and all_point.':
    '総合評価ポイント: ブックマーク 1 件につき 2 と all_point。',
  'Unique readers of last week, with opt=weekly.': '先週のユニーク読者数（opt=weekly のとき）。',

  // Suggestions and counts
  'Number of all matches by value of each field that `facets` names. Values without a match are omitted.':
    '`facets` で挙げた項目の値ごとの件数。0 件の値はありません。',
  'Suggestions for the typed words, by weekly points.': '入力された語の候補。週間ポイントの高い順。',
  'Title of a novel.': '小説の題名。',
  'Ncode of the novel of this title with the most weekly points.':
    'この題名の小説のうち、週間ポイントが最も高いものの Nコード。',
  'Pen name.': '作者名。',
  'User id of the author of this name with the most weekly points; omitted if unknown.':
    'この名前の作者のうち、週間ポイントが最も高い人のユーザー ID。',
  'Keyword.': 'キーワード。',
  'Number of novels with it.': 'このキーワードの付いた小説の数。',

  // Fields of rankings, users, tables
  "Date and period of the ranking in the upstream's form: d daily, w weekly (a Tuesday, the day after this service's Monday), m monthly, q quarterly.":
    '取得元の形式による、ランキングの日付と期間: d 日間、w 週間（このサービスの月曜の翌日、火曜）、m 月間、q 四半期。',
  'Rank, from 1; unique within the ranking.': '順位（1 から）。同じ順位はありません。',
  'Points in the period.': '期間のポイント。',
  'Ranking period, as in /v1/rankings/{type}.': 'ランキングの期間（/v1/rankings/{type} と同じ）。',
  'Date of the ranking as in /v1/rankings: a Monday for weekly.':
    'ランキングの日付（/v1/rankings に渡せる形、weekly は月曜）。',
  'Entries by rank; with `from` several rankings by date.': '順位の順。`from` があれば、日付順のランキング。',
  'Ncode, upper case.': 'Nコード（大文字）。',
  'User id: digits, as a string.': 'ユーザー ID（数字の文字列）。',
  'An author or reader.': '作者または読者。',
  'User name.': 'ユーザー名。',
  'Reading of the name, in katakana.': '名前の読み（カタカナ）。',
  'First hiragana of the reading; null or empty if it begins with none.':
    '読みの最初のひらがな。なければ null か空。',
  'Number of novels. Up to 24 hours old.': '作品数。最大 24 時間前のもの。',
  'Number of reviews written. Up to 24 hours old.': '書いたレビューの数。最大 24 時間前のもの。',
  'Length of all novels together. Up to 24 hours old.': '全作品の文字数。最大 24 時間前のもの。',
  'Overall points of all novels together. Up to 24 hours old.':
    '全作品の総合評価ポイント。最大 24 時間前のもの。',
  'Code, as in records and parameters.': 'レコードとパラメーターで使うコード。',
  'Japanese label.': '日本語名。',

  // meta
  'Whether the response was cached.': 'キャッシュされたレスポンスかどうか。',
  'Processing time in milliseconds.': '処理時間（ミリ秒）。',
  'The upstream interface that supplied the data; `static`: the service itself.':
    'データの取得元。`static` はサービス自身。',
  'From a local catalogue: when the oldest data of this response were fetched from the upstream. Never more than 14 days ago.':
    'ローカルカタログの場合: このレスポンスで最も古いデータの取得日時。14 日より前にはなりません。',
  'The value for this endpoint.': 'このエンドポイントでの値。',
  'Present if the data are outdated, because the upstream fails or a refresh is running.':
    '取得元の障害または更新中のため、データが古い場合に付きます。',
  'Query parameters without effect: unknown, or not supported by the upstream; `of=u-g` for codes of `of` that adult novels lack.':
    '無効なクエリパラメーター: 未知のもの、または取得元が対応していないもの。成人向け作品にない `of` のコードは `of=u-g` の形で示します。',
  'Metadata of the response.': 'レスポンスのメタデータ。',
  'Number of all matches upstream; from 1,000 on it may be up to 4 hours old.':
    '取得元での全件数。1,000 以上では最大 4 時間前のもの。',
  'The ranking served.': '返したランキングの日付。',

  // Fields of registrations
  'The requested name as given.': 'リクエストされた名前。',
  'Host that sent `raw`: a WHOIS server, or an RDAP server if `protocol` is `rdap`.':
    '`raw` の原文を返したホスト。WHOIS サーバー、`protocol` が rdap なら RDAP サーバー。',
  "The server's text, decoded; JSON text if `protocol` is `rdap`.":
    'サーバーが返した原文（デコード済み）。`protocol` が `rdap` なら JSON の文字列。',
  'Always all members; null or empty if the text does not state them.':
    'すべての項目が必ずあり、記載のないものは null または空です。',
  'The name as the registry states it, lower case.': 'レジストリの示す名前（小文字）。',
  'Name of the registrar.': 'レジストラの名前。',
  'Host names, lower case, without addresses, in the order of the registry.':
    'ネームサーバー（小文字、アドレスなし、レジストリの順）。',
  'EPP status codes (https://icann.org/epp), or the words of the registry.':
    'EPP の状態コード（https://icann.org/epp）か、レジストリの言葉。',
  'Further data of the registrar; null if the registry states none.':
    'レジストラの詳細情報。記載がなければ null。',
  "The holder, if public. Never a person's name, address, e-mail or telephone number; `raw` has what the registry publishes.":
    '公開されている登録者。個人の名前、住所、メール、電話は含めません（レジストリが公開したものは `raw` にあります）。',
  'Null if the registry states nothing about DNSSEC.': 'DNSSEC について書かれていなければ null。',
  'Whether the delegation is signed.': '委任が署名されているか。',
  'Its DS records, if stated.': '示されていれば、その DS レコード。',
  'Key tag.': '鍵タグ。',
  'Algorithm of the key.': '鍵のアルゴリズム。',
  'Digest type.': 'ダイジェストの方式。',
  'Digest, hexadecimal.': 'ダイジェスト（16 進）。',
  'Protocol of the query.': '問い合わせに使ったプロトコル。',
  '`reserved`: withheld by the registry, neither registered nor available.':
    '`reserved` は、レジストリが予約した名前。未登録ですが、取得できません。',
  'The queried servers in order, five at most.': '問い合わせたサーバー（順番どおり、5 つまで）。',
  'Host name.': 'ホスト名。',
  'Role of the server.': 'サーバーの役割。',
  'Its answer (`referral`, `registered` ...), or why there was none (`timeout` ...).':
    '応答の種類（`referral`、`registered` など）、または応答がなかった理由（`timeout` など）。',
  'Milliseconds; 0 if the answer was cached.': 'ミリ秒。キャッシュされた応答では 0。',
  "With `follow=registrar`, if `raw` is the registrar's: the registry's answer.":
    '`follow=registrar` で `raw` がレジストラのものであるとき、レジストリの応答。',
  "The line of the registry's answer that decided the state (of `registry.raw` if present); null if no single line did.":
    'レジストリの応答の中で状態を決めた行（`registry.raw` があればその中）。1 行では決まらないとき null。',
  'A known sentence, a status value, the record, an RDAP object or status code, or (`witness`) an unknown text that the server also sends for a random name but not for a registered one.':
    '既知の文、ステータス値、レコード、RDAP のオブジェクトか状態コード。`witness` は、ランダムな名前には返り、登録済みの名前には返らなかった未知の文。',
  'The line of `raw`, without blanks around it, 200 characters at most.':
    '`raw` の該当行。前後の空白を除き、200 文字まで。',
  'A line that indicates a state.': '状態の根拠となる行。',
  'The lines that contradict each other or are unknown, four at most.':
    '互いに食い違う行、または未知の行。4 行まで。',
  '`registry`: it throttles. `service`: our own limit for this registry is reached.':
    '`registry` はレジストリがレート制限したとき、`service` はこのサービス自身の上限に達したとき。',
  'From a local catalogue, without `date`, or with dates up to its newest ranking: the date of that ranking.':
    'ローカルカタログの場合: `date` を指定しないとき、または期間がカタログの最新のランキングに達するとき、そのランキングの日付。',
  'From a local catalogue: the last day up to which all rankings are included.':
    'ローカルカタログの場合: すべてのランキングがそろっている最後の日。それより後のものは含まれません。',
  'Days until `parsed.expirationDate`, rounded; negative after it, null if it is not stated. Computed at the look-up: see `Age`.':
    '`parsed.expirationDate` までの日数（四捨五入）。過ぎていれば負、記載がなければ null。検索時点の値で、`Age` がその古さを示します。',
  'Expiry of many names in one calendar': '複数の名前の有効期限を 1 つのカレンダーで',
  'One calendar with the day on which each registration ends (UTC), and reminders 30 and 7 days before. A name that is not registered has an event today. `X-WR-CALDESC` lists names without a date, and why. Each name counts as one request.':
    '各登録の期限の日（UTC）と、30 日前・7 日前の通知を 1 つにまとめたカレンダー。未登録の名前は今日の予定になります。日付のない名前とその理由は `X-WR-CALDESC` にあります。名前 1 つを 1 リクエストと数えます。',
  'When the registration ends, for zones without published dates (.de, .at, .eu): `YYYY-MM-DD`. A date from the registry takes precedence; otherwise the metrics have `source="operator"`.':
    'レジストリが日付を公開しないゾーン（.de、.at、.eu）のための期限: `YYYY-MM-DD`。レジストリの日付があればそちらが優先。この値を使う場合はメトリクスに `source="operator"` が付きます。',
  'Host of the registry.': 'レジストリのホスト。',
  'Its text.': 'その原文。',
  'Query parameters without effect; omitted if there are none.':
    '無効なクエリパラメーター。なければ省略されます。',
  'The connection broke during the answer: fields may be missing.':
    '応答の途中で接続が切れました。欠けている項目がある可能性があります。',
  'Whether the name is available; null if the registry publishes no service.':
    '名前を取得できるかどうか。レジストリが照会サービスを公開していなければ null。',
  '`reserved`: withheld by the registry. `invalid`: not accepted by this registry.':
    '`reserved` はレジストリが予約した名前、`invalid` はこのレジストリが受け付けない名前です。',
  'For people.': '説明文。',
  'Of the program.': 'プログラムのバージョン。',
  'Source of the data: invented registries, or the real root and registries.':
    'データの取得元: 架空のレジストリ、または実際のルートとレジストリ。',
  'Its source: bundled with the program, a file, or fetched.': 'その入手元: 同梱、ファイル、取得。',
  'Its own publication date.': '公開日時（そこに書かれているもの）。',
  'RDAP servers by zone.': 'ゾーンごとの RDAP サーバー。',
  'Where it comes from.': '入手元。',
  'Date of the query to the root.': 'ルートに問い合わせた日。',
  "The root's answers for every top-level domain, used while the root is unavailable.":
    '各トップレベルドメインについてのルートの応答。ルートが応答しない間に使います。',

  // Headers
  'Id of the request, also in the log of the service.': 'リクエストの ID。サービスのログにもあります。',
  'Rest of the quota (IETF draft).': 'レート制限の残り（IETF ドラフト）。',
  'The quota: requests in a window of seconds.': 'レート制限: 秒数あたりのリクエスト数。',
  'Sent with the value "sample" by a service whose data are all invented.':
    'データがすべて架空のサービスが、値 "sample" で付けます。',
  'Weak validator over the data alone, for If-None-Match.':
    'データだけから計算した弱い検証子。If-None-Match で使います。',
  'How long the response may be cached, in seconds.': 'レスポンスをキャッシュできる秒数。',
  'Seconds since the data were fetched.': 'データを取得してからの秒数。',
  'Origin of the response (RFC 9211).': 'レスポンスの出どころ（RFC 9211）。',
  'Number of all items of the list.': '一覧の全件数。',
  'Address of the next page of the list (RFC 8288); absent on the last page.':
    '一覧の次のページのアドレス（RFC 8288）。最後のページにはありません。',
  'File name, for CSV and JSON lines.': 'CSV と JSON 行のファイル名。',
  'Query parameters without effect, for forms without `meta.ignored`.':
    '無視されたクエリパラメーター。`meta.ignored` のない形式で付きます。',
  'Seconds after which the same request can succeed.': '同じリクエストが成功しうるまでの秒数。',
};

const UNITS: Readonly<Record<string, string>> = {
  episodes: '話',
  characters: '文字',
  minutes: '分',
  points: 'ポイント',
  bookmarks: '件',
  impressions: '件',
  reviews: '件',
  raters: '人',
  illustrations: '点',
  readers: '人',
  novels: '作品',
  records: '件',
  'per cent': '％',
};

/** Descriptions of one form: the Japanese of what matched, undefined if a part has none. */
const PATTERNS: readonly (readonly [RegExp, (...parts: string[]) => string | undefined])[] = [
  [/^(.*) Selected by `(\w+)`\.$/, (text, code) => append(toJapanese(text), ` \`${code}\` で選べます。`)],
  [/^(.*) Unit: ([^.]+)\.( .*)?$/, (text, unit, more = '') => withUnit(text + more, UNITS[unit])],
  [
    /^(.*) YYYY-MM-DD HH:MM:SS in Japan time\.$/,
    (text) => append(toJapanese(text), ' 日本時間の YYYY-MM-DD HH:MM:SS。'),
  ],
  [
    /^(.*) `YYYY-MM-DDTHH:MM:SSZ` in UTC, or `YYYY-MM-DD` where/,
    (text) =>
      append(
        toJapanese(text),
        ' UTC の `YYYY-MM-DDTHH:MM:SSZ`、日だけが示されていれば `YYYY-MM-DD`。書かれていないか読めなければ null。',
      ),
  ],
  [
    /^Format of the response; equivalent to the media type in the Accept header \((.*)\)\. Errors are always JSON\.$/,
    (types) => `レスポンスの形式。Accept ヘッダーの型でも同じです（${types}）。エラーは常に JSON です。`,
  ],
];

const append = (text: string | undefined, more: string): string | undefined =>
  text === undefined ? undefined : `${text}${more}`;

const withUnit = (text: string, unit: string | undefined): string | undefined =>
  unit === undefined ? undefined : append(toJapanese(text), ` 単位: ${unit}。`);

/** undefined: no translation (yet). */
export function toJapanese(text: string): string | undefined {
  const whole = DECLARED_JA.get(text) ?? TEXTS[text];
  if (whole !== undefined) return whole;
  for (const [pattern, write] of PATTERNS) {
    const parts = pattern.exec(text);
    if (parts) return write(...parts.slice(1));
  }
  return undefined;
}
