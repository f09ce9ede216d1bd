import { ENDINGS_JA, EVIDENCE_JA, OUTCOMES_JA } from '../../words/look-up-ja.ts';
import { ja as shell } from '../shell/words-ja.ts';

export const ja = {
  brand: { name: '目録', reading: 'ドメイン登録の照会' },
  title: 'ドメインの登録を調べる',
  manyTitle: (count: number) => `${count}件のドメインの登録`,
  field: 'ドメイン名',
  placeholder: 'example.com、例え.jp',
  submit: '調べる',
  registrar: 'レジストラにも問い合わせる',
  intro: 'ルートからレジストリまで順に問い合わせ、登録情報を取得します。',
  try: 'たとえば:',
  recent: 'このブラウザーで調べた名前:',
  forget: '履歴を消す',
  registered: '登録されています',
  reserved: '予約されている名前です',
  reservedText: '登録はされておらず、登録することもできません。',
  truncated: '応答の途中で接続が切れました。欠けている項目があるかもしれません。',
  incomplete: (fields: string) => `読み取れないか、応答が得られず不明な項目: ${fields}`,
  registrarName: 'レジストラ',
  unpublished: 'このレジストリは公開していません',
  notStated: '記載なし',
  expired: '期限切れ',
  ending: '終了の状態',
  endings: ENDINGS_JA,
  nameServers: 'ネームサーバー',
  status: '状態',
  ownWords: 'レジストリ独自の表記です。',
  why: '判定の根拠',
  evidence: EVIDENCE_JA,
  control: (name: string, at: string) =>
    `このサーバーは ${name} を登録済みと答えており（${at}）、このゾーンを扱っています。`,
  hops: '問い合わせ経路',
  roles: { root: 'ルート', registry: 'レジストリ', registrar: 'レジストラ' } as Readonly<
    Record<string, string>
  >,
  outcomes: OUTCOMES_JA,
  milliseconds: (ms: string) => `${ms}ミリ秒`,
  cached: 'キャッシュから',
  raw: '原文',
  copyRaw: '原文をコピー',
  decided: '判定の根拠となった行',
  rawFrom: (server: string) => `${server} の応答`,
  rawOfRegistry: (server: string) => `レジストリ ${server} の応答`,
  free: (domain: string) => `${domain} は登録できます`,
  states: { registered: '登録あり', reserved: '予約', not_registered: '登録できます' } as Readonly<
    Record<string, string>
  >,
  calendar: 'カレンダーに入れる',
  severalNames: '複数の名前を、空白またはカンマで区切って入力できます。',
  tooMany: (count: number, max: number) => `${count}件あります。一度に調べられるのは${max}件までです。`,
  manyDone: (done: number, all: number) => `${all}件のうち${done}件が完了`,
  inOrder: { given: '入力した順に並べる', soonest: '期限の近い順に並べる' },
  shelfHow:
    '調べた結果の「☆」でドメインを本棚に入れると、次に来たとき、期限やレジストラの変化がここに出ます。',
  shelfMoved: (name: string, before: string, after: string) => `${name}: ${before} → ${after}`,
  followAll: 'すべて本棚に入れる',
  details: {
    title: '登録の詳細',
    signed: '署名あり',
    unsigned: '署名なし',
  },
  // EPP status codes of domains: RFC 5731 section 2.3, RFC 3915 section 3.1 and ICANN's list at icann.org/epp, as of
  // 2025.
  statuses: {
    addPeriod: '登録から間もない猶予期間です。この間に削除すると、登録料が払い戻されることがあります。',
    autoRenewPeriod:
      '期限が来て自動で更新された直後の猶予期間です。この間に削除すると、更新料が払い戻されることがあります。',
    inactive: 'ネームサーバーが設定されていないため、名前解決できません。',
    ok: '通常の状態です。制限も、進行中の手続きもありません。',
    pendingCreate: '登録の申請を処理しています。',
    pendingDelete: '削除待ちです。まもなく削除され、だれでも登録できるようになります。',
    pendingRenew: '更新の申請を処理しています。',
    pendingRestore: '削除の猶予期間から戻す申請を処理しています。',
    pendingTransfer: '別のレジストラへの移管を処理しています。',
    pendingUpdate: '登録内容の変更を処理しています。',
    redemptionPeriod: '削除が申請されました。猶予期間（通常30日）のあいだは、元の登録者が取り戻せます。',
    renewPeriod: '更新した直後の猶予期間です。この間に削除すると、更新料が払い戻されることがあります。',
    transferPeriod: '移管した直後の猶予期間です。この間に削除すると、移管料が払い戻されることがあります。',
    clientDeleteProhibited: 'レジストラが削除を禁止しています。',
    clientHold: 'レジストラが DNS から外しているため、名前解決できません。未払いや紛争の際によく使われます。',
    clientRenewProhibited: 'レジストラが更新を禁止しています。',
    clientTransferProhibited: 'レジストラが移管を禁止しています。乗っ取りを防ぐための一般的な設定です。',
    clientUpdateProhibited: 'レジストラが登録内容の変更を禁止しています。',
    serverDeleteProhibited: 'レジストリが削除を禁止しています。',
    serverHold: 'レジストリが DNS から外しているため、名前解決できません。',
    serverRenewProhibited: 'レジストリが更新を禁止しています。',
    serverTransferProhibited: 'レジストリが移管を禁止しています。',
    serverUpdateProhibited: 'レジストリが登録内容の変更を禁止しています。',
  },
};

export type DomainWords = typeof ja;

export const words = { shell, domain: ja };
