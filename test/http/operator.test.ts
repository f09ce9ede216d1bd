import { expect, it } from 'vitest';
import { startCatalogue } from '../../packages/mokuroku/src/catalogue/main.ts';
import { startRegistration } from '../../packages/mokuroku/src/registration/main.ts';
import { withFacts } from '../../packages/kit/src/http/pages.ts';

const SETTINGS = { LOG_LEVEL: 'silent', CATALOGUE_PORT: '0', REGISTRATION_PORT: '0' };
const OPERATOR = {
  OPERATOR_NAME: 'Kamome & Co "$&"',
  OPERATOR_CONTACT: 'ops@umi.example',
  OPERATOR_TERMS_URL: 'https://umi.example/terms',
  OPERATOR_PRIVACY_URL: 'https://umi.example/privacy',
};
const DAY_MS = 86_400_000;

async function answers(
  environment: Record<string, string>,
  clock = { now: Date.now, monotonic: () => performance.now() },
) {
  const service = await startRegistration({ ...SETTINGS, ...environment }, clock);
  const [security, document] = await Promise.all(
    ['/.well-known/security.txt', '/openapi.json'].map((path) => fetch(`${service.address}${path}`)),
  );
  const body = {
    status: security?.status,
    isCounted: security?.headers.has('ratelimit'),
    text: await security?.text(),
    info: ((await document?.json()) as { info: object }).info,
  };
  await service.close();
  return body;
}

it('an operator is named in OpenAPI and security.txt, which is valid for 90 days and not limited', async () => {
  const now = Date.UTC(2026, 0, 1, 12);
  const { status, isCounted, text, info } = await answers(OPERATOR, {
    now: () => now,
    monotonic: () => performance.now(),
  });
  expect([status, isCounted]).toEqual([200, false]);
  expect(text).toMatch(/^Contact: mailto:ops@umi\.example\nExpires: (\S+)\n/);
  const expires = Date.parse(/Expires: (\S+)/.exec(text ?? '')?.[1] ?? '');
  expect(expires - now).toBeGreaterThan(89 * DAY_MS);
  expect(expires - now).toBeLessThanOrEqual(90 * DAY_MS);
  expect(info).toMatchObject({
    termsOfService: OPERATOR.OPERATOR_TERMS_URL,
    license: { name: expect.stringContaining('the code') as unknown, identifier: 'MIT' },
  });
  expect(info).toHaveProperty('contact', { name: OPERATOR.OPERATOR_NAME, email: 'ops@umi.example' });
});

it('a contact may be a page; without a contact there is no security.txt', async () => {
  const page = await answers({ OPERATOR_CONTACT: 'https://umi.example/contact' });
  expect(page.text).toContain('Contact: https://umi.example/contact\n');
  const name = 'The operator of this service';
  expect(page.info).toHaveProperty('contact', { name, url: 'https://umi.example/contact' });
  const nobody = await answers({});
  expect(nobody.status).toBe(404);
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

it('a page has the operator in its head, escaped', () => {
  const operator = {
    name: OPERATOR.OPERATOR_NAME,
    contact: 'mailto:ops@umi.example',
    termsUrl: 'https://umi.example/?a=1&b',
  };
  const html = withFacts('<head></head>', { folder: '', front: 'domain', operator }, {});
  expect(html.match(/<meta.*?>/g)).toEqual([
    '<meta name="operator-name" content="Kamome &amp; Co &quot;$&amp;&quot;" />',
    '<meta name="operator-contact" content="mailto:ops@umi.example" />',
    '<meta name="operator-terms" content="https://umi.example/?a=1&amp;b" />',
  ]);
});
