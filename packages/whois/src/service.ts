// The parts of a look-up, for a service that adds a cache, its own gate and its own errors.

export { parseEndpoint, parseHostMapping } from '../net/host-map.ts';
export type { HostMap, HostPort } from '../net/host-map.ts';
export type { Log } from '../net/log.ts';
export { systemResolver } from '../net/resolve.ts';
export { ServerFault } from '../net/server-fault.ts';
export type { FaultReason } from '../net/server-fault.ts';
export { readBootstrap } from '../rdap/bootstrap.ts';
export { queryFor, spacingOf } from '../whois/servers.ts';
export {
  AVAILABILITY_OF_ERROR,
  AVAILABILITY_STATES,
  availabilityOf,
  availabilityOfError,
} from './availability.ts';
export { DEFAULT_SETTINGS, createDomainLookUp } from './domain-look-up.ts';
export type { DomainLookUp, LookUpSettings } from './domain-look-up.ts';
export type { DomainName } from './domain-name.ts';
export { busy } from './gate.ts';
export type { Gate, ServerLimits } from './gate.ts';
export type { Hop, HopOutcome } from './hops.ts';
export { createClientOf } from './look-up-client.ts';
export { LookUpError } from './look-up-error.ts';
export { PUBLICATION_DATE, PUBLISHED_FIELDS } from './publication.ts';
export type { LookUpResult } from './result.ts';
export type { Follow } from './walk.ts';
