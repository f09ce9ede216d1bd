import type { Endpoint } from '../../http/endpoint.ts';
import type { DomainLookUp } from '../look-up/domain-look-up.ts';
import { lookUpDomain } from './look-up-domain.ts';

/** A registration is believed for an hour, its absence for five minutes; a day old it still serves when all fails. */
const REGISTRATION = {
  freshSeconds: 3_600,
  staleWhileRevalidateSeconds: 0,
  keepSeconds: 86_400,
  absentSeconds: 300,
};

// prettier-ignore
export const registrationEndpoints = (domains: DomainLookUp): Endpoint[] => [
  lookUpDomain({ name: 'lookUpDomain', path: '/:domain', cache: REGISTRATION }, domains),
];
