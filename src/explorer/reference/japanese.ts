import { ORDERS_JA } from '../../words/orders-ja.ts';

/** What the published documents say, in Japanese, under their English. Read with their patterns by `toJapanese`. */
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
  'Search novels': '小説をさがす',
  'Novels that meet all conditions given. Several values of one parameter are alternatives. The upstream reaches the first 2,499 matches only: narrow the search to see more.':
    '指定した条件をすべて満たす小説。1 つの引数に複数の値を書くと「どれか」になります。取得元は先頭の 2,499 件までしか返さないので、その先を見るには条件を絞ってください。',
  'Get one novel': '小説を 1 つ取得する',
  'All fields of a novel.': '小説のすべての項目。',
  'Get the rankings in which a novel stood': '小説が載ったランキングを取得する',
  'Every stored ranking (300 places each) in which the novel stood, by date. Empty for a novel that never did.':
    '小説が載った、保存されているすべてのランキング（各 300 位まで）を日付順に。載ったことがなければ空です。',
  'Get a ranking': 'ランキングを取得する',
  'Get a ranking with its novels': 'ランキングを作品の情報つきで取得する',
  'A ranking (with `from` and `to` several, each as `{date, entries}`), each place with the fields of its novel that `of` selects. The points and counts are those of today, not of the day of the ranking. A novel that the catalogue no longer has keeps rank, pt and ncode alone.':
    'ランキング（`from` と `to` ではいくつものランキングを `{date, entries}` で）の各順位に、`of` で選んだ作品の項目が付きます。ポイントや件数は、その日ではなく現在のものです。目録から消えた作品は rank、pt、ncode だけになります。',
  'Search users': 'ユーザーをさがす',
  'Authors and readers, newest first. `of` is not supported here.':
    '作者と読者を新しい順に。ここでは `of` は使えません。',
  'Get one user': 'ユーザーを 1 人取得する',
  'An author or reader by user id.': 'ユーザー ID で、作者または読者を 1 人。',
  'Search adult novels (metadata only)': '成人向け作品をさがす（メタデータのみ）',
  'As the search of novels, on the adult interface. Not to be shown to anyone under 18. Metadata only: no text of a novel is ever part of an answer.':
    '小説の検索と同じことを、成人向けの窓口で。18 歳未満の方には見せないでください。返るのはメタデータだけで、本文が含まれることはありません。',
  'Get one adult novel (metadata only)': '成人向け作品を 1 つ取得する（メタデータのみ）',
  'All metadata of an adult novel. Not to be shown to anyone under 18.':
    '成人向け作品のすべてのメタデータ。18 歳未満の方には見せないでください。',
  'List genres and big genres': 'ジャンルと大ジャンルを一覧する',
  'The codes of `genre` and `biggenre` with their labels. A genre belongs to the big genre genre / 100, rounded down.':
    '`genre` と `biggenre` のコードと名前。ジャンルは、100 で割って切り捨てた大ジャンルに属します。',
  'List adult genres': '成人向けのジャンルを一覧する',
  'The codes of `nocgenre` with their labels.': '`nocgenre` のコードと名前。',
  'Look a domain name up': 'ドメイン名を調べる',
  'Asks the root server for the registry of the name, asks the registry, and reads its answer. Where a registry has no WHOIS, or it is dead or closed to us, RDAP is asked.':
    'ルートのサーバーに名前のレジストリをたずね、レジストリにたずね、答えを読み取ります。WHOIS がない、止まっている、断られる場合は RDAP にたずねます。',
  'Whether a name is free': '名前が空いているか',
  'The same look-up, answered by yes, no, or nobody knows. 200 whenever the question was answered; a registry that throttles, refuses or is out of reach is an error.':
    '同じ照会を「空き」「空きでない」「分からない」で答えます。答えが出れば 200 で、レジストリの制限、拒否、不通はエラーです。',
  'Which data the service works with': 'サービスが使っているデータ',
  'Version, source, and the dates of what is bundled or fetched.':
    'バージョン、取得元、同梱または取得したデータの日付。',
  'Look many names up': '多くの名前を調べる',
  'A line of JSON for each name, as the answers come: what `/{domain}` answers, or `domain` with its `error`, the `status` that goes with it, and `retryAfterSeconds` where that is known. Each name counts as one request; names over the limit get `rate_limited`.':
    '名前ごとに 1 行の JSON を、答えが届いた順に返します。`/{domain}` と同じ答えか、`domain` とその `error`、`status`（分かれば `retryAfterSeconds` も）です。1 つの名前を 1 回と数え、超えた分は `rate_limited` になります。',
  'Expiry of a name for calendars': '有効期限のカレンダー',
  'A calendar with the day on which the registration ends (UTC), and reminders 30 and 7 days before. Subscribe to it: it follows renewals. `not_found` where the registry does not say when.':
    '登録が切れる日（UTC）と、30 日前と 7 日前の通知が入ったカレンダーです。購読すれば更新にも追従します。レジストリが期限を示さなければ `not_found` です。',
  'Expiry of a name for Prometheus': 'Prometheus のための有効期限',
  "For Prometheus' multi-target pattern: how long a name is still registered. 200 also when the look-up failed, which `domain_lookup_success` tells.":
    'Prometheus の multi-target 方式のための、登録の残り時間。照会に失敗しても 200 で、成否は `domain_lookup_success` が示します。',

  'Get the rankings in which many novels stood': '多くの小説が載ったランキングを取得する',
  'What `/v1/novels/{ncode}/ranking-history` answers, for up to 50 novels (500 on a local catalogue): an object by Ncode, null for a novel that does not exist. Each history that is not kept costs one or two requests upstream, which count against your share of its day; the request itself counts once. Where one fails the answer is its error, and asking again goes on from what is kept. With `format=ndjson` each history is a line, `{ncode, data}` or `{ncode, error}`, that leaves as soon as it is there.':
    '`/v1/novels/{ncode}/ranking-history` の答えを、50 作品まで（ローカルの目録では 500 作品まで）一度に。Nコードをキーとするオブジェクトで、存在しない小説は null です。保存されていない推移には 1 つにつき取得元への要求が 1、2 回かかり、1 日の割り当てから引かれます（この要求自体は 1 回）。1 つが失敗すると答えはそのエラーになり、もう一度たずねると保存された分の続きから進みます。`format=ndjson` では、推移が届くたびに 1 行（`{ncode, data}` か `{ncode, error}`）を返します。',
  'The first 300 places of a period, without novel data. A past ranking never changes. With `from` (and `to`) several rankings, each as `{date, entries}`.':
    '期間の上位 300。作品の情報は付きません。過去のランキングは変わりません。`from`（と `to`）では、いくつものランキングを `{date, entries}` で返します。',

  'Suggest titles, pen names and keywords': '題名、作者名、キーワードの候補を出す',
  'What holds the words typed so far, the more weekly points the earlier: for search fields, at each keystroke. Needs a catalogue at hand (local or sample): 501 on the live upstream.':
    '入力された言葉を含むものを、週間ポイントの高い順に。検索欄で、一字ごとに使えます。手元の目録（ローカルか見本）が必要で、本物の取得元では 501 です。',

  'Places by rank with their novels; with `from` several rankings by date.':
    '順位ごとの作品。`from` では日付ごとのランキング。',

  // Changes
  'User id of the author.': '作者のユーザー ID。',
  'Ncodes, at most 500, separated by commas.': 'Nコード。500 個まで、カンマ区切り。',
  'List what has changed': '変わったことを一覧する',
  'What has happened to novels behind a cursor, oldest first: new novels and episodes, rewritten, renamed, in other hands, withdrawn and back. Events are held for two weeks. Needs a local catalogue: 501 elsewhere. A cursor that is too old, or of another catalogue, is `cursor_expired`.':
    'カーソルより後に小説に起きたことを、古い順に。新作、最新話、改稿、改題、作者変更、公開終了、再公開です。2 週間分を保ちます。ローカルの目録が必要で、ほかでは 501 です。古すぎるカーソルや別の目録のカーソルは `cursor_expired` になります。',
  'The cursor behind which to go on: `meta.next` of the last answer. `now`: no events, only the cursor of the present. Left out: all events that are held, those of two weeks.':
    '続きを始めるカーソル。前の答えの `meta.next` です。`now` なら出来事はなく、現在のカーソルだけ。省くと、保たれている 2 週間分すべて。',
  'Number of events.': '出来事の数。',
  'Kinds of events wanted.': 'ほしい出来事の種類。',
  'Goes on behind this event, as `since`.': '`since` に渡すと、この出来事の続きから。',
  'Names the event for ever; of an episode it is made of Ncode, number and time.':
    '出来事の変わらない名前。最新話では Nコード、番号、日時から成ります。',
  '`new`, `episode` (one event for each), `rewritten` (text, synopsis, keywords, genre or state), `renamed`, `hands` (another author), `withdrawn` (no longer to be had), `back`.':
    '`new`（新作）、`episode`（最新話。1 話に 1 件）、`rewritten`（本文、あらすじ、キーワード、ジャンル、状態）、`renamed`（改題）、`hands`（作者変更）、`withdrawn`（公開終了）、`back`（再公開）。',
  'When the catalogue took it up, UTC.': '目録に入った時（UTC）。',
  'Title; of a withdrawn novel the last.': '題名。公開終了では最後の題名。',
  'Big genre.': '大ジャンル。',
  'Genre.': 'ジャンル。',
  'Number of episodes.': '話数。',
  'Publication of the latest episode, Japan time.': '最新話の掲載日時（日本時間）。',
  'Last change of the novel, Japan time.': '小説の最終更新日時（日本時間）。',
  'Of `episode`: its number.': '`episode` の番号。',
  'Of `renamed` and `hands`: what was there before.': '`renamed` と `hands` の、変わる前のもの。',
  'Something that happened to a novel.': '小説に起きたこと。',
  'The cursor of what comes next, also where nothing came.': '続きのカーソル。何もなくてもあります。',
  'Whether there is more already.': '続きがもうあるか。',

  // Parameters: words
  'With format=atom: `episodes` gives the latest episode of each novel an entry of its own, with its own id.':
    'format=atom で episodes なら、各小説の最新話が、それぞれの ID を持つ 1 件になります。',
  'What has been typed: words that must all stand in what is suggested. Empty: nothing is. At most 10 different words.':
    '入力された言葉。すべてを含むものが候補になります。空なら何も出ません。異なる言葉は 10 個まで。',
  'Number of suggestions of each kind.': '候補の数（種類ごと）。',
  'What to count all matches by, in `meta.facets`; type counts t, r and er. Needs a catalogue at hand (local or sample): 501 on the live upstream.':
    '全件を何ごとに数えて `meta.facets` に入れるか。type は t、r、er を数えます。手元の目録（ローカルか見本）が必要で、本物の取得元では 501 です。',
  'Words that must all occur, separated by blanks (half- or full-width). A single Ncode finds that novel. At most 30 different words.':
    'すべて含まれるべき言葉。空白（半角・全角）で区切ります。Nコード 1 つなら、その小説が見つかります。異なる言葉は 30 個まで。',
  'Words none of which may occur, separated by blanks. At most 30 different words.':
    'どれも含まれてはならない言葉。空白で区切ります。異なる言葉は 30 個まで。',
  '1: look for the words in the title. While none of title, ex, keyword, wname is 1, all four are looked at.':
    '1 なら言葉を題名からさがします。title、ex、keyword、wname のどれも 1 でなければ、4 つすべてからさがします。',
  '1: look for the words in the synopsis.': '1 なら言葉をあらすじからさがします。',
  '1: look for the words in the keywords.': '1 なら言葉をキーワードからさがします。',
  "1: look for the words in the author's pen name.": '1 なら言葉を作者名からさがします。',
  "Words that must all occur in the user's name or its reading, separated by blanks. At most 30 different words.":
    'ユーザー名かその読みに、すべて含まれるべき言葉。空白で区切ります。異なる言葉は 30 個まで。',
  "Words none of which may occur in the user's name or its reading. At most 30 different words.":
    'ユーザー名にもその読みにも含まれてはならない言葉。異なる言葉は 30 個まで。',
  "First hiragana of the name's reading (the upstream files by the user name, not by a family name). Voiced kana count as the plain one.":
    '読みの最初のひらがな 1 文字（姓ではなくユーザー名の）。濁音は清音として数えます。',

  // Parameters: which ones
  'Genre codes of /v1/meta/genres, separated by commas.':
    '/v1/meta/genres のジャンルのコード。カンマ区切り。',
  'Genre codes to leave out.': '除くジャンルのコード。',
  'Big-genre codes of /v1/meta/genres.': '/v1/meta/genres の大ジャンルのコード。',
  'Big-genre codes to leave out.': '除く大ジャンルのコード。',
  'Adult genre codes of /v1/meta/nocgenres, separated by commas.':
    '/v1/meta/nocgenres の成人向けジャンルのコード。カンマ区切り。',
  'Adult genre codes to leave out.': '除く成人向けジャンルのコード。',
  'Author ids, separated by commas.': '作者のユーザー ID。カンマ区切り。',
  'Author ids of the adult site, separated by commas.': '成人向けサイトの作者 ID。カンマ区切り。',
  'Ncodes, at most 500, separated by commas. Answers are in the order of `order`, not of this list.':
    'Nコード。500 個まで、カンマ区切り。答えはこの並びではなく `order` の順です。',
  't short, r ongoing serial, er complete serial, re serial, ter short or complete serial.':
    't 短編、r 連載中、er 完結済の連載、re 連載すべて、ter 短編と完結済の連載。',
  'Least length in characters.': '文字数の下限。',
  'Greatest length in characters.': '文字数の上限。',
  'Length in characters: n, a-b, a- or -b. Not together with minlen, maxlen.':
    '文字数: n、a-b、a-、-b。minlen、maxlen とは併用できません。',
  'Least reading time in minutes. Not together with length, minlen, maxlen.':
    '読了時間（分）の下限。length、minlen、maxlen とは併用できません。',
  'Greatest reading time in minutes. Not together with length, minlen, maxlen.':
    '読了時間（分）の上限。length、minlen、maxlen とは併用できません。',
  'Reading time in minutes: n, a-b, a- or -b. Not together with mintime, maxtime; not together with length, minlen, maxlen.':
    '読了時間（分）: n、a-b、a-、-b。mintime、maxtime、length、minlen、maxlen とは併用できません。',
  'Share of dialogue in per cent: n, a-b, a- or -b.': '会話率（％）: n、a-b、a-、-b。',
  'Number of illustrations: n, a-b, a- or -b.': '挿絵の数: n、a-b、a-、-b。',
  'Publication of the latest episode. thisweek (from Sunday), lastweek, sevenday, thismonth, lastmonth; Unix times in seconds (from-to); or days in Japan (from,to), both included. An end may be left out (2026-10-01,).':
    '最新話の掲載日。thisweek（日曜から）、lastweek、sevenday、thismonth、lastmonth、Unix 秒（始-終）、日本の日付（始,終、両端を含む。片方は省けます）。',
  'Last change of the novel. thisweek (from Sunday), lastweek, sevenday, thismonth, lastmonth; Unix times in seconds (from-to); or days in Japan (from,to), both included. An end may be left out (2026-10-01,).':
    '小説の最終更新。thisweek（日曜から）、lastweek、sevenday、thismonth、lastmonth、Unix 秒（始-終）、日本の日付（始,終、両端を含む。片方は省けます）。',
  'First publication: Unix times in seconds (from-to), or days in Japan (from,to), both included; an end may be left out. (In no manual of the upstream.)':
    '初回掲載日: Unix 秒（始-終）か日本の日付（始,終、両端を含む。片方は省けます）。（取得元の説明書にはありません。）',
  'Style of the text: 1 no indents and many line breaks, 2 no indents, 4 indents and many line breaks, 6 indents.':
    '文体: 1 字下げなし・改行多め、2 字下げなし、4 字下げあり・改行多め、6 字下げあり。',
  '1 without novels that have stopped for long, 2 only those (no episode for 63 days and more).':
    '1 は長期停止中を除く、2 は長期停止中だけ（63 日以上更新なし）。',
  '1: only novels with an episode within 60 days that are short, complete or of 100,000 characters and more.':
    '1 なら、60 日以内に掲載があり、短編か完結済か 10 万文字以上の小説だけ。',
  'Least number of novels.': '作品数の下限。',
  'Greatest number of novels.': '作品数の上限。',
  'Least number of reviews written.': '書いたレビュー数の下限。',
  'Greatest number of reviews written.': '書いたレビュー数の上限。',
  'User id, one only.': 'ユーザー ID。1 つだけ。',
  'User id, digits.': 'ユーザー ID（数字）。',
  'Accepted, without effect. The adult interface of the upstream has no such filter.':
    '受け付けますが効きません。取得元の成人向けの窓口にはない条件です。',

  // Parameters: order and fields
  'weekly adds `weekly_unique`, the unique readers of last week (Sunday to Saturday), to every record.':
    'weekly なら、先週（日曜から土曜）のユニーク読者数 `weekly_unique` を各記録に足します。',
  'Number of results. Left out: 20, or the number of Ncodes asked for if that is more.':
    '件数。省くと 20、Nコードをそれより多く指定したときはその数。',
  'Position of the first result, counted from 1. The live upstream reaches no further than 2000.':
    '何件目からか（1 から）。本物の取得元は 2000 まで。',
  'Codes of the fields wanted, separated by hyphens. Left out: all fields.':
    'ほしい項目のコードをハイフンで。省くとすべての項目。',
  'Codes of the fields wanted, separated by hyphens. Left out: all fields. u, bg, g and ir select nothing here.':
    'ほしい項目のコードをハイフンで。省くとすべての項目。ここでは u、bg、g、ir は何も選びません。',
  'Code of the novel, in any case.': '小説の Nコード。大文字でも小文字でも。',
  'Code of the adult novel, in any case.': '成人向け作品の Nコード。大文字でも小文字でも。',
  'Ranking period.': 'ランキングの期間。',
  "Day of the ranking in Japan, from 2013-05-01 on: a Monday for weekly (the week's ranking is published on the Tuesday), the first of a month for monthly and quarterly. Left out: the newest that is published.":
    'ランキングの日本の日付（2013-05-01 から）。weekly は月曜（その週のランキングは火曜に公開）、monthly と quarterly は 1 日。省くと公開済みの最新。',
  '`registrar`: ask the registrar too, and return its text when it has one of the name.':
    '`registrar` なら、レジストラにもたずね、この名前の原文があればそれを返します。',
  'Up to 100 names.': '100 個までの名前。',
  'The domain name.': 'ドメイン名。',
  'Any case, with or without trailing dot, in Unicode or punycode. A name below the registered one asks for that one; a top-level domain asks the root.':
    '大文字小文字、末尾の点、Unicode と Punycode のどれでも。登録名より下の名前は登録名を、トップレベルドメインはルートを調べます。',

  '1: CSV for spreadsheets: begins with a byte order mark, and an apostrophe stands before a text that would be run as a formula.':
    '1 なら表計算ソフト向けの CSV: 先頭に BOM を付け、数式として実行されうる文字列の前にアポストロフィを置きます。',
  'Ncodes, separated by commas: at most 50 on the live upstream, at most 500 on a local catalogue.':
    'Nコード。カンマ区切り。本物の取得元では 50 個まで、ローカルの目録では 500 個まで。',
  'First day of several rankings: with it `data` is a list of {date, entries}, at most 31 of them. Any day; those rankings are meant whose date lies between. Not together with date.':
    'いくつものランキングの最初の日。これがあると `data` は {date, entries} の一覧（31 個まで）になります。どの日でもよく、その間に日付のあるランキングを返します。date とは併用できません。',
  'Last day of several rankings, included; left out: the newest.':
    'いくつものランキングの最後の日（含む）。省くと最新まで。',

  // Fields of novels
  'A novel. Which fields are there is for `of` to say. Without `of` further fields of the upstream (`gensaku`, always empty) may stand in it.':
    '小説。どの項目があるかは `of` で決まります。`of` を省くと、取得元の他の項目（常に空の `gensaku`）が入ることもあります。',
  'An adult novel: metadata only. It has neither userid, biggenre, genre nor isr15. Without `of` further fields of the upstream (`gensaku`, always empty) may stand in it.':
    '成人向け作品のメタデータ。userid、biggenre、genre、isr15 はありません。`of` を省くと、取得元の他の項目（常に空の `gensaku`）が入ることもあります。',
  'Title, at most 100 characters.': '題名。100 文字まで。',
  'Code of the novel, upper case.': '小説の Nコード（大文字）。',
  'User id of the author. A number here, a string of digits in a user record.':
    '作者のユーザー ID。ここでは数、ユーザーの記録では数字の文字列。',
  'Pen name of the author.': '作者名。',
  'Synopsis, at most 1000 characters; holds line breaks.': 'あらすじ。1000 文字まで、改行を含みます。',
  'Big genre: a code of /v1/meta/genres.': '大ジャンル: /v1/meta/genres のコード。',
  'Genre: a code of /v1/meta/genres.': 'ジャンル: /v1/meta/genres のコード。',
  'Adult genre: a code of /v1/meta/nocgenres.': '成人向けジャンル: /v1/meta/nocgenres のコード。',
  'Japanese label of genre, beside it whenever it is there; empty for a code that no table has.':
    'genre の日本語名。genre があれば必ず付き、表にないコードでは空。',
  'Japanese label of nocgenre, beside it whenever it is there; empty for a code that no table has.':
    'nocgenre の日本語名。nocgenre があれば必ず付き、表にないコードでは空。',
  'Keywords, separated by blanks. One string, not a list.': 'キーワード。空白区切りの 1 つの文字列。',
  'First publication.': '初回掲載日。',
  'Publication of the latest episode.': '最新話の掲載日。',
  '1 serial, 2 short. Always under this name, though the upstream says novel_type when `of` is left out.':
    '1 連載、2 短編。取得元は `of` を省くと novel_type と呼びますが、ここでは常にこの名前です。',
  '0 complete or short, 1 ongoing. Beware: 0 means complete (or short), 1 means ongoing.':
    '0 完結済か短編、1 連載中。向きに注意: 0 が完結です。',
  'Number of episodes; 1 for a short.': '話数。短編は 1。',
  'Length, blanks and line breaks not counted.': '文字数。空白と改行は数えません。',
  'Reading time: length / 500, rounded up.': '読了時間: 文字数 / 500 の切り上げ。',
  '1 ongoing, but without an episode for 63 days and more.': '1 は、連載中だが 63 日以上掲載なし。',
  '1 for readers of 15 and over. Present on novels for all ages only.':
    '1 は R15。全年齢向けの作品だけにあります。',
  'Overall points: 2 a bookmark, and all_point.':
    '総合評価ポイント: ブックマーク 1 件につき 2 と all_point。',
  'Number of bookmarks.': 'ブックマーク数。',
  'Number of impressions left by readers.': '感想の数。',
  'Number of reviews.': 'レビューの数。',
  'Points given by raters (bookmarks not counted).': '評価者が付けたポイント（ブックマークは含まず）。',
  'Number of raters.': '評価者の数。',
  'Number of illustrations.': '挿絵の数。',
  'Share of dialogue.': '会話率。',
  'Last change of the novel.': '小説の最終更新。',
  'Last change of this record, made by the site; of no use to readers.':
    'サイトがこの記録を更新した日時。読者には意味がありません。',
  'Points of the last day, at the time of the latest ranking.': '最新のランキング時点での 1 日のポイント。',
  'Unique readers of last week, with opt=weekly.': '先週のユニーク読者数（opt=weekly のとき）。',

  // Suggestions and counts
  'Number of all matches by value of each field that `facets` names. Values without a match are left out.':
    '`facets` で挙げた項目の値ごとの件数。0 件の値はありません。',
  'What may be meant by what has been typed, by weekly points.':
    '入力された言葉の候補。週間ポイントの高い順。',
  'Title of a novel.': '小説の題名。',
  'Ncode of the novel of this title that has most weekly points.':
    'この題名の小説のうち、週間ポイントが最も高いものの Nコード。',
  'Pen name.': '作者名。',
  'User id of the author of this name with most weekly points; left out where it is unknown.':
    'この名前の作者のうち、週間ポイントが最も高い人のユーザー ID。',
  'Keyword.': 'キーワード。',
  'Number of novels that bear it.': 'このキーワードの付いた小説の数。',

  // Fields of rankings, users, tables
  "Day and period of the ranking as the upstream names it: d daily, w weekly (under a Tuesday, the day after this service's Monday), m monthly, q quarterly.":
    '取得元の呼び方での、ランキングの日と期間: d 日間、w 週間（このサービスの月曜の翌日、火曜）、m 月間、q 四半期。',
  'Rank, from 1; no two entries share one.': '順位（1 から）。同じ順位はありません。',
  'Points in the period.': '期間のポイント。',
  'Ranking period, as in /v1/rankings/{type}.': 'ランキングの期間（/v1/rankings/{type} と同じ）。',
  'Date of the ranking as /v1/rankings takes it: a Monday for weekly.':
    'ランキングの日付（/v1/rankings に渡せる形、weekly は月曜）。',
  'Places by rank; with `from` several rankings by date.': '順位の順。`from` があれば、日付順のランキング。',
  'Ncode, upper case.': 'Nコード（大文字）。',
  'User id: digits, as a string.': 'ユーザー ID（数字の文字列）。',
  'An author or reader.': '作者または読者。',
  'User name.': 'ユーザー名。',
  'Reading of the name, in katakana.': '名前の読み（カタカナ）。',
  'First hiragana of the reading; null or empty where it begins with none.':
    '読みの最初のひらがな。なければ null か空。',
  'Number of novels. Up to 24 hours old.': '作品数。最大 24 時間前のもの。',
  'Number of reviews written. Up to 24 hours old.': '書いたレビューの数。最大 24 時間前のもの。',
  'Length of all novels together. Up to 24 hours old.': '全作品の文字数。最大 24 時間前のもの。',
  'Overall points of all novels together. Up to 24 hours old.':
    '全作品の総合評価ポイント。最大 24 時間前のもの。',
  'Code, as records and parameters have it.': '記録と引数で使うコード。',
  'Japanese label.': '日本語名。',

  // meta
  'Whether the answer came from the cache.': '保存された答えかどうか。',
  'Processing time in milliseconds.': '処理にかかったミリ秒。',
  'The upstream interface that supplied the data; `static`: the service itself.':
    'データの取得元。`static` はサービス自身。',
  'From a local catalogue: when the oldest of the data in this answer were fetched from the upstream. Never more than 14 days ago.':
    'ローカルの目録から: この答えのうち最も古いデータを取得した日時。14 日より前にはなりません。',
  'Of this endpoint.': 'このエンドポイントのもの。',
  'Present when the data are older than they should be, because the upstream fails or is being asked.':
    '取得元の不調か問い合わせ中のために、本来より古いときにあります。',
  'Query parameters that had no effect: unknown here, or not offered by the upstream; `of=u-g` for codes of `of` that adult novels have no field for.':
    '効かなかった引数: ここにはないか、取得元が持たないもの。成人向け作品に項目のない `of` のコードは `of=u-g` のように。',
  'What is to be known of the data.': '答えについての事実。',
  'Number of all matches upstream; from 1,000 on it may be up to 4 hours old.':
    '取得元での全件数。1,000 以上では最大 4 時間前のもの。',
  'The ranking served.': '返したランキングの日付。',

  // Fields of registrations
  'The name asked for, letter for letter.': 'たずねられた名前そのまま。',
  'Host whose text is in `raw`: a WHOIS server, or an RDAP server when `protocol` says so.':
    '`raw` の原文を返したホスト。WHOIS サーバー、`protocol` が rdap なら RDAP サーバー。',
  'The text as the server returned it, decoded; JSON text when `protocol` is `rdap`.':
    'サーバーが返した原文（文字に直したもの）。`protocol` が `rdap` なら JSON の文字列。',
  'Always all members; null or empty where the text says nothing.':
    '項目は必ずすべてあり、書かれていないものは null か空。',
  'The name as the registry states it, lower case.': 'レジストリの示す名前（小文字）。',
  'Name of the registrar.': 'レジストラの名前。',
  'When the name was registered.': '登録日時。',
  'When the registration ends.': '有効期限。',
  'When the registration was last changed.': '最終更新。',
  'Host names, lower case, without addresses, in the order of the registry.':
    'ネームサーバー（小文字、アドレスなし、レジストリの順）。',
  'EPP status codes (https://icann.org/epp), or the words of the registry.':
    'EPP の状態コード（https://icann.org/epp）か、レジストリの言葉。',
  'What the registry says of the registrar beside its name; null where it says nothing.':
    'レジストラについて名前のほかに書かれていること。なければ null。',
  "Number in IANA's list of registrars.": 'IANA のレジストラ番号。',
  'Web address.': 'ウェブのアドレス。',
  'Where abuse is reported.': '不正利用の届け出先。',
  'Telephone for the same.': 'その電話番号。',
  "Who holds the name, where public. Never a person's name, address, e-mail or telephone: `raw` has what the registry chose to publish.":
    '公開されている登録者。個人の名前、住所、メール、電話は含めません（レジストリが公開したものは `raw` にあります）。',
  'The organisation that holds the name.': '登録している組織。',
  'Its country as the registry writes it, mostly two letters.': 'その国（レジストリの表記、多くは 2 文字）。',
  'Null where the registry says nothing of DNSSEC.': 'DNSSEC について書かれていなければ null。',
  'Whether the delegation is signed.': '委任が署名されているか。',
  'Its DS records, where the registry states them.': '示されていれば、その DS レコード。',
  'Key tag.': '鍵タグ。',
  'Algorithm of the key.': '鍵のアルゴリズム。',
  'How the digest was made.': 'ダイジェストの方式。',
  'Digest, hexadecimal.': 'ダイジェスト（16 進）。',
  'Through whom the name was registered, where that is not the registrar.':
    'レジストラとは別の、登録を取り次いだ業者。',
  'How the server was asked.': 'サーバーにたずねた方法。',
  '`reserved`: kept by the registry, held by nobody and not free.':
    '`reserved` は、レジストリが予約した名前。誰のものでもなく、空きでもありません。',
  'The servers asked, in order: five at most.': 'たずねたサーバーを順に。5 つまで。',
  'Host name.': 'ホスト名。',
  'What the server is.': 'サーバーの役割。',
  'What it said (`referral`, `registered` ...), or why it did not answer (`timeout` ...).':
    '答えの種類（`referral`、`registered` など）か、答えなかったわけ（`timeout` など）。',
  'Milliseconds; 0 when the answer was known already.': 'ミリ秒。答えを知っていれば 0。',
  "With `follow=registrar`, when `raw` is the registrar's: the registry's own answer.":
    '`follow=registrar` で `raw` がレジストラのものであるとき、レジストリの答え。',
  "What decided the state, in the registry's answer (`registry.raw` where that is there); null where no line alone did.":
    'レジストリの答えの中で状態を決めたもの（`registry.raw` があればその中）。1 行では決まらないとき null。',
  'A known sentence, a value of status, the record itself, an RDAP object or status code, or (`witness`) an unknown text that the server also says of a random name, and not of a registered one.':
    '知られた文、状態の値、記録そのもの、RDAP のオブジェクトか状態コード。`witness` は、でたらめな名前には返り、登録済みの名前には返らなかった未知の文。',
  'The line of `raw`, without blanks around it, 200 characters at most.':
    '`raw` の該当行。前後の空白を除き、200 文字まで。',
  'A line that speaks for a state.': '状態の根拠となる行。',
  'The lines that speak against each other or that nobody knows, four at most.':
    '互いに食い違う行、または未知の行。4 行まで。',
  '`registry`: it asked us to wait. `service`: our own limit for this registry is reached.':
    '`registry` はレジストリから待つよう言われたとき、`service` はこのサービス自身の上限に達したとき。',
  'From a local catalogue: the last day of which every ranking is held. Later ones are not in the answer.':
    'ローカルの目録の場合: すべてのランキングがそろっている最後の日。それより後のものは含まれません。',
  'Days until `parsed.expirationDate`, rounded; negative when it has passed, null where it is not stated. Counted when the name was looked up: `Age` says how long ago.':
    '`parsed.expirationDate` までの日数（四捨五入）。過ぎていれば負、記載がなければ null。調べた時点の値で、`Age` がその古さを示します。',
  'Expiry of many names in one calendar': '多くの名前の有効期限を 1 つのカレンダーで',
  'One calendar with the day on which each registration ends (UTC), and reminders 30 and 7 days before. A name that nobody holds has an event today. Names without a date, and why, are listed in `X-WR-CALDESC`. Each name counts as one request.':
    '各登録の期限の日（UTC）と、30 日前・7 日前の通知を 1 つにまとめたカレンダー。登録のない名前は今日の予定になります。日付のない名前とその理由は `X-WR-CALDESC` にあります。名前ごとに 1 回と数えます。',
  'When the registration ends, for zones whose registries publish no date (.de, .at, .eu): `YYYY-MM-DD`. A date of the registry goes first; the metrics say `source="operator"` where it is this one.':
    'レジストリが日付を公開しないゾーン（.de、.at、.eu）のための期限: `YYYY-MM-DD`。レジストリの日付があればそちらが優先。この値を使うときは指標に `source="operator"` が付きます。',
  'Host of the registry.': 'レジストリのホスト。',
  'Its text.': 'その原文。',
  'Query parameters that have no effect; left out when there are none.': '効かない引数。なければありません。',
  'The server broke off in the middle of its answer: fields may be missing.':
    '答えの途中で切れました。項目が欠けているかもしれません。',
  'Whether nobody holds the name and it could be had; null where nobody can be asked.':
    '誰のものでもなく、取れるかどうか。たずねる先がなければ null。',
  '`reserved`: kept by the registry. `invalid`: not a name for this registry.':
    '`reserved` はレジストリの予約、`invalid` はこのレジストリの名前ではありません。',
  'For people.': '人のための説明。',
  'Of the program.': 'プログラムのバージョン。',
  'Whom it asks: invented registries, or the real root and registries.':
    'たずねる相手: 架空のレジストリか、本物のルートとレジストリか。',
  'Where the one in use comes from: bundled with the program, a file, or fetched.':
    '使っているものの出どころ: 同梱、ファイル、取得。',
  'When it was published, by its own word.': '公開日時（そこに書かれているもの）。',
  'Which RDAP server answers for which zone.': 'どのゾーンにどの RDAP サーバーが答えるか。',
  'Where it comes from.': '出どころ。',
  'When the root was asked.': 'ルートにたずねた日。',
  'What the root said of every top-level domain; it serves while the root is silent.':
    'ルートが各トップレベルドメインについて答えたこと。ルートが黙っている間に使います。',
};

