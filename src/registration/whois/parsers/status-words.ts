import { plainLabel } from './label-key.ts';

/** EPP status values (RFC 5731 section 2.3, RFC 3915 section 3.1) without blanks, hyphens and case. */
const EPP = new Set(
  `ok active inactive linked clientdeleteprohibited clienthold clientrenewprohibited clienttransferprohibited
   clientupdateprohibited serverdeleteprohibited serverhold serverrenewprohibited servertransferprohibited
   serverupdateprohibited pendingcreate pendingdelete pendingrenew pendingrestore pendingtransfer pendingupdate
   addperiod autorenewperiod renewperiod transferperiod redemptionperiod stclupdateprohibited
   stcldeleteprohibited stcltransferprohibited stclrenewprohibited stclhold`.split(/\s+/),
);

const MOST_STATUSES = 40;
const LONGEST_STATUS = 120;
const URL_FROM = /[\s(<[]*https?:\/?\/?/i;
const EMPTY = new Set(['', 'na', 'none', 'null', 'nil']);

/** Adds the statuses that one value states to `statuses`: EPP codes or the registry's own words, no URLs. */
export function addStatuses(statuses: string[], value: string): void {
  for (const part of splitStatus(withoutUrl(value))) {
    const status = withoutRemark(part.trim());
    if (status.length > LONGEST_STATUS || EMPTY.has(plainLabel(status))) continue;
    if (statuses.length < MOST_STATUSES && !statuses.includes(status)) statuses.push(status);
  }
}

/** `ok - Normal state.` (.kz) explains the code; `220 Available` (.nz) numbers it. */
function withoutRemark(status: string): string {
  const dash = status.indexOf(' -');
  if (dash > 0 && EPP.has(plainLabel(status.slice(0, dash)))) return status.slice(0, dash);
  return /^\d{3} [A-Z]/.test(status) ? status.slice(4) : status;
}

function withoutUrl(value: string): string {
  if (!value.includes('http') && !value.includes('HTTP')) return value;
  const from = value.search(URL_FROM);
  return from < 0 ? value : value.slice(0, from);
}

/** `REGISTERED, DELEGATED` and `ok / autoRenewPeriod` are two; `Registered until expiry date.` is one. */
function splitStatus(value: string): string[] {
  if (value.includes(',') && !value.includes('(')) {
    const parts = value.split(',');
    if (parts.every((part) => part.trim().split(' ').length <= 3)) return parts;
  }
  if (value.includes(' / ')) return value.split(' / ');
  if (value.includes(' ')) {
    const parts = value.split(/\s+/);
    if (parts.every((part) => EPP.has(plainLabel(part)))) return parts;
  }
  return [value];
}
