import { statedOrNull } from '../../record/registration-record.ts';
import type { DelegationSigner, RegistrationDetails } from '../../record/registration-record.ts';
import { isPlaceholder } from './placeholder.ts';
import type { DetailName } from './vocabulary.ts';

const LONGEST = 200;
const MAX_DS = 16;
/** Placeholders for redacted values. */
const REDACTED = /redact|privacy|private person|not disclosed|non[- ]?public|withheld|undisclosed|hidden/i;
const SIGNED = /^(?:signed|signeddelegation|signed delegation|yes|true|active|enabled|delegated)\b/i;
const UNSIGNED = /^(?:unsigned|unsigneddelegation|no|not signed|false|inactive|disabled|none)\b/i;
const DS = /(?:^|\s)(\d{1,5})\s+(\d{1,3})\s+(\d{1,3})\s+([\da-f]{8,128}(?:\s[\da-f]{1,64}){0,3})\s*$/i;

/** Valid values by label. */
const SHAPES: Partial<Record<DetailName, RegExp>> = {
  ianaId: /^\d{1,6}$/,
  url: /^(?:https?:\/\/)?[\w-]+(?:\.[\w-]+)+(?:[:/?#]\S*)?$/i,
  abuseEmail: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  abusePhone: /^\+?[\d(][\d\s().x-]{4,30}$/i,
  country: /^[\p{L}][\p{L} .,'()-]{1,59}$/u,
};

/** The details of a record beside the seven fields; the first statement counts. */
export class RecordDetails {
  readonly #stated: Partial<Record<DetailName, string>> = {};
  readonly #ds: DelegationSigner[] = [];
  #signed: boolean | null = null;

  readField(name: DetailName, value: string): void {
    if (name === 'ds') this.#addDs(value);
    else if (name === 'signed') this.#readSigned(value);
    else if (this.#stated[name] === undefined && isValidDetail(name, value)) this.#stated[name] = value;
  }

  /** Adds missing values from another record of the same name. */
  fillFrom(other: RecordDetails): void {
    Object.assign(this.#stated, { ...other.#stated, ...this.#stated });
    this.#signed ??= other.#signed;
    if (this.#ds.length === 0) this.#ds.push(...other.#ds);
  }

  published(): RegistrationDetails {
    const { ianaId = null, url = null, abuseEmail = null, abusePhone = null } = this.#stated;
    const { organization = null, country = null, reseller = null } = this.#stated;
    return {
      registrarDetails: statedOrNull({ ianaId, url, abuseEmail, abusePhone }),
      registrant: statedOrNull({ organization, country }),
      dnssec: this.#signed === null ? null : { signed: this.#signed, ds: this.#ds },
      reseller,
    };
  }

  #readSigned(value: string): void {
    if (SIGNED.test(value)) this.#signed = true;
    else if (UNSIGNED.test(value)) this.#signed ??= false;
  }

  /** `12345 8 2 ABCDEF...`: key tag, algorithm, digest type, digest (RFC 4034, section 5.3). */
  #addDs(value: string): void {
    const [, keyTag, algorithm, digestType, digest = ''] = DS.exec(value) ?? [];
    if (keyTag === undefined || this.#ds.length >= MAX_DS) return;
    this.#signed = true;
    this.#ds.push({
      keyTag: Number(keyTag),
      algorithm: Number(algorithm),
      digestType: Number(digestType),
      digest: digest.replace(/\s/g, '').toUpperCase(),
    });
  }
}

/** Whether a value may be published as a detail: it has the form of one, and is no placeholder for a redacted one. */
export function isValidDetail(name: DetailName, value: string): boolean {
  if (value.length > LONGEST) return false;
  const shape = SHAPES[name];
  const hasShape = shape === undefined ? /[\p{L}\d]/u.test(value) : shape.test(value);
  return hasShape && !(REDACTABLE.has(name) && (REDACTED.test(value) || isPlaceholder(value)));
}

/** Details that registries redact; registrars' contacts are public. */
const REDACTABLE: ReadonlySet<DetailName> = new Set(['organization', 'country', 'reseller']);
