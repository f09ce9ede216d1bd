import type { Evidence } from './evidence.ts';

/** Details of the registrar; null if not stated. */
interface RegistrarDetails {
  /** Number in IANA's list of registrars. */
  ianaId: string | null;
  url: string | null;
  abuseEmail: string | null;
  abusePhone: string | null;
}

/** The registrant without personal data: never a name, an address, an e-mail or a telephone number. */
interface Registrant {
  organization: string | null;
  /** As stated by the registry: mostly two letters (ISO 3166-1). */
  country: string | null;
}

/** A DS record (RFC 4034, section 5.1). */
export interface DelegationSigner {
  keyTag: number;
  algorithm: number;
  digestType: number;
  /** Hexadecimal, capitals. */
  digest: string;
}

export interface Dnssec {
  signed: boolean;
  ds: DelegationSigner[];
}

/** Details beside the seven main fields; null if not stated. */
export interface RegistrationDetails {
  registrarDetails: RegistrarDetails | null;
  registrant: Registrant | null;
  dnssec: Dnssec | null;
  /** The reseller, if the name was not registered directly with the registrar. */
  reseller: string | null;
}

/** The parsed fields of a registration, as published (`parsed` of a look-up). Keys are always present. */
export interface ParsedRegistration extends RegistrationDetails {
  /** As the registry states it, lower case, without trailing dot; A-labels or Unicode as stated. */
  domainName: string | null;
  registrar: string | null;
  /** `YYYY-MM-DDTHH:MM:SSZ` (UTC), or `YYYY-MM-DD` if the registry states only a day. */
  creationDate: string | null;
  expirationDate: string | null;
  updatedDate: string | null;
  /** The day on which the name is to be deleted, if stated. */
  deletionDate: string | null;
  /** Lower case, no trailing dot, no addresses, no duplicates, in the registry's order. */
  nameServers: string[];
  /** EPP codes or the registry's own words, without URLs. */
  status: string[];
}

/** A record without any facts. */
export const NOTHING_STATED: ParsedRegistration = {
  domainName: null,
  registrar: null,
  creationDate: null,
  expirationDate: null,
  updatedDate: null,
  deletionDate: null,
  nameServers: [],
  status: [],
  registrarDetails: null,
  registrant: null,
  dnssec: null,
  reseller: null,
};

/**
 * State of the name according to an answer. `throttled`: the server asks to slow down. `refused`: the server refuses
 * us, or this zone. `broken`: empty, truncated, HTML, or unreadable, so nothing follows from it.
 */
export type RegistrationState =
  'registered' | 'not_registered' | 'reserved' | 'throttled' | 'refused' | 'invalid' | 'broken';

/** A parsed answer (WHOIS text or RDAP JSON). */
export interface RegistrationReading {
  state: RegistrationState;
  parsed: ParsedRegistration;
  /** The registrar's WHOIS server as stated, unchecked: host, host:port or URL. */
  registrarWhoisServer: string | null;
  /** Seconds to wait, if a throttling answer states them. */
  retryAfterSeconds: number | null;
  /** What decided the state; null or absent if nothing did. */
  evidence?: Evidence | null;
  /** Of an unreadable answer: the contradicting or unknown lines, at most four. */
  contradictions?: readonly Evidence[];
  /** True for a known throttling sentence or status 429: only these pause the server. */
  isKnownThrottling?: boolean;
}

/** The stated members; null if there are none. */
export function statedOrNull<Members extends object>(members: Members): Members | null {
  for (const name in members) if (members[name] !== null) return members;
  return null;
}
