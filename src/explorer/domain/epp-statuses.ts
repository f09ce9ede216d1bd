import type { Language } from '../shell/language.ts';

/**
 * EPP status codes in a sentence each. Codes and meanings: RFC 5731 section 2.3, RFC 3915 section 3.1 and ICANN's
 * list at icann.org/epp, as of 2025.
 */
export const EPP_STATUSES: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  addPeriod: {
    ja: '登録から間もない猶予期間です。この間に削除すると、登録料が払い戻されることがあります。',
    en: 'Registered only days ago: deleted now, the fee may still be given back.',
  },
  autoRenewPeriod: {
    ja: '期限が来て自動で更新された直後の猶予期間です。この間に削除すると、更新料が戻ることがあります。',
    en: 'Just renewed automatically: deleted now, the renewal fee may still be given back.',
  },
  inactive: {
    ja: 'ネームサーバーが設定されていないため、このドメインは引けません。',
    en: 'No name servers are set, so the domain does not resolve.',
  },
  ok: {
    ja: '通常の状態です。制限も、進行中の手続きもありません。',
    en: 'The normal state: nothing is restricted, nothing is under way.',
  },
  pendingCreate: { ja: '登録の申請を処理しています。', en: 'The registration is being processed.' },
  pendingDelete: {
    ja: '削除を待っています。まもなく消え、だれでも登録できるようになります。',
    en: 'Waiting to be deleted; soon after, anyone can register it.',
  },
  pendingRenew: { ja: '更新の申請を処理しています。', en: 'A renewal is being processed.' },
  pendingRestore: {
    ja: '削除の猶予期間から戻す申請を処理しています。',
    en: 'A request to restore it from the redemption period is being processed.',
  },
  pendingTransfer: {
    ja: '別のレジストラへの移管を処理しています。',
    en: 'A transfer to another registrar is being processed.',
  },
  pendingUpdate: { ja: '登録内容の変更を処理しています。', en: 'An update is being processed.' },
  redemptionPeriod: {
    ja: '削除が申請されました。猶予期間(ふつう30日)のあいだは、元の登録者が取り戻せます。',
    en: 'Its deletion was asked for; for usually 30 days the former holder can still have it restored.',
  },
  renewPeriod: {
    ja: '更新した直後の猶予期間です。この間に削除すると、更新料が戻ることがあります。',
    en: 'Just renewed by its registrar: deleted now, the renewal fee may still be given back.',
  },
  transferPeriod: {
    ja: '移管した直後の猶予期間です。この間に削除すると、移管料が戻ることがあります。',
    en: 'Just transferred: deleted now, the transfer fee may still be given back.',
  },
  clientDeleteProhibited: {
    ja: 'レジストラが削除をできないようにしています。',
    en: 'The registrar has it locked against deletion.',
  },
  clientHold: {
    ja: 'レジストラが DNS から外しているため、引けません。未払いや争いごとでよく使われます。',
    en: 'Taken out of the DNS by the registrar, often over payment or a dispute, so it does not resolve.',
  },
  clientRenewProhibited: {
    ja: 'レジストラが更新をできないようにしています。',
    en: 'The registrar has it locked against renewal.',
  },
  clientTransferProhibited: {
    ja: 'レジストラが移管をできないようにしています。乗っ取りを防ぐ、ふつうの鍵です。',
    en: 'The registrar has it locked against transfer: the usual guard against hijacking.',
  },
  clientUpdateProhibited: {
    ja: 'レジストラが登録内容の変更をできないようにしています。',
    en: 'The registrar has it locked against changes.',
  },
  serverDeleteProhibited: {
    ja: 'レジストリが削除をできないようにしています。',
    en: 'The registry has it locked against deletion.',
  },
  serverHold: {
    ja: 'レジストリが DNS から外しているため、引けません。',
    en: 'Taken out of the DNS by the registry, so it does not resolve.',
  },
  serverRenewProhibited: {
    ja: 'レジストリが更新をできないようにしています。',
    en: 'The registry has it locked against renewal.',
  },
  serverTransferProhibited: {
    ja: 'レジストリが移管をできないようにしています。',
    en: 'The registry has it locked against transfer.',
  },
  serverUpdateProhibited: {
    ja: 'レジストリが登録内容の変更をできないようにしています。',
    en: 'The registry has it locked against changes.',
  },
};

const BY_LETTERS: ReadonlyMap<string, string> = new Map(
  Object.keys(EPP_STATUSES).map((code) => [code.toLowerCase(), code]),
);

/** A status as registries write it (`clientHold`, `client hold`, `CLIENT-HOLD`) as an EPP code; null for own words. */
export function eppCodeOf(status: string): string | null {
  return BY_LETTERS.get(status.toLowerCase().replace(/[\s_-]/g, '')) ?? null;
}

export function eppLink(code: string): string {
  return `https://icann.org/epp#${code}`;
}
