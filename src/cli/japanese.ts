/** Japanese texts by their English originals. The terms are those of the page. */
export const JAPANESE = {
  'mokuroku (目録): a novel catalogue and a domain registration lookup, as services and from here.':
    'mokuroku（目録）: 小説カタログとドメイン登録の照会。サービスとしても、コマンドとしても使えます。',
  'Usage:': '使い方:',
  'Commands:': 'コマンド:',
  'All {count} options:': '{count} 個のオプションすべて:',
  'Examples:': '例:',
  'More:': '詳しくは:',
  'options and examples of a command': 'コマンドのオプションと例',
  'show the version': 'バージョン',
  'Options and examples': 'オプションと例',
  'Search novels by words, genre, author or length.':
    'キーワード、ジャンル、作者、文字数で小説を検索します。',
  'Show one novel.': '小説を 1 つ表示します。',
  'Show a ranking with its novels.': 'ランキングとその作品を表示します。',
  "Draw a novel's ranks over time.": '小説の順位の推移を描きます。',
  'Search authors and readers by name.': '名前で作者や読者を検索します。',
  'Show one author or reader.': '作者または読者を 1 人表示します。',
  'Look up who registered domain names, and until when.': 'ドメイン名の登録情報と有効期限を調べます。',
  'Run both services, on the embedded sample or (--live) on the live upstreams.':
    '2 つのサービスを、内蔵のサンプルまたは（--live）実際の取得元で起動します。',
  "Run a server with the upstream's protocol and invented data, for tests.":
    '取得元と同じプロトコルで架空のデータを返すサーバーを、テスト用に起動します。',
  'Offer both services as MCP tools for an agent, on standard input and output.':
    '2 つのサービスを、エージェント向けの MCP ツールとして標準入出力で提供します。',
  'Running services, separated by commas (default: MOKUROKU_CATALOGUE_URL and MOKUROKU_REGISTRATION_URL).':
    '稼働中のサービス。コンマで区切ります（既定: MOKUROKU_CATALOGUE_URL と MOKUROKU_REGISTRATION_URL）。',
  'Query the novel site and the registries from this process, without a running service.':
    'サービスを介さず、このプロセスから小説サイトとレジストリへ問い合わせます。',
  'Also offer the tools for adult novels.': '成人向け作品のツールも提供します。',
  "Fetch the upstream's whole catalogue into a folder for `serve --catalogue`, within its limits.":
    '取得元のカタログ全体を、利用上限内でフォルダーに取得します（`serve --catalogue` 用）。',
  'Print the completion script of a shell.': 'シェルの補完スクリプトを出力します。',

  'Or query the registries directly: mokuroku whois --direct NAME.':
    'または、レジストリに直接問い合わせます: mokuroku whois --direct 名前',
  'Querying the registries directly, without a service.':
    'サービスを使わず、レジストリに直接問い合わせます。',

  // Headings and options
  'Query the registries directly, without a service (its settings, such as WHOIS_ROOT, apply).':
    'サービスを使わず、レジストリに直接問い合わせます（WHOIS_ROOT などサービスの設定が適用されます）。',
  Output: '出力',
  Service: 'サービス',
  Words: '検索語',
  'Order and fields': '並び順と項目',
  'Which ones': '絞り込み',
  'Adult novels': '成人向け作品',
  'Print the response as JSON.': 'レスポンスを JSON で出力します。',
  'Print all matches, one JSON object per line; needs a local catalogue.':
    '一致した作品すべてを、1 行に 1 件の JSON で出力します。ローカルカタログが必要です。',
  'Print CSV (RFC 4180, UTF-8).': 'CSV（RFC 4180、UTF-8）で出力します。',
  "Open it on the service's web page.": 'サービスの Web 画面をブラウザーで開きます。',
  'When the service throttles, wait (two minutes at most) instead of failing.':
    'サービスのレート制限時に、エラーにせず待ちます（最長 2 分）。',
  'Another service (default: MOKUROKU_CATALOGUE_URL, or http://127.0.0.1:3000).':
    '別のサービス（既定: MOKUROKU_CATALOGUE_URL、なければ http://127.0.0.1:3000）。',
  'Another service (default: MOKUROKU_REGISTRATION_URL, or http://127.0.0.1:3001).':
    '別のサービス（既定: MOKUROKU_REGISTRATION_URL、なければ http://127.0.0.1:3001）。',
  'Words that must all occur; or one Ncode.': 'すべてを含む検索語、または Nコード 1 つ。',
  'Search adult novels instead (metadata only; for readers of 18 and over).':
    '代わりに成人向け作品を検索します（メタデータのみ、18歳以上の方向け）。',
  'Code of the novel, in any case.': '小説の Nコード。大文字・小文字は問いません。',
  'An adult novel (metadata only; for readers of 18 and over).':
    '成人向け作品（メタデータのみ、18歳以上の方向け）。',
  'Period: daily (the default), weekly, monthly or quarterly.':
    '期間: daily（既定）、weekly、monthly、quarterly。',
  'YYYY-MM-DD; a Monday for weekly, a first of a month for monthly and quarterly (default: newest).':
    'YYYY-MM-DD。weekly は月曜日、monthly と quarterly は 1 日（既定: 最新）。',
  'Several rankings without novels, from this day (YYYY-MM-DD) on.':
    '複数のランキングを作品の情報なしで、この日（YYYY-MM-DD）から。',
  'The last day of several rankings (default: the newest; then at most 31).':
    '複数のランキングの最後の日（既定: 最新。その場合は 31 回分まで）。',
  'Number of entries (default: 20 in a table, otherwise all).':
    '先頭からの件数（既定: 表では 20、他はすべて）。',
  'Rank, points and Ncode only.': '順位、ポイント、Nコードだけ。',
  'Keep running and show each new ranking as it is published.':
    '実行を続け、新しいランキングが公開されるたびに表示します。',
  'Only one period: daily, weekly, monthly or quarterly.':
    '1 つの期間だけ: daily、weekly、monthly、quarterly。',
  'List every ranking instead of drawing them.': '描く代わりに、すべての順位を一覧にします。',
  'Words of the name or its reading.': '名前または読みの検索語。',
  'User id: digits.': 'ユーザー ID（数字）。',
  'Domain names; - reads them from standard input, where # starts a comment.':
    'ドメイン名。- なら標準入力から読みます（# から行末まではコメント）。',
  "Query the registrar's server too.": 'レジストラのサーバーにも問い合わせます。',
  'Read the names from a file, where # starts a comment.':
    '名前をファイルから読みます（# から行末まではコメント）。',
  "Print the server's raw text (one name only).": 'サーバーの原文をそのまま出力します（名前は 1 つだけ）。',
  'Serve novels and rankings from a local catalogue, made by `mokuroku harvest`.':
    '`mokuroku harvest` が作るローカルカタログから、小説とランキングを返します。',
  'Query the live upstreams instead of the embedded sample.':
    '内蔵のサンプルではなく、実際の取得元に接続します。',
  'Run one service: catalogue or registration (default: SERVE_ONLY, or both).':
    '一方のサービス（catalogue か registration）だけを動かします（既定: SERVE_ONLY、なければ両方）。',
  'Port to listen on; 0 means any free one (default: 3002).':
    '待ち受けるポート。0 は空いているもの（既定: 3002）。',
  'Address to listen on (default: 127.0.0.1).': '待ち受けるアドレス（既定: 127.0.0.1）。',
  'A whole number that selects the invented catalogue.': '架空のカタログを選ぶ整数。',
  'Undocumented behaviour and faults: name=value,... (docs/narou-server.md).':
    '未文書化の動作と障害: 名前=値,...（docs/narou-server.md）。',
  'Folder of the local catalogue; an interrupted harvest resumes there.':
    'ローカルカタログのフォルダー。中断した取得はそこから再開します。',
  'Adult novels too (metadata only; for readers of 18 and over).':
    '成人向け作品も取得します（メタデータのみ、18歳以上の方向け）。',
  'All rankings since May 2013 too, of which histories are made (some 6,000 requests).':
    '2013年5月からのすべてのランキングも取得します。順位の履歴に使います（約 6,000 リクエスト）。',
  'Keep running and keep the folder up to date, rankings included.':
    '実行を続け、ランキングも含めてフォルダーを最新に保ちます。',
  'Generations of an index on disk: 2, or 1 for the current one only.':
    'ディスクに残す索引の世代数。2、または現在の世代だけなら 1。',
  'Do not print the requests.': 'リクエストを表示しません。',
  'One of bash, zsh, fish, powershell; with --suggest the words so far.':
    'bash、zsh、fish、powershell のどれか。--suggest では、それまでの単語。',
  'Print the completions of this beginning after the given words; used by the scripts.':
    'それまでの単語に続く補完候補のうち、この文字列で始まるものを出力します（補完スクリプト用）。',

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
  Elements: '要素',
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
  'To be deleted': '削除予定',
  Ending: '終了の状態',
  Updated: '更新',
  Available: '登録できるか',
  Contact: 'レジストラの連絡先',
  Registrant: '登録者',
  DNSSEC: 'DNSSEC',
  'Name servers': 'ネームサーバー',
  Status: '状態コード',
  Source: '取得元',
  Evidence: '判定の根拠',
  Queried: '問い合わせ経路',

  // Values
  complete: '完結済',
  ongoing: '連載中',
  'on long hiatus': '長期停止中',
  short: '短編',
  'graphic violence': '残酷な描写',
  "boys' love": 'ボーイズラブ',
  "girls' love": 'ガールズラブ',
  reincarnation: '異世界転生',
  'other world': '異世界転移',
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
  '(no longer listed)': '（公開終了）',
  'the connection broke during the response: fields may be missing':
    '応答の途中で接続が切れました。欠けている項目がある可能性があります',
  'a further server did not answer: missing fields are unknown':
    '一部のサーバーから応答がありません。欠けている項目は不明です',

  // Harvest
  novels: '作品',
  'counting again, ranges left': '数え直し、残りの範囲',
  'building the index of': '索引の作成',
  rankings: 'ランキング',
  'new and changed novels': '新着と更新',
  'figures of the day': '今日の統計',
  'records refreshed': '再取得',
  'waiting for the next task': '次の処理を待っています',
  '{rankings} rankings; {missed} unavailable': '{rankings} 回分。取得できなかったもの {missed}',
  '{minutes} min left': '残り {minutes}分',
  '{hours} h left': '残り {hours}時間',
  '{days} days left': '残り {days}日',
  '{requests} requests': '{requests} 回',
  'budget: {requests} of the requests, {bytes} of the bytes':
    '1 日の上限: リクエストの {requests}、バイトの {bytes}',
  'pausing until {until}Z: {message}': '{until}Z まで待機: {message}',
  'missing from {records} records': '{records} 件のレコードにありません',
  '{novels} novels fetched; the upstream counts {counted}; {missing} missing':
    '{novels} 作品を取得。取得元の数では {counted}、不足 {missing}',
  'NAROU_CONTACT is not set: the upstream cannot see who sends requests, and may refuse them':
    'NAROU_CONTACT が未設定です。取得元に連絡先が伝わらず、拒否される可能性があります',
  'interrupted: fetched data are saved, and the next run resumes':
    '中断しました。取得済みのデータは保存されており、次回はそこから再開します',
  'Cannot write to {dir}:': '{dir} に書き込めません:',
  'Fetched data are saved, and the next run resumes.':
    '取得済みのデータは保存されており、次回はそこから再開します。',

  // Changes
  'Print what has happened to novels, from cursor to cursor (of a local catalogue).':
    '小説の変更をカーソルの続きから出力します（ローカルカタログのみ）。',
  'A cursor, or now (default: all events of the last two weeks).':
    'カーソルか now（既定: 過去 2 週間のすべて）。',
  'File that has the cursor of the last printed event; the next run continues there.':
    '最後に出力した変更のカーソルを保存するファイル。次回の実行はそこから続けます。',
  'Keep running and print each event as it comes.': '実行を続け、変更があるたびに出力します。',
  'Print each event as a line of JSON.': '1 件を JSON 1 行で出力します。',
  'Kinds of events, separated by commas.': '変更の種類。コンマで区切ります。',
  'Only changes of these fields, separated by commas.': '対象の項目。コンマで区切ります。',
  'Only changes of these novels, separated by commas.': '対象の小説。コンマで区切ります。',
  'Only changes of novels of these authors.': '対象の作者。',
  'Only changes of novels of these genres.': '対象のジャンル。',
  'Events after this cursor have expired: fetch what you need again, then continue with --since now.':
    'このカーソル以後の変更は期限切れです。必要なデータを取得し直し、--since now から続けてください。',
  'The cursor is in {file}; delete it.': 'カーソルは {file} にあります。削除してください。',
  '--cursor {file} cannot be used ({why}).': '--cursor {file} は使用できません（{why}）。',

  // Doctor
  'Check this machine, its settings and (--live) the live upstreams, and say what to do.':
    'このマシンと設定、（--live）取得元を調べ、どうすればよいかを示します。',
  'Also query the novel site and the registries, one request a second (three minutes).':
    '小説サイトとレジストリにも、1 秒に 1 回問い合わせます（3 分）。',
  'Print the report as JSON (docs/doctor-report.schema.json).':
    '報告を JSON で書きます（docs/doctor-report.schema.json）。',
  ok: '良好',
  warning: '警告',
  broken: '異常',
  '{requests} requests to the novel site and {lookUps} look-ups, one a second: some {minutes} minutes. Ctrl-C prints what is known.':
    '小説サイトに {requests} リクエスト、ドメイン照会 {lookUps} 件、1 秒に 1 回で約 {minutes} 分。Ctrl-C でそれまでの結果を表示します。',
  '{count} skipped: {reason}': '{count} 件はスキップ: {reason}',
  '{ok} ok, {warning} warning, {broken} broken': '良好 {ok}、警告 {warning}、異常 {broken}',
  'The report names no person, address or folder: attach the output of --json to an issue.':
    'レポートに個人・アドレス・フォルダーの情報は含まれません。--json の出力を issue に付けてください。',

  // Notes
  'Cannot write the output:': '出力を書き込めません:',
  'sample data: all of it is invented': 'サンプルデータです。すべて架空のものです',
  'the upstream is unavailable: data from {minutes} min ago':
    '取得元が応答しません。{minutes}分前のデータです',
  'ignored parameters: {names}': '無視されたパラメーター: {names}',
  '{shown} found': '{shown}件',
  '{all} found, none from {from} on': '{all}件。{from}件目からはありません',
  'Showing {from}–{to} of {all}': '{all}件のうち {from}〜{to}件目',
  'Showing {from}–{to} of {all}; next page: --st {next}':
    '{all}件のうち {from}〜{to}件目。続きは --st {next}',
  '{type} ranking of {date}: {shown} of {all}': '{date} の{type}ランキング: {all}件のうち {shown}件',
  '{type} ranking of {date}: {shown} of {all}; all with --top {all}':
    '{date} の{type}ランキング: {all}件のうち {shown}件。すべて見るには --top {all}',
  'rankings: {times}; best {best} ({bestDate}); last {last} ({date})':
    '{times}回、最高 {best}位（{bestDate}）、最後 {last}位（{date}）',
  '{count} rankings up to {date}': '{date} までの {count}回',
  '{type} rankings: {count}': '{type}ランキング {count}回分',
  'There is no novel {ncode}.': '{ncode} という小説はありません。',
  '{ncode} never ranked.': '{ncode} がランキングに入ったことは、まだありません。',
  '{ncode} never ranked in a {type} ranking.': '{ncode} が{type}ランキングに入ったことは、まだありません。',
  'Novels: mokuroku novels --userid {userid}': '作品: mokuroku novels --userid {userid}',
  'Start one with `mokuroku serve`, or choose another with --base-url.':
    '`mokuroku serve` で起動するか、--base-url で別のサービスを指定してください。',
  'Try again in {seconds} s.': '{seconds} 秒後にもう一度お試しください。',
  'With --wait the command waits.': '--wait を付けると自動で待ちます。',

  // Invalid command lines
  'Did you mean {meant}?': 'もしかして: {meant}',
  'There is no command {name}.': '{name} というコマンドはありません。',
  'Options follow the command: mokuroku <command> {first} ...':
    'オプションはコマンドの後に書きます: mokuroku <コマンド> {first} ...',
  '{command} has no option {rawName}.': '{command} に {rawName} というオプションはありません。',
  '{rawName} is given twice.': '{rawName} が2回あります。',
  '{rawName} takes no value.': '{rawName} に値は付けられません。',
  '{rawName} needs a value, as `mokuroku {command} --help` says.':
    '{rawName} には値が必要です。`mokuroku {command} --help` に説明があります。',
  '{name} needs <{word}>.': '{name} には <{word}> が必要です。',
  '{name} takes one word beside its options, not {given}.':
    '{name} にオプションのほかに書けるのは 1 語だけです（{given} 語あります）。',
  '{name} takes no words beside its options, not {given}.':
    '{name} に書けるのはオプションだけです（ほかに {given} 語あります）。',
  'whois reads names from standard input (-) or from the command line, not both.':
    'whois の名前は標準入力 (-) かコマンドラインの一方だけで指定できます。',
  'whois takes its names from --from or from the command line, not both.':
    '名前は --from かコマンドラインの一方から読みます。両方は使えません。',
  'whois needs a name.': 'whois には名前が必要です。',
  '--from {file} cannot be read ({why}).': '--from {file} を読めません（{why}）。',
  '--{option} shows one name only.': '--{option} で表示できる名前は 1 つだけです。',
  '--raw prints the text of the server: not with --json or --csv.':
    '--raw はサーバーの原文を表示します。--json や --csv と一緒には使えません。',
  '--direct uses no service: not with --base-url or --web.':
    '--direct はサービスを使いません。--base-url や --web とは併用できません。',
  'mcp takes --direct or --base-url, not both.': 'mcp には --direct か --base-url の一方だけを指定できます。',
  '{text}': '{text}',
  '{option} {given}: use one of {allowed}.': '{option} {given}: 次のどれかにしてください: {allowed}。',
  '{option} {given}: use a whole number from {from} to {to}.':
    '{option} {given}: {from} から {to} までの整数にしてください。',
  '{given} is not the address of a service, such as http://127.0.0.1:3000':
    '{given} はサービスのアドレスではありません。例: http://127.0.0.1:3000',
  'There is no completion for {shell}, only for {allowed}.':
    '{shell} の補完はありません。あるのは {allowed} です。',
  'Use either {option} or {other}.': '{option} と {other} は一方だけにしてください。',
  '{what} cannot listen: port {port} is taken. Set {portName}.':
    '{what} は起動できません。ポート {port} は使用中です。{portName} を変えてください。',
  '{what} cannot listen: the port needs more rights. Set {hostName} or {portName}.':
    '{what} は起動できません。このポートには権限が要ります。{hostName} か {portName} を変えてください。',
  '{what} cannot listen: this machine does not have that address. Set {hostName} or {portName}.':
    '{what} は起動できません。このマシンにないアドレスです。{hostName} か {portName} を変えてください。',
  '{what} cannot listen: unknown host name. Set {hostName} or {portName}.':
    '{what} は起動できません。ホスト名が見つかりません。{hostName} か {portName} を変えてください。',
  'harvest needs --dir: the folder of the local catalogue.':
    'harvest には --dir（ローカルカタログのフォルダー）が必要です。',
  '--watch cannot be combined with --date or --web.': '--watch は --date や --web と併用できません。',
  '--to needs --from: the first day.': '--to には --from（最初の日）が必要です。',
  '--from cannot be combined with --date, --of, --watch or --web.':
    '--from は --date、--of、--watch、--web と併用できません。',
  'This process may open too few files. Allow it 1024 or more: ulimit -n 1024':
    '開けるファイルの数が足りません。1024 以上にしてください: ulimit -n 1024',

  // Faults
  'Invalid request:': '条件に誤りがあります:',
  'Allowed: {allowed}.': '指定できる値: {allowed}。',
} as const;
