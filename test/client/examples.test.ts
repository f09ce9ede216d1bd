import { beforeAll } from 'vitest';
import { examplesOf, testExamples } from '../run-examples.ts';
import { startHttp } from '../http/serve-http.ts';
import { startSampleServices } from '../sample-services.ts';
import * as door from '../../packages/client/src/index.ts';

let names: Record<string, unknown> = {};

/** Both services on the sample, at other addresses than the examples state. */
beforeAll(async () => {
  const { catalogue, registration: domains, close } = await startSampleServices();
  const webhook = await startHttp((_request, response) => response.writeHead(204).end());
  const deliver: typeof door.deliver = (_address, event, options) =>
    door.deliver(webhook.url, event, options);
  const createCatalogueClient = () => door.createCatalogueClient({ baseUrl: catalogue.address });
  const createRegistrationClient = () => door.createRegistrationClient({ baseUrl: domains.address });
  const [client, registration] = [createCatalogueClient(), createRegistrationClient()];
  names = { createCatalogueClient, createRegistrationClient, client, registration, deliver };
  return () => Promise.all([close(), webhook.close()]).then(() => undefined);
});

const FILES = ['catalogue-client.ts', 'registration-client.ts', 'mokuroku-error.ts', 'delivery.ts'];
const examples = FILES.flatMap((file) =>
  examplesOf(new URL(`../../packages/client/src/${file}`, import.meta.url)),
);

testExamples(door, examples, () => names);
