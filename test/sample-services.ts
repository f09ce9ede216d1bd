import type { Clock } from '@mokuroku/kit/process';
import { startCatalogue } from '../packages/mokuroku/src/catalogue/main.ts';
import { startRegistration } from '../packages/mokuroku/src/registration/main.ts';

/** Both services on the sample, on free ports and without a rate limit. */
export async function startSampleServices(clock?: Clock) {
  const settings = { LOG_LEVEL: 'silent', RATE_LIMIT: '0', CATALOGUE_PORT: '0', REGISTRATION_PORT: '0' };
  const [catalogue, registration] = await Promise.all([
    startCatalogue(settings, clock),
    startRegistration(settings, clock),
  ]);
  return { catalogue, registration, close: () => Promise.all([catalogue.close(), registration.close()]) };
}
