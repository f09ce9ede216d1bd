import { QUESTION_PHRASES } from './question-phrases.ts';

/** Texts of the checks, with their Japanese. */
export const PHRASES = {
  ...QUESTION_PHRASES,
  '{text}': '{text}',

  // This machine
  'Node.js': 'Node.js',
  'Install Node {least} or later.': 'Node {least} 以降を入れてください。',
  'Install an even version: this one is not maintained for long.':
    '偶数の版を入れてください。奇数の版は長く保守されません。',
  Settings: '設定',
  'cannot be read: {names}': '読めません: {names}',
  '`mokuroku serve` prints the allowed values; docs/configuration.md lists all settings.':
    '正しい形は `mokuroku serve` が示します。一覧は docs/configuration.md に。',
  'without effect: {names}': '効かないもの: {names}',
  'Correct or remove them.': '直すか、消してください。',
  'HOST is not an address of this machine': 'HOST はこの機械のアドレスではありません',
  'Set MOKUROKU_HOST to choose the address.': 'アドレスは MOKUROKU_HOST で選べます。',
  'NAROU_CONTACT is not set': 'NAROU_CONTACT がありません',
  'Set it to an address where you can be reached: the novel site may refuse you otherwise.':
    '連絡のつく先を入れてください。ないと断られることがあります。',
  'all are valid': 'すべて読めます',
  'Port of {name}': '{name} のポート',
  'any free one': '空いているどれか',
  '{port} is free': '{port} は空いています',
  '{port} is in use by mokuroku': '{port} は mokuroku が使っています',
  '{port} is in use by another program': '{port} は他のプログラムが使っています',
  '{port} is in use, and does not respond': '{port} は使用中ですが、応答がありません',
  'it needs more rights': '権限が足りません',
  'this machine does not have that address': 'この機械にないアドレスです',
  'it cannot be listened on': '待ち受けられません',
  'Set {name} or MOKUROKU_HOST.': '{name} か MOKUROKU_HOST を変えてください。',
  'Folder of {name}': '{name} のフォルダ',
  'it cannot be used ({reason})': '使えません（{reason}）',
  'Make the folder of {name}, with rights for this user.':
    '{name} のフォルダを、このユーザの権限で作ってください。',
  '{free} GB are free': '空き {free} GB',
  'Free disk space: up to {required} GB may be needed.':
    '{required} GB ほど要ることがあります。空けてください。',
  'Shared store': '共有ストア',
  'STORE_URL is not set': 'STORE_URL がありません',
  'the package ioredis is not installed': 'ioredis が入っていません',
  'Install it: npm install ioredis@5': '入れてください: npm install ioredis@5',
  'it cannot be reached': '届きません',
  'Check STORE_URL, its password, and whether the store runs.':
    'STORE_URL とパスワード、ストアが動いているかを確かめてください。',
  'Redis {least} or later is needed, or any Valkey.': 'Redis {least} 以降か Valkey が要ります。',
  '{name} {version} runs no scripts': '{name} {version} でスクリプトが動きません',
  'Allow EVAL and EVALSHA to this user of the store.': 'このユーザに EVAL と EVALSHA を許してください。',
  '{name} {version}, {ms} ms a command': '{name} {version}、1 命令 {ms} ms',
  'It is slow for STORE_TIMEOUT_MS={timeoutMs}: use a nearer store, or raise the setting.':
    'STORE_TIMEOUT_MS={timeoutMs} に対して遅すぎます。近くに置くか、値を上げてください。',
  'Address families': 'アドレスの種類',
  'only loopback and link-local addresses': '外へ出るアドレスがありません',
  'Connect it to a network.': 'ネットワークにつないでください。',
  'Names of servers': 'サーバー名',
  'none needed': '確認対象の名前はありません',
  'all {count} have addresses': '{count} 件すべてにアドレスがあります',
  'without an address: {hosts}': 'アドレスがありません: {hosts}',
  'Check the DNS servers of this machine. The sample needs none; --live does.':
    'DNS の設定を確かめてください。サンプルには不要ですが、--live には必要です。',
  'The clock of this machine': 'このマシンの時計',
  'nothing to compare it with: --live or --base-url': '比較対象がありません（--live か --base-url）',
  'the service does not respond': 'サービスが応答しません',
  'Is the address of --base-url right?': '--base-url のアドレスは正しいですか。',
  'the reply has no date to compare with': '応答に日付がありません',
  '{seconds} s off the clock of the server': 'サーバーの時計との差 {seconds} 秒',
  'Set the clock of this machine, best by NTP: dates of rankings and ages depend on it.':
    '時計を合わせてください（NTP がおすすめ）。ランキングの日付と古さの判断に使います。',

  // The novel site
  'The form of {about}': '{about} の形',
  '{records} records of {fields} fields': '{records} 件、{fields} 項目',
  'new fields: {fields}': '新しい項目: {fields}',
  '{date}: {places} places': '{date}: {places} 位まで',
  '{date}: its ranks are not 1, 2, 3 ...': '{date}: 順位が 1、2、3 … ではありません',
  'the ranking of {date} is missing': '{date} のランキングがありません',
  'there is no ranking to start from': '元になるランキングがありません',
  'the first of {date} does not have it in its history': '{date} の 1 位の履歴に、その日がありません',
  '{rankings} rankings': 'ランキング {rankings} 回分',
  'the client cannot read it: {reason}': '読めません: {reason}',
  'Report it, with the version of mokuroku: the client must be adapted.':
    'mokuroku の版と合わせて報告してください。解析の修正が必要です。',
  '{answer}; the client expects {expected}': '{answer}。想定は {expected}',
  '{answer}; the sample assumes {assumed}': '{answer}。サンプルでは {assumed}',
  'cannot be determined today': '今日は判定できません',
  'the site throttles': 'レート制限されました',
  'the site does not respond as expected': '想定どおりの応答がありません',
  'the daily quota of requests is used up': '1 日の上限に達しました',

  // Registries
  '.{tld}: a registered and a random name': '.{tld}: 登録済みの名前とランダムな名前',
  'registered and not registered, over {protocol}': '登録済み・未登録（{protocol}）',
  'a name is parsed incorrectly: {result}': '誤って解析しています: {result}',
  '{result} ({reason})': '{result}（{reason}）',
  'Report it, with the version of mokuroku: the parser must be adapted.':
    'mokuroku の版と合わせて報告してください。解析の修正が必要です。',
  'The registry may limit this address, or a firewall port 43. Try again later.':
    'レジストリの制限か、43 番ポートの遮断かもしれません。あとでもう一度。',
  'Bundled WHOIS servers compared with the root': '同梱の WHOIS サーバー一覧とルートの応答',
  'the root does not respond': 'ルートが応答しません',
  'Is port 43 open to whois.iana.org?': 'whois.iana.org の 43 番ポートへ出られますか。',
  'all {count} queried zones match the table of {date}':
    '{date} の一覧は、確認した {count} 件すべてで一致します',
  'the table of {date} is outdated for {zones}': '{date} の一覧は古くなっています: {zones}',
  'Update mokuroku. The root is queried first in any case.':
    'mokuroku を更新してください。いずれの場合も、まずルートに問い合わせます。',
  "Bundled RDAP bootstrap compared with today's": '同梱の RDAP ブートストラップと今日のもの',
  'RDAP_BOOTSTRAP is a file': 'RDAP_BOOTSTRAP はファイルです',
  'it cannot be fetched': '取得できません',
  'Look-ups use the bundled one. Can this machine fetch RDAP_BOOTSTRAP?':
    '同梱のものを使います。このマシンから RDAP_BOOTSTRAP を取得できますか。',
  '{differing} of {zones} zones differ between {bundled} and {today}':
    '{bundled} と {today} で {zones} のうち {differing} のゾーンが違います',
  'Update mokuroku. While running it fetches the list daily.':
    'mokuroku を更新してください。動いている間は毎日取得します。',

  // The run
  interrupted: '中断',
  'no network: no server has an address':
    'ネットワークに接続できません（サーバーのアドレスが見つかりません）',
  'the registries do not respond': 'レジストリから応答がありません',
  'it does not respond ({reason})': '応答がありません（{reason}）',
  'Try again later.': '後でもう一度お試しください。',
  'no response within {seconds} s': '{seconds} 秒以内に応答がありません',
  'the check itself failed: {reason}': '検査が失敗しました: {reason}',
} as const;

export type DoctorPhrase = keyof typeof PHRASES;
