import { systemClock } from '@mokuroku/kit/process';
import { startCatalogue } from '../packages/mokuroku/src/catalogue/main.ts';
import { startRegistration } from '../packages/mokuroku/src/registration/main.ts';

/** The sample follows the calendar; tests that name a date, and the documents, were written on this day. */
export const DAY_OF_TESTS = Date.parse('2026-11-21T03:00:00Z');

/** Both services on the sample of that day, on free ports and without a rate limit. */
export async function startSampleServices() {
  const clock = { ...systemClock, now: () => DAY_OF_TESTS };
  const settings = { LOG_LEVEL: 'silent', RATE_LIMIT: '0', CATALOGUE_PORT: '0', REGISTRATION_PORT: '0' };
  const [catalogue, registration] = await Promise.all([
    startCatalogue(settings, clock),
    startRegistration(settings, clock),
  ]);
  return { catalogue, registration, close: () => Promise.all([catalogue.close(), registration.close()]) };
}
