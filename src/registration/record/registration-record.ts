import type { Evidence } from './evidence.ts';

/** What the registry says of the registrar beside its name; null where it is not stated. */
interface RegistrarDetails {
  /** Number in IANA's list of registrars. */
  ianaId: string | null;
  url: string | null;
  abuseEmail: string | null;
  abusePhone: string | null;
}

/** Who holds the name, as far as it is no natural person's data: never a name, an address, an e-mail or a telephone. */
interface Registrant {
  organization: string | null;
  /** As the registry writes it: mostly two letters (ISO 3166-1). */
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

/** What people look for beside the seven fields of the contract; null where it is not stated. */
export interface RegistrationDetails {
  registrarDetails: RegistrarDetails | null;
  registrant: Registrant | null;
  dnssec: Dnssec | null;
  /** Through whom the name was registered, where that is not the registrar itself. */
  reseller: string | null;
}

/** The parsed fields of a registration, as published (`parsed` of a look-up). Keys are always present. */
export interface ParsedRegistration extends RegistrationDetails {
  /** As the registry states it, lower case, without trailing dot; A-labels or Unicode as stated. */
  domainName: string | null;
  registrar: string | null;
  /** `YYYY-MM-DDTHH:MM:SSZ` (UTC), or `YYYY-MM-DD` where the registry states only a day. */
  creationDate: string | null;
  expirationDate: string | null;
  updatedDate: string | null;
  /** Lower case, no trailing dot, no addresses, the registry's order, no doubles. */
  nameServers: string[];
  /** EPP codes or the registry's own words, without URLs. */
  status: string[];
}

/** The fields of an answer that states nothing. */
export const NOTHING_STATED: ParsedRegistration = {
  domainName: null,
  registrar: null,
  creationDate: null,
  expirationDate: null,
  updatedDate: null,
  nameServers: [],
  status: [],
  registrarDetails: null,
  registrant: null,
  dnssec: null,
  reseller: null,
};

/**
 * What an answer says of the name. `throttled`: asked to slow down. `refused`: the server will not answer us,
 * or not about this zone. `broken`: empty, truncated, HTML, or unreadable: nothing may be concluded from it.
 */
export type RegistrationState =
  'registered' | 'not_registered' | 'reserved' | 'throttled' | 'refused' | 'invalid' | 'broken';

/** What reading one answer (WHOIS text or RDAP JSON) yields. */
export interface RegistrationReading {
  state: RegistrationState;
  parsed: ParsedRegistration;
  /** The registrar's WHOIS server as the answer names it, unchecked: host, host:port or URL. */
  registrarWhoisServer: string | null;
  /** Seconds the registry asks us to wait, where a throttling answer states it. */
  retryAfterSeconds: number | null;
  /** What decided the state; null or absent where nothing did. */
  evidence?: Evidence | null;
  /** Of an unreadable answer: the lines that speak against each other or that nobody knows, at most four. */
  contradictions?: readonly Evidence[];
  /** A throttling answer in known words or with status 429: only such an answer pauses the server. */
  isKnownThrottling?: boolean;
}

/** A reading of the members that are stated; null where none is. */
export function statedOrNull<Members extends object>(members: Members): Members | null {
  for (const name in members) if (members[name] !== null) return members;
  return null;
}
