import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSampleServices } from '../../../../../test/sample-services.ts';

let services: Awaited<ReturnType<typeof startSampleServices>>;
beforeAll(async () => {
  services = await startSampleServices();
});
afterAll(() => services.close());

it.each(['', '/availability'])(
  'a cached response of /:domain%s repeats the name as requested',
  async (part) => {
    for (const spelled of [
      'example.com',
      'example.com',
      'EXAMPLE.com',
      'www.example.com',
      'EXAMPLE.com',
      'example.com',
    ]) {
      const response = await fetch(`${services.registration.address}/${spelled}${part}`);
      const { domain } = (await response.json()) as { domain: string };
      expect([response.status, domain]).toEqual([200, spelled]);
    }
  },
);
