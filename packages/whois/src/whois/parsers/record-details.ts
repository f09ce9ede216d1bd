import {
  DETAILS,
  OTHER_DETAILS,
  REGISTRANT_DETAILS,
  REGISTRAR_DETAILS,
  mapRows,
} from '../../record/fields.ts';
import type { DetailName } from '../../record/fields.ts';
import { UNREADABLE, distinct } from '../../record/registration-record.ts';
import type { DelegationSigner, Stated, StatedRecord } from '../../record/registration-record.ts';
import { isNoValue, isPlaceholder, withoutQuotes, withoutWebsite } from './placeholder.ts';
import type { StatedDetail } from './vocabulary.ts';

const ANY_WORD = /[\p{L}\d]/u;
const LONGEST = 200;
export const MAX_DS = 16;
/** Placeholders for redacted values. */
const REDACTED = /redact|privacy|private person|not disclosed|non[- ]?public|withheld|undisclosed|hidden/i;
/** A value, or what explains it: `Unsigned delegation, no records`. `N/A`, `signed?` and `Signed: no` are other words. */
const END = '(?=\\s*(?:[,;.(]|-|yet\\b|$))';
const SIGNED = new RegExp(
  `^(?:signed(?: ?delegation)?|y|yes|true|active|enabled|delegated)${END}|^서명`,
  'i',
);
const UNSIGNED = new RegExp(
  `^(?:(?:un|not )signed(?: ?delegation)?|n|no|false|inactive|disabled|none)${END}|^미서명`,
  'i',
);
/** The start of a DS record, or of a DNSKEY record, whose protocol is 3. */
const SIGNER = /^\d{1,5}\s+(\d{1,3})\s+\d{1,3}\s/;
const DS = /(?:^|\s)(\d{1,5})\s+(\d{1,3})\s+(\d{1,3})\s+([\da-f][\da-f\s]{7,255})$/i;
const DIGEST = /^[\dA-F]{8,128}$/;

/** A digest in capitals, without the blanks that may divide it; undefined if it is none. RFC 9083 shortens one with dots. */
export function readDigest(text: string): string | undefined {
  const digest = text.replace(/\s+/g, '').toUpperCase();
  return DIGEST.test(digest) ? digest : undefined;
}

/** The details of a record beside the seven fields; the first statement counts. */
export class RecordDetails {
  readonly #stated: Partial<Record<DetailName, Stated<string>>> = {};
  readonly #ds: DelegationSigner[] = [];
  #signed: boolean | null = null;
  /** A signature or a DS record is stated and cannot be read. */
  #isDnssecUnreadable = false;

  readField(name: StatedDetail, value: string): void {
    if (name === 'ds') this.#addDs(value);
    else if (name === 'signed') this.#readSigned(value);
    else if (typeof this.#stated[name] !== 'string') {
      const detail = readDetail(name, value);
      if (detail !== null) this.#stated[name] = detail;
    }
  }

  /** Adds missing values from another record of the same name. */
  fillFrom(other: RecordDetails): void {
    for (const [name, value] of Object.entries(other.#stated))
      if (typeof this.#stated[name as DetailName] !== 'string') this.#stated[name as DetailName] = value;
    this.#signed ??= other.#signed;
    if (this.#ds.length === 0) this.#ds.push(...other.#ds);
    this.#isDnssecUnreadable ||= other.#isDnssecUnreadable;
  }

  stated(): Pick<StatedRecord, 'registrarDetails' | 'registrant' | 'reseller' | 'dnssec'> {
    const valueOf = (name: DetailName) => this.#stated[name] ?? null;
    return {
      registrarDetails: mapRows(REGISTRAR_DETAILS, valueOf),
      registrant: mapRows(REGISTRANT_DETAILS, valueOf),
      ...mapRows(OTHER_DETAILS, valueOf),
      dnssec: this.#statedDnssec(),
    };
  }

  #statedDnssec(): StatedRecord['dnssec'] {
    if (this.#signed === null) return this.#isDnssecUnreadable ? UNREADABLE : null;
    const ds = distinct(this.#ds, MAX_DS);
    return { signed: this.#signed, ds: this.#isDnssecUnreadable ? [...ds, UNREADABLE] : ds };
  }

  #readSigned(value: string): void {
    const [, protocol] = SIGNER.exec(value) ?? [];
    if (protocol !== undefined && protocol !== '3') this.#isDnssecUnreadable = true;
    if (SIGNED.test(value) || protocol !== undefined) this.#signed = true;
    else if (UNSIGNED.test(value)) this.#signed ??= false;
    else if (!isNoValue(value)) this.#isDnssecUnreadable = true;
  }

  /** `12345 8 2 ABCDEF...`: key tag, algorithm, digest type, digest (RFC 4034, section 5.3). */
  #addDs(value: string): void {
    const [, keyTag, algorithm, digestType, text = ''] = DS.exec(value) ?? [];
    const digest = readDigest(text);
    if (digest === undefined) {
      this.#readSigned(value);
      return;
    }
    this.#signed = true;
    const numbers = { keyTag: Number(keyTag), algorithm: Number(algorithm), digestType: Number(digestType) };
    if (this.#ds.length <= MAX_DS) this.#ds.push({ ...numbers, digest });
  }
}

/** A detail: null for a placeholder of a missing or redacted value, unreadable if it has not the form of one. */
export function readDetail(name: DetailName, value: string): Stated<string> {
  const { form = ANY_WORD, isRedactable = false } = DETAILS[name];
  const isAbsent = REDACTED.test(value) || isPlaceholder(value) || !ANY_WORD.test(value);
  if (isRedactable && isAbsent) return null;
  if (value.length <= LONGEST && form.test(value)) return value;
  return isAbsent ? null : UNREADABLE;
}

const WIDE_GAP = /\s{2,}|\t/g;

/** The name of a registrar or a reseller, as a detail, without the web address after it. */
export const readSellerName = (value: string): Stated<string> =>
  readDetail('reseller', withoutQuotes(withoutWebsite(value.trim())).replace(WIDE_GAP, ' '));
