import { expect, it, onTestFinished } from 'vitest';
import { openHttpService } from '@mokuroku/kit/mcp';
import { startCatalogue } from '../../packages/mokuroku/src/catalogue/main.ts';
import { startRegistration } from '../../packages/mokuroku/src/registration/main.ts';
import { serveHttp } from '../http/serve-http.ts';

it('a refusal over the limit states when to try again', async () => {
  const service = await startRegistration({ LOG_LEVEL: 'silent', RATE_LIMIT: '1', REGISTRATION_PORT: '0' });
  onTestFinished(() => service.close());
  const { call: request } = await openHttpService(service.address, { isComplete: false });
  const lookUp = () => request('/example.com');
  expect(await lookUp()).toMatchObject({ status: 200, retryAfterSeconds: undefined });
  const { status, retryAfterSeconds } = await lookUp();
  expect(status).toBe(429);
  expect(retryAfterSeconds).toBeGreaterThan(0);
});

it('a document of more than 32 MB is not read to its end', async () => {
  const service = await startCatalogue({ LOG_LEVEL: 'silent', CATALOGUE_PORT: '0' });
  onTestFinished(() => service.close());
  const response = await fetch(`${service.address}/openapi.json`);
  const document = Buffer.from(await response.arrayBuffer());
  const open = async (length: number) => {
    const text = Buffer.concat([document, Buffer.alloc(length - document.length, ' ')]);
    const address = await serveHttp((_request, response) => response.end(text));
    return openHttpService(address, { isComplete: false });
  };
  expect(await open(32_000_000)).toMatchObject({ name: 'catalogue' });
  await expect(open(32_000_001)).rejects.toThrow('is not the document of a mokuroku service');
});

it('a tool that the source of a service can never answer is not offered', async () => {
  const toolsOf = async (environment: Readonly<Record<string, string>>) => {
    const service = await startCatalogue({ ...environment, LOG_LEVEL: 'silent', CATALOGUE_PORT: '0' });
    onTestFinished(() => service.close());
    return (await openHttpService(service.address, { isComplete: true })).tools.map(({ name }) => name);
  };
  const live = await toolsOf({ CATALOGUE_SOURCE: 'narou', NAROU_BASE_URL: 'http://127.0.0.1:9' });
  const lacking = (await toolsOf({})).filter((name) => !live.includes(name));
  expect(lacking).toEqual(['list_changes', 'suggest']);
});
