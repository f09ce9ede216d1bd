import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '@mokuroku/kit/process';
import type { Clock } from '@mokuroku/kit/process';
import { startCatalogue } from '../../packages/mokuroku/src/catalogue/main.ts';
import { startRegistration } from '../../packages/mokuroku/src/registration/main.ts';

const SETTINGS = { LOG_LEVEL: 'silent', CATALOGUE_PORT: '0', REGISTRATION_PORT: '0' };
const OPERATOR = {
  OPERATOR_NAME: 'Kamome',
  OPERATOR_CONTACT: 'ops@umi.example',
  OPERATOR_TERMS_URL: 'https://umi.example/terms',
  OPERATOR_PRIVACY_URL: 'https://umi.example/privacy',
};
const DAY_MS = 86_400_000;

/** What the service says of its operator. */
async function factsOf(environment: Record<string, string>, clock: Clock = systemClock) {
  const service = await startRegistration({ ...SETTINGS, ...environment }, clock);
  onTestFinished(() => service.close());
  const security = await fetch(`${service.address}/.well-known/security.txt`);
  const document = await fetch(`${service.address}/openapi.json`);
  const { info } = (await document.json()) as { info: object };
  return { security, text: await security.text(), info };
}

it('an operator is named in OpenAPI and security.txt, which is valid for 90 days and not limited', async () => {
  const now = Date.UTC(2026, 0, 1, 12);
  const { security, text, info } = await factsOf(OPERATOR, { ...systemClock, now: () => now });
  expect([security.status, security.headers.has('ratelimit')]).toEqual([200, false]);
  const [, expires = ''] = /^Contact: mailto:ops@umi\.example\nExpires: (\S+)\n/.exec(text) ?? [];
  expect(Date.parse(expires) - now).toBeGreaterThan(89 * DAY_MS);
  expect(Date.parse(expires) - now).toBeLessThanOrEqual(90 * DAY_MS);
  expect(info).toMatchObject({
    termsOfService: OPERATOR.OPERATOR_TERMS_URL,
    license: { name: expect.stringContaining('the code') as unknown, identifier: 'MIT' },
    contact: { name: OPERATOR.OPERATOR_NAME, email: 'ops@umi.example' },
  });
  expect(info).not.toHaveProperty('contact.url');
});

it('a contact may be a page; without a contact there is no security.txt', async () => {
  const page = await factsOf({ OPERATOR_CONTACT: 'https://umi.example/@ops' });
  expect(page.text).toContain('Contact: https://umi.example/@ops\n');
  const name = 'The operator of this service';
  expect(page.info).toHaveProperty('contact', { name, url: 'https://umi.example/@ops' });
  const nobody = await factsOf({});
  expect(nobody.security.status).toBe(404);
  expect(nobody.info).not.toHaveProperty('termsOfService');
  expect(nobody.info).toHaveProperty('contact', { name });
});

it.each([
  ['OPERATOR_CONTACT', 'ops'],
  ['OPERATOR_CONTACT', 'http://umi.example'],
  ['OPERATOR_TERMS_URL', 'umi.example'],
  ['OPERATOR_NAME', 'two\nlines'],
])('%s=%j fails the start', async (name, value) => {
  await expect(startCatalogue({ ...SETTINGS, [name]: value })).rejects.toThrow(name);
});
