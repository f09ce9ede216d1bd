import type { Endpoint } from '@mokuroku/kit/http';
import { expiryCalendar } from './expiry-calendar.ts';
import { getAbout } from './get-about.ts';
import { getAvailability } from './get-availability.ts';
import type { RegistrationServices } from './look-up-domain.ts';
import { lookUpDomain } from './look-up-domain.ts';
import { listZones } from './list-zones.ts';
import { lookUpMany } from './look-up-many.ts';
import { portfolioCalendar } from './portfolio-calendar.ts';
import { probeExpiry } from './probe-expiry.ts';

/** The endpoints of the service. Its own paths begin with /-/, which is no valid domain. */
export const registrationEndpoints = (services: RegistrationServices): Endpoint[] => [
  lookUpDomain(services),
  getAvailability(services),
  getAbout(services),
  listZones(services),
  lookUpMany(services),
  expiryCalendar(services),
  portfolioCalendar(services),
  probeExpiry(services),
];
