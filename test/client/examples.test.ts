import { afterAll, beforeAll } from 'vitest';
import { examplesOf, testExamples } from '../run-examples.ts';
import { startCatalogue } from '../../packages/mokuroku/src/catalogue/main.ts';
import { startRegistration } from '../../packages/mokuroku/src/registration/main.ts';
import * as door from '../../packages/client/src/index.ts';

const QUIET = { LOG_LEVEL: 'silent', RATE_LIMIT: '0' };
let names: Record<string, unknown> = {};
const closing: (() => unknown)[] = [];

/** Both services on the sample, at other addresses than the examples state. */
beforeAll(async () => {
  const catalogue = await startCatalogue({ ...QUIET, CATALOGUE_PORT: '0' });
  closing.push(catalogue.close);
  const domains = await startRegistration({
    ...QUIET,
    REGISTRATION_PORT: '0',
    REGISTRATION_SOURCE: 'sample',
  });
  closing.push(domains.close);
  const createCatalogueClient = () => door.createCatalogueClient({ baseUrl: catalogue.address });
  const createRegistrationClient = () => door.createRegistrationClient({ baseUrl: domains.address });
  const [client, registration] = [createCatalogueClient(), createRegistrationClient()];
  names = { createCatalogueClient, createRegistrationClient, client, registration };
});

afterAll(async () => {
  for (const close of closing) await close();
});

const FILES = ['catalogue-client.ts', 'registration-client.ts', 'mokuroku-error.ts'];
const examples = FILES.flatMap((file) =>
  examplesOf(new URL(`../../packages/client/src/${file}`, import.meta.url)),
);

testExamples(door, examples, () => names);