const MARKS: Readonly<Record<string, string>> = {
  'the mark for readers of 15 and over': 'R15 の指定',
  'reincarnation in, or transfer to, another world': '異世界転生か異世界転移',
  "boys' love": 'ボーイズラブ',
  "girls' love": 'ガールズラブ',
  'cruel depictions': '残酷な描写',
  'reincarnation in another world': '異世界転生',
  'transfer to another world': '異世界転移',
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

const ORDERS: Readonly<Record<string, string>> = {
  ...ORDERS_JA,
  new: '最新話の新しい順（ユーザーでは ID の大きい順）',
  old: '最新話の古い順（ユーザーでは ID の小さい順）',
  novelcnt: '作品の多い順',
  novellength: '全作品の文字数の多い順',
  sumglobalpoint: '全作品の総合ポイントの高い順',
};

/** Texts of one form: the Japanese of what was matched, undefined where a part has none. */
const PATTERNS: readonly (readonly [RegExp, (...parts: string[]) => string | undefined])[] = [
  [/^(.*) Selected by `(\w+)`\.$/, (text, code) => joined(toJapanese(text), ` \`${code}\` で選べます。`)],
  [/^(.*) Unit: ([^.]+)\.( .*)?$/, (text, unit, more = '') => withUnit(text + more, UNITS[unit])],
  [
    /^(.*) YYYY-MM-DD HH:MM:SS in Japan time\.$/,
    (text) => joined(toJapanese(text), ' 日本時間の YYYY-MM-DD HH:MM:SS。'),
  ],
  [
    /^(.*) `YYYY-MM-DDTHH:MM:SSZ` in UTC, or `YYYY-MM-DD` where/,
    (text) =>
      joined(
        toJapanese(text),
        ' UTC の `YYYY-MM-DDTHH:MM:SSZ`、日だけが示されていれば `YYYY-MM-DD`。書かれていないか読めなければ null。',
      ),
  ],
  [/^1 with the keyword (\S+) \(/, (keyword) => `1 は、必須キーワード「${keyword}」あり。`],
  [
    /^Form of the answer; the media type in the Accept header says the same \((.*)\)\. Errors are always JSON\.$/,
    (types) => `答えの形。Accept ヘッダーの型でも同じです（${types}）。エラーは常に JSON です。`,
  ],
  [/^1: only novels with (.*)\.$/, (mark) => joined(MARKS[mark], 'のある小説だけ（1）。')],
  [/^1: only novels without (.*)\.$/, (mark) => joined(MARKS[mark], 'のない小説だけ（1）。')],
  [
    /^Points of the last (\d+) days, at the time of the latest ranking\.$/,
    (days) => `最新のランキング時点での ${days} 日間のポイント。`,
  ],
  [
    /^(.*) Equals 2 \* fav_novel_cnt \+ all_point\.$/,
    (text) => joined(toJapanese(text), ' 2 * fav_novel_cnt + all_point に等しい値です。'),
  ],
  [/^Order of the results\. (.*)$/, (orders) => ordersOf(orders)],
];

const joined = (text: string | undefined, more: string): string | undefined =>
  text === undefined ? undefined : `${text}${more}`;

const withUnit = (text: string, unit: string | undefined): string | undefined =>
  unit === undefined ? undefined : joined(toJapanese(text), ` 単位: ${unit}。`);

/** `new: latest episode first; hyoka: ...`: the meanings by the names. */
function ordersOf(text: string): string {
  const names = [...text.matchAll(/(?:^|; )(\w+): /g)].map(([, name = '']) => name);
  return `並び順。${names.map((name) => `${name}: ${ORDERS[name] ?? '?'}`).join('、')}`;
}

/** undefined: it has none (yet). */
export function toJapanese(text: string): string | undefined {
  const whole = TEXTS[text];
  if (whole !== undefined) return whole;
  for (const [pattern, write] of PATTERNS) {
    const parts = pattern.exec(text);
    if (parts) return write(...parts.slice(1));
  }
  return undefined;
}
