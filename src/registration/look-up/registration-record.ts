/** The parsed fields of a registration, as published (`parsed` of a look-up). Keys are always present. */
export interface ParsedRegistration {
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
}
