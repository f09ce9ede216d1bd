import { beforeAll, describe, expect, it } from 'vitest';
import { undescribedFields } from '../../test/http/undescribed.ts';
import { startService } from '../../test/registration/loopback-service.ts';

interface Parameter {
  name: string;
  description?: string;
  example?: unknown;
}
interface Document {
  paths: Record<string, { get: { operationId: string; summary: string; description: string } }>;
  components: { parameters: Record<string, Parameter>; schemas: Record<string, unknown> };
}

let document: Document;
beforeAll(async () => {
  const { get, close } = await startService({ root: {}, whois: {} });
  document = JSON.parse((await get('/openapi.json')).text) as Document;
  return close;
});
describe('the published document of the registration service', () => {
  it('describes every field and parameter, with an example', () => {
    expect(undescribedFields(document)).toEqual([]);
    for (const { name, description, example } of Object.values(document.components.parameters)) {
      expect(description, name).toBeTruthy();
      expect(example, name).toBeDefined();
    }
  });

  it('names the records that several routes share', () => {
    const names = ['About', 'LookUp', 'ParsedRegistration', 'Availability', 'Evidence'];
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(names));
  });
});
