import { beforeAll } from 'vitest';
import { examplesOf, testExamples } from '../run-examples.ts';
import { startSampleServices } from '../sample-services.ts';
import * as door from '../../packages/client/src/index.ts';

let names: Record<string, unknown> = {};

/** Both services on the sample, at other addresses than the examples state. */
beforeAll(async () => {
  const { catalogue, registration: domains, close } = await startSampleServices();
  const createCatalogueClient = () => door.createCatalogueClient({ baseUrl: catalogue.address });
  const createRegistrationClient = () => door.createRegistrationClient({ baseUrl: domains.address });
  const [client, registration] = [createCatalogueClient(), createRegistrationClient()];
  names = { createCatalogueClient, createRegistrationClient, client, registration };
  return close;
});

const FILES = ['catalogue-client.ts', 'registration-client.ts', 'mokuroku-error.ts'];
const examples = FILES.flatMap((file) =>
  examplesOf(new URL(`../../packages/client/src/${file}`, import.meta.url)),
);

testExamples(door, examples, () => names);
