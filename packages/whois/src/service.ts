// The parts of a look-up, for a service that adds a cache and its own errors.

export { parseAddressRange } from './net/address-guard.ts';
export { parseEndpoint, parseHostMapping } from './net/host-map.ts';
export type { HostMap, HostPort } from './net/host-map.ts';
export type { Log } from './net/log.ts';
export { systemResolver } from './net/resolve.ts';
export { readBootstrap } from './rdap/bootstrap.ts';
export {
  AVAILABILITY_OF_ERROR,
  AVAILABILITY_STATES,
  availabilityOf,
  availabilityOfError,
} from './look-up/availability.ts';
export { DEFAULT_SETTINGS, createDomainLookUp } from './look-up/domain-look-up.ts';
export type { DomainLookUp, LookUpSettings } from './look-up/domain-look-up.ts';
export type { DomainName } from './look-up/domain-name.ts';
export type { Hop, HopOutcome } from './look-up/hops.ts';
export { createClientOf } from './look-up/look-up-client.ts';
export { LookUpError } from './look-up/look-up-error.ts';
export { lookUpAll, nameOrSpelling } from './look-up/look-up-names.ts';
export { PUBLICATION_DATE, PUBLISHED_FIELDS } from './look-up/zones.ts';
export type { LookUpResult } from './look-up/result.ts';
export type { Follow } from './look-up/look-up.ts';
