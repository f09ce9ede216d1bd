import { plainLabel } from './label-table.ts';
import { isNoValue, isNoneListed } from './placeholder.ts';
import { SentenceReader } from './sentence-table.ts';
import type { SentenceState } from './sentence-table.ts';

/** EPP status values (RFC 5731 section 2.3, RFC 3915 section 3.1). */
const EPP_CODES =
  `ok inactive linked clientDeleteProhibited clientHold clientRenewProhibited clientTransferProhibited
   clientUpdateProhibited serverDeleteProhibited serverHold serverRenewProhibited serverTransferProhibited
   serverUpdateProhibited pendingCreate pendingDelete pendingRenew pendingRestore pendingTransfer pendingUpdate
   addPeriod autoRenewPeriod renewPeriod transferPeriod redemptionPeriod`.split(/\s+/);

/** EPP codes in the form of plain labels, and further spellings of some registries: `stclHold`. */
const EPP = new Set(
  [...EPP_CODES, 'active', ...EPP_CODES.map((code) => code.replace(/^client/, 'stcl'))].map(plainLabel),
);

/** RDAP writes them as separate words, and has other words for two (RFC 8056, section 2). */
const EPP_OF_RDAP: ReadonlyMap<string, string> = new Map([
  ...EPP_CODES.map((code) => [code.replace(/[A-Z]/g, ' $&').toLowerCase(), code] as const),
  ['active', 'ok'],
  ['associated', 'linked'],
]);

/** Converts an RDAP status to its EPP code. Unknown values are returned trimmed. */
export function eppStatusOf(rdapStatus: string): string {
  const words = rdapStatus.trim().toLowerCase().replace(/\s+/g, ' ');
  return EPP_OF_RDAP.get(words) ?? rdapStatus.trim();
}

export const MAX_STATUSES = 40;
const MAX_STATUS_LENGTH = 120;
const EMPTY = new Set(['', '-', '--', '---', '.', 'n/a', 'none', 'null', 'nil']);

/**
 * Adds the statuses of one value to `statuses`: EPP codes or the registry's own words, without URLs. False if the value
 * states something else than statuses or none.
 */
export function addStatuses(statuses: string[], value: string): boolean {
  let isRead = isNoValue(value);
  for (const part of splitStatus(withoutUrl(value))) {
    const status = withoutRemark(part.trim());
    const isNone = isNoneListed(status) || EMPTY.has(status.toLowerCase());
    if (isNone || status.length > MAX_STATUS_LENGTH) continue;
    isRead = true;
    if (statuses.length <= MAX_STATUSES && !statuses.includes(status)) statuses.push(status);
  }
  return isRead;
}

/** `ok - Normal state.` (.kz) explains the code. */
function withoutRemark(status: string): string {
  const dash = status.indexOf(' -');
  return dash > 0 && isEpp(status.slice(0, dash)) ? status.slice(0, dash) : status;
}

/** The state of a name right after it: `SAMPLE.EXAMPLE Active`. */
export const STATUS_WORD =
  /^(?:active|inactive|registered|delegated|undelegated|expired|suspended|reserved|locked|hold|available|free)$/i;

/** Words of an active or ending registration. */
const OF_REGISTRATION =
  /(?<![a-z])(?:active|activo|inactive|registered|delegated|connect|to be released|expired|suspended|locked|lock|hold|held|granted|published|paid|in use|taken|redemption|grace|quarantine|transfer)(?![a-z])/i;
/** Further words of such statuses. Any other word may describe a request, a session or a server. */
const AROUND =
  /^(?:dom|domain|names?|connect|be|released|updt|is|has|been|and|by|the|for|to|of|on|in|at|as|until|till|since|not|client|registrar|registry|registrant|registration|renew|renewal|renewed|update|prohibited|forbidden|pending|period|restore|restored|expiry|expiration|dates?|cancelled|cancellation|verified|unverified|auto|add|fully|currently|active|activo|inactive|registered|undelegated|delegated|connected|disconnected|expired|suspended|suspension|locked|lock|hold|held|granted|published|paid|use|taken|redemption|grace|quarantine|delete|deleted|deletion|transfer|transferred|\d+)$/i;

/** Whether the statuses alone show that the name is registered. */
export function areOfRegistration(statuses: readonly string[]): boolean {
  const others = statuses.filter((status) => !isEpp(status));
  const ofRegistration = others.length < statuses.length || others.some(isOfRegistration);
  return ofRegistration && others.every(isKnown);
}

function isOfRegistration(status: string): boolean {
  return OF_REGISTRATION.test(status) && !/(?<![a-z])not? (?!delegated)/i.test(status);
}

function isKnown(status: string): boolean {
  const words = status.split(/[^\p{L}\p{N}]+/u);
  return words.every((word) => word === '' || AROUND.test(word));
}

/** Whether a `state` may be that of a name. The state of an address is written as a name: `New York`. */
export function mayBeStatus(state: string): boolean {
  return /^\p{Ll}/u.test(state) || isKnown(state) || isWithheld(state) || stateOfStatus(state) !== undefined;
}

/** The states of statuses that mean the same at all servers. */
const STATUSES = new SentenceReader(null, { server: null, zone: null });

export function stateOfStatus(status: string): SentenceState | undefined {
  return STATUSES.stateOf(STATUSES.mask(`status ${status}`));
}

function isEpp(word: string): boolean {
  return word.length < 32 && EPP.has(plainLabel(word));
}

/** Removes a URL with the blanks and brackets before it. */
function withoutUrl(value: string): string {
  let end = value.indexOf('http');
  if (end < 0) return value;
  while (end > 0 && ' \t(<['.includes(value.charAt(end - 1))) end--;
  return value.slice(0, end);
}

/** Splits `REGISTERED, DELEGATED` and `ok / autoRenewPeriod`, but not `Registered until expiry date.` */
function splitStatus(value: string): string[] {
  if (value.length > MAX_STATUS_LENGTH * MAX_STATUSES) return [];
  if (value.includes(',') && !value.includes('(')) {
    const parts = value.split(',');
    if (parts.every((part) => part.trim().split(' ', 4).length <= 3)) return parts;
  }
  if (value.includes(' / ')) return value.split(' / ');
  const parts = value.split(' ').filter((part) => part !== '');
  return parts.every(isEpp) ? parts : [value];
}

/*
 * Statuses by which a registry withholds a name that nobody holds, in WHOIS and RDAP. At some registries a registered
 * name is `not available` too: they count only without facts of a registration.
 */
const WITHHELD =
  /^(?:(?:not |un)available|(?:un|not )assignable|forbidden|blocked|prohibited|withheld|not open|stop-?list|disputed|(?:pending )?application(?: pending)?|(?:registry )?(?:reserved|restricted|premium)(?: (?:by (?:the )?registry|(?:domain )?name))?|reservado)$/;

export function isWithheld(status: string): boolean {
  return WITHHELD.test(status.trim().toLowerCase());
}
