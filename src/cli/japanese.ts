/** What the command says, in Japanese, under its English. The words for facts are those of the page. */
export const JAPANESE = {
  // Help
  'mokuroku (目録): a novel catalogue and a domain registration lookup, as services and from here.':
    'mokuroku（目録）: 小説の目録とドメイン登録情報の照会。サービスとしても、ここからでも使えます。',
  'Usage:': '使い方:',
  'Commands:': 'コマンド:',
  'Examples:': '例:',
  'More:': '詳しくは:',
  'options and examples of a command': 'コマンドのオプションと例',
  'which version this is': 'バージョン',
  'Options and examples': 'オプションと例',
  'Search novels by words, genre, author or length.': '言葉、ジャンル、作者、文字数で小説をさがします。',
  'Show one novel.': '小説を 1 つ表示します。',
  'Show a ranking with its novels.': 'ランキングとその作品を表示します。',
  "Draw a novel's ranks over time.": '小説の順位の推移を描きます。',
  'Search authors and readers by name.': '名前で作者や読者をさがします。',
  'Show one author or reader.': '作者または読者を 1 人表示します。',
  'Look up who registered domain names, and until when.': 'ドメイン名の登録情報と有効期限を調べます。',
  'Run both services, on the embedded sample or (--live) on the live upstreams.':
    '2 つのサービスを、内蔵の見本または（--live）本物の取得元で動かします。',
  "Run a server that speaks the upstream's own protocol over invented data, for tests of its clients.":
    '取得元と同じ規約で架空のデータを返すサーバーを、クライアントの試験用に動かします。',
  'Offer both services as MCP tools to an agent, on standard input and output.':
    '2 つのサービスを、エージェント向けの MCP ツールとして標準入出力で提供します。',
  'Running services, separated by commas (default: MOKUROKU_CATALOGUE_URL and MOKUROKU_REGISTRATION_URL).':
    '稼働中のサービス。コンマで区切ります（既定: MOKUROKU_CATALOGUE_URL と MOKUROKU_REGISTRATION_URL）。',
  'Query the novel site and the registries from this process, without a running service.':
    'サービスを介さず、このプロセスから小説サイトとレジストリへ問い合わせます。',
  'Also offer the tools for adult novels.': '成人向け作品のツールも提供します。',
  'Fetch the whole catalogue of the upstream into a folder, politely, to be served from there.':
    '取得元の目録全体を、負担をかけずにフォルダーへ集めます。そこから配信できます。',
  'Print the completion script of a shell.': 'シェルの補完スクリプトを出力します。',

  'Or ask the registries from here: mokuroku whois --direct NAME.':
    'または、ここから直接レジストリにたずねます: mokuroku whois --direct 名前',
  'Asking the registries from here, without a service.':
    'サービスを通さず、ここから直接レジストリにたずねます。',

  // Headings and options
  'Ask the registries from here, without a service (its settings, such as WHOIS_ROOT, apply).':
    'サービスを通さず、ここから直接レジストリにたずねます（WHOIS_ROOT などサービスの設定が効きます）。',
  Output: '出力',
  Service: 'サービス',
  Words: '言葉',
  'Order and fields': '並び順と項目',
  'Which ones': '絞り込み',
  'Write the answer as JSON.': '答えを JSON で書きます。',
  'Write CSV (RFC 4180, UTF-8).': 'CSV（RFC 4180、UTF-8）で書きます。',
  'Open it in the browser, on the page of the service.': 'ブラウザーで、サービスの画面に開きます。',
  'When the service asks to slow down, wait (two minutes at most) instead of giving up.':
    'サービスに待つよう言われたら、あきらめずに（2 分まで）待ちます。',
  'Another service (default: MOKUROKU_CATALOGUE_URL, or http://127.0.0.1:3000).':
    '別のサービス（既定: MOKUROKU_CATALOGUE_URL、なければ http://127.0.0.1:3000）。',
  'Another service (default: MOKUROKU_REGISTRATION_URL, or http://127.0.0.1:3001).':
    '別のサービス（既定: MOKUROKU_REGISTRATION_URL、なければ http://127.0.0.1:3001）。',
  'Words that must all occur; or one Ncode.': 'すべて含まれるべき言葉、または Nコード 1 つ。',
  'Search adult novels instead (metadata only; for readers of 18 and over).':
    '代わりに成人向け作品をさがします（メタデータのみ、18歳以上の方向け）。',
  'Code of the novel, in any case.': '小説の Nコード。大文字でも小文字でも。',
  'An adult novel (metadata only; for readers of 18 and over).':
    '成人向け作品（メタデータのみ、18歳以上の方向け）。',
  'Period: daily (the default), weekly, monthly or quarterly.':
    '期間: daily（既定）、weekly、monthly、quarterly。',
  'YYYY-MM-DD; a Monday for weekly, a first of a month for monthly and quarterly (default: newest).':
    'YYYY-MM-DD。weekly は月曜日、monthly と quarterly は 1 日（既定: 最新）。',
  'Several rankings, without novels: those from this day (YYYY-MM-DD) on.':
    '何回分かのランキングを、作品の情報なしで。この日（YYYY-MM-DD）から。',
  'The last day of several rankings (default: the newest; then at most 31).':
    '何回分かのランキングの最後の日（既定: 最新。そのときは 31 回分まで）。',
  'Only the first so many (default: 20 in a table, else all).':
    '先頭からの件数（既定: 表では 20、他はすべて）。',
  'Rank, points and Ncode alone.': '順位、ポイント、Nコードだけ。',
  'Stay, and show each new ranking as soon as it is published.':
    '待ち続け、新しいランキングが出るたびに表示します。',
  'Only one period: daily, weekly, monthly or quarterly.':
    '1 つの期間だけ: daily、weekly、monthly、quarterly。',
  'List every ranking instead of drawing them.': '描く代わりに、すべての順位を一覧にします。',
  'Words of the name or its reading.': '名前か読みの言葉。',
  'User id: digits.': 'ユーザー ID（数字）。',
  'Domain names; - reads them from standard input, where # starts a comment.':
    'ドメイン名。- なら標準入力から読みます（# から行末は注釈）。',
  "Go one hop further, to the registrar's own server.": 'もう 1 段、レジストラのサーバーまでたずねます。',
  'Read the names from a file, where # starts a comment.': '名前をファイルから読みます（# から行末は注釈）。',
  'Print the text of the server as it is (one name only).':
    'サーバーの原文をそのまま出します（1 つの名前だけ）。',
  'Serve novels and rankings from a local catalogue, as `mokuroku harvest` fills it.':
    '小説とランキングを、`mokuroku harvest` が作る手元の目録から返します。',
  'Ask the live upstreams instead of the embedded sample.': '内蔵の見本ではなく、本物の取得元にたずねます。',
  'Run one service: catalogue or registration (default: SERVE_ONLY, or both).':
    '一方のサービス（catalogue か registration）だけを動かします（既定: SERVE_ONLY、なければ両方）。',
  'Processes that serve the same ports together (default: WORKERS, or 1).':
    '同じポートで働くプロセスの数（既定: WORKERS、なければ 1）。',
  'Port to listen on; 0 means any free one (default: 3002).':
    '待ち受けるポート。0 は空いているもの（既定: 3002）。',
  'Address to listen on (default: 127.0.0.1).': '待ち受けるアドレス（既定: 127.0.0.1）。',
  'A whole number; another one gives another catalogue.': '整数。変えると別の目録になります。',
  'How it behaves where nobody knows, and faults: name=value,... (docs/narou-server.md).':
    '仕様にない振る舞いと障害: 名前=値,...（docs/narou-server.md）。',
  'Folder of the local catalogue; a harvest that was broken off goes on there.':
    '手元の目録のフォルダー。途中で止めた収集は、そこから続きます。',
  'Adult novels too (metadata only; for readers of 18 and over).':
    '成人向け作品も集めます（メタデータのみ、18歳以上の方向け）。',
  'All rankings since May 2013 too, of which histories are made (some 6,000 requests).':
    '2013年5月からのすべてのランキングも集めます。順位の推移に使います（約 6,000 回の問い合わせ）。',
  'Stay, and keep the folder as new as the upstream, rankings included.':
    '動き続け、ランキングも含めて、フォルダーを取得元と同じ新しさに保ちます。',
  'Generations of an index that stay on disk: 2, or 1 for the one in force alone.':
    'ディスクに残す索引の世代数。2、または今の世代だけなら 1。',
  'Do not print the requests.': 'リクエストを表示しません。',
  'One of bash, zsh, fish, powershell; with --suggest the words so far.':
    'bash、zsh、fish、powershell のどれか。--suggest があれば、それまでの言葉。',
  'Print what may stand in place of this beginning, behind the words so far. The scripts ask so.':
    'それまでの言葉に続けて、この書き出しの代わりに置けるものを出力します。スクリプトが使います。',

  // Tables and facts
  'Ep.': '話数',
  Latest: '最新話',
  Rank: '順位',
  Period: '期間',
  Date: '日付',
  Title: '題名',
  Author: '作者',
  Ncode: 'Nコード',
  Genre: 'ジャンル',
  State: '状態',
  Episodes: '話数',
  Characters: '文字数',
  'Reading time': '読了時間',
  Published: '掲載',
  'Latest episode': '最新話',
  'Overall points': '総合ポイント',
  Points: 'ポイント',
  Bookmarks: 'ブックマーク',
  Raters: '評価者',
  Impressions: '感想',
  Reviews: 'レビュー',
  Dialogue: '会話率',
  Marks: '要素',
  Keywords: 'キーワード',
  Synopsis: 'あらすじ',
  Name: '名前',
  Reading: '読み',
  'User id': 'ユーザーID',
  Novels: '作品数',
  'Characters in all': '総文字数',
  'Overall points of all novels': '総合ポイントの合計',
  'Reviews written': '書いたレビュー',
  Domain: 'ドメイン名',
  Registrar: 'レジストラ',
  Created: '登録',
  Expires: '有効期限',
  Updated: '更新',
  Available: '取得できるか',
  Contact: 'レジストラの連絡先',
  Reseller: '取次店',
  'Held by': '登録者',
  DNSSEC: 'DNSSEC',
  'Name servers': 'ネームサーバー',
  Status: '状態コード',
  Source: '取得元',
  Because: '理由',
  Asked: 'たどった道すじ',

  // Values
  complete: '完結済',
  ongoing: '連載中',
  'long on hiatus': '長期停止中',
  short: '短編',
  'cruel depictions': '残酷な描写',
  "boys' love": 'ボーイズラブ',
  "girls' love": 'ガールズラブ',
  reincarnation: '異世界転生',
  'transfer to another world': '異世界転移',
  daily: '日間',
  weekly: '週間',
  monthly: '月間',
  quarterly: '四半期',
  registered: '登録あり',
  reserved: '予約',
  'not registered': '登録なし',
  signed: '署名あり',
  unsigned: '署名なし',
  '{writer} (user {userid})': '{writer}（ユーザー {userid}）',
  '{minutes} minutes': '{minutes}分',
  'day {day}, week {week}, month {month}, quarter {quarter}, year {year}':
    '日間 {day}、週間 {week}、月間 {month}、四半期 {quarter}、年間 {year}',
  yes: 'はい',
  no: 'いいえ',
  'waiting {seconds} s': '{seconds} 秒待っています',
  '(no longer there)': '（削除された作品）',
  'the answer broke off: fields may be missing':
    '答えの途中で接続が切れました。欠けている項目があるかもしれません',

  // Harvest
  novels: '作品',
  'counting again, ranges left': '数え直し、残りの範囲',
  'building the index of': '索引の作成',
  rankings: 'ランキング',
  'what is new or changed': '新着と変更',
  'figures of the day': '今日の数値',
  'records anew': '取り直し',
  'waiting for what is next': '次の時刻を待っています',
  '{rankings} rankings; {missed} could not be had': '{rankings} 回分。取れなかったもの {missed}',
  '{minutes} min left': '残り {minutes}分',
  '{hours} h left': '残り {hours}時間',
  '{days} days left': '残り {days}日',
  '{requests} requests': '{requests} 回',
  'budget: {requests} of the requests, {bytes} of the bytes': '1 日の分: 回数の {requests}、量の {bytes}',
  'resting until {until}Z: {message}': '{until}Z まで休み: {message}',
  'missing from {records} records': '{records} 件の記録にありません',
  '{novels} novels fetched; the upstream counts {counted}; {missing} missing':
    '{novels} 作品を取得。取得元の数では {counted}、不足 {missing}',
  'NAROU_CONTACT is not set: the upstream is not told who asks, and may refuse':
    'NAROU_CONTACT がありません。取得元に連絡先が伝わらず、断られることがあります',
  'interrupted: what was fetched is kept, and the next run goes on from there':
    '中断しました。集めた分は残っていて、次はそこから続きます',
  'Nothing more can be written to {dir}:': '{dir} にこれ以上書けません:',
  'What was fetched is kept, and the next run goes on from there.':
    '集めた分は残っていて、次はそこから続きます。',

  // Notes
  'The output cannot be written:': '出力を書けません:',
  'sample data: all of it is invented': '見本のデータです。すべて架空のものです',
  'the upstream does not answer: data from {minutes} minutes ago':
    '取得元が答えません。{minutes}分前のデータです',
  'without effect here: {names}': 'ここでは効かない指定: {names}',
  '{shown} found': '{shown}件',
  '{all} found, none from {from} on': '{all}件。{from}件目からはありません',
  '{all} found, {from} to {to} shown': '{all}件のうち {from}〜{to}件目',
  '{all} found, {from} to {to} shown; more with --st {next}':
    '{all}件のうち {from}〜{to}件目。続きは --st {next}',
  '{type} ranking of {date}: {shown} of {all}': '{date} の {type} ランキング: {all}件のうち {shown}件',
  '{type} ranking of {date}: {shown} of {all}; all with --top {all}':
    '{date} の {type} ランキング: {all}件のうち {shown}件。すべて見るには --top {all}',
  '{times} times; best {best} ({bestDate}); last {last} ({date})':
    '{times}回、最高 {best}位（{bestDate}）、最後 {last}位（{date}）',
  '{count} rankings up to {date}': '{date} までの {count}回',
  '{count} {type} rankings': '{type} ランキング {count}回分',
  'There is no novel {ncode}.': '{ncode} という小説はありません。',
  '{ncode} never stood in any ranking.': '{ncode} がランキングに入ったことは、まだありません。',
  '{ncode} never stood in a {type} ranking.': '{ncode} が {type} ランキングに入ったことは、まだありません。',
  'Novels: mokuroku novels --userid {userid}': '作品: mokuroku novels --userid {userid}',
  'Start one with `mokuroku serve`, or name another with --base-url.':
    '`mokuroku serve` で起動するか、--base-url で別のサービスを指定してください。',
  'Try again in {seconds} s.': '{seconds} 秒後にもう一度お試しください。',
  'With --wait the command waits by itself.': '--wait を付けると自動で待ちます。',
} as const;
