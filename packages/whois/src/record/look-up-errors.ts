/** The errors of a look-up, each with its default message. */
export const LOOK_UP_ERRORS = {
  /** Not a domain name, or the registry rejects it as one. `details` lists the faults. */
  invalid_domain: 'This is not a domain name that can be looked up.',
  /** The root knows no such top-level domain. */
  unknown_tld: 'This top-level domain does not exist.',
  /** The registry denies the name. `details` has `evidence`, the sentence or status that decided. */
  not_registered: 'This domain is not registered.',
  /** The registry publishes neither WHOIS nor RDAP, or not over the wanted protocol. */
  no_registry_service: 'This registry publishes no lookup service.',
  /** The registry throttles, or our own limit for it is reached: `details.limitedBy` is `registry` or `service`. */
  registry_rate_limited: 'The registry throttles our queries.',
  /** It is unreachable, refuses, or sent an unreadable answer. */
  registry_unavailable: 'The registry is unavailable.',
  registry_timeout: 'The registry timed out.',
} as const;

export type LookUpErrorCode = keyof typeof LOOK_UP_ERRORS;
