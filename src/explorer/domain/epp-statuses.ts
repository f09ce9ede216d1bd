/**
 * EPP status codes that a domain can show: RFC 5731 section 2.3, RFC 3915 section 3.1 and ICANN's list at
 * icann.org/epp, as of 2025. What each means is among the page's words.
 */
export const EPP_CODES = [
  'addPeriod',
  'autoRenewPeriod',
  'inactive',
  'ok',
  'pendingCreate',
  'pendingDelete',
  'pendingRenew',
  'pendingRestore',
  'pendingTransfer',
  'pendingUpdate',
  'redemptionPeriod',
  'renewPeriod',
  'transferPeriod',
  'clientDeleteProhibited',
  'clientHold',
  'clientRenewProhibited',
  'clientTransferProhibited',
  'clientUpdateProhibited',
  'serverDeleteProhibited',
  'serverHold',
  'serverRenewProhibited',
  'serverTransferProhibited',
  'serverUpdateProhibited',
] as const;
export type EppCode = (typeof EPP_CODES)[number];

const BY_LETTERS: ReadonlyMap<string, EppCode> = new Map(EPP_CODES.map((code) => [code.toLowerCase(), code]));

/** A status as registries write it (`clientHold`, `client hold`, `CLIENT-HOLD`) as an EPP code; null for own words. */
export function eppCodeOf(status: string): EppCode | null {
  return BY_LETTERS.get(status.toLowerCase().replace(/[\s_-]/g, '')) ?? null;
}

export function eppLink(code: EppCode): string {
  return `https://icann.org/epp#${code}`;
}
