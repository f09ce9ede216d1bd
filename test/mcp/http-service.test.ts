import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { openHttpService } from '@mokuroku/kit/mcp';
import { callTool } from '../../packages/kit/src/mcp/call-tool.ts';
import type { Tool } from '../../packages/kit/src/mcp/openapi-tools.ts';
import { startCatalogue } from '../../packages/mokuroku/src/catalogue/main.ts';
import { startRegistration } from '../../packages/mokuroku/src/registration/main.ts';
import { serveHttp } from '../http/serve-http.ts';
import { startSampleServices } from '../sample-services.ts';
import { serveDocument } from './serve-document.ts';

let catalogue: string;
let registration: string;

beforeAll(async () => {
  const services = await startSampleServices();
  catalogue = services.catalogue.address;
  registration = services.registration.address;
  return services.close;
});

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
  const response = await fetch(`${catalogue}/openapi.json`);
  const document = Buffer.from(await response.arrayBuffer());
  const open = async (length: number) => {
    const text = Buffer.concat([document, Buffer.alloc(length - document.length, ' ')]);
    const address = await serveHttp((_request, response) => response.end(text));
    return openHttpService(address, { isComplete: false });
  };
  expect(await open(32_000_000)).toMatchObject({ name: 'catalogue' });
  await expect(open(32_000_001)).rejects.toThrow('is not the document of a mokuroku service');
});

it.each([
  ['a path that would make another port', { paths: { '1/v1/novels': {} } }],
  ['a path that would make another host', { paths: { '.evil.example/': {} } }],
  [
    'a tool whose name a terminal obeys',
    { paths: { '/': { get: { operationId: '\u001b[2J', responses: {} } } } },
  ],
])('a document with %s is none of a service', async (_name, more) => {
  const document = { 'x-service': 'catalogue', info: { title: 't', version: '1' }, paths: {} };
  const open = async (sent: object) => {
    const address = await serveHttp((_request, response) => response.end(JSON.stringify(sent)));
    return openHttpService(address, { isComplete: false });
  };
  expect(await open(document)).toMatchObject({ name: 'catalogue' });
  await expect(open({ ...document, ...more })).rejects.toThrow('is not the document of a mokuroku service');
});

it('a tool that the source of a service can never answer is not offered', async () => {
  const live = await startCatalogue({
    CATALOGUE_SOURCE: 'narou',
    NAROU_BASE_URL: 'http://127.0.0.1:9',
    LOG_LEVEL: 'silent',
    CATALOGUE_PORT: '0',
  });
  onTestFinished(() => live.close());
  const [offered = [], ofLive = []] = await Promise.all(
    [catalogue, live.address].map(async (address) =>
      (await openHttpService(address, { isComplete: true })).tools.map(({ name }) => name),
    ),
  );
  expect(offered.filter((name) => !ofLive.includes(name))).toEqual(['list_changes', 'suggest']);
});

it('a result is sent once, and is that of the live service too', async () => {
  const reply = { status: 200, body: { data: [] }, isSample: false };
  const { tools } = await openHttpService(catalogue, { isComplete: false });
  const tool = tools.find(({ name }) => name === 'search_novels') as Tool;
  const result = await callTool(tool, () => Promise.resolve(reply), {}, undefined);
  expect(result).toEqual({ content: [{ type: 'text', text: '{"data":[]}' }] });
});

it('a first row that does not fit is an error, not an empty page', async () => {
  const reply = { status: 200, body: [{ text: 'x'.repeat(25_000) }], isSample: false };
  const { tools } = await openHttpService(registration, { isComplete: false });
  const tool = tools.find(({ name }) => name === 'look_up_many') as Tool;
  const result = await callTool(tool, () => Promise.resolve(reply), { names: ['a.com'] }, undefined);
  expect(result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('too_large') as unknown }],
  });
});

it('an error that does not fit is one that says how to shorten it', async () => {
  const error = { code: 'registry_unavailable', message: 'm', details: { raw: 'x'.repeat(25_000) } };
  const { tools } = await openHttpService(registration, { isComplete: false });
  const tool = tools.find(({ name }) => name === 'look_up_domain') as Tool;
  const reply = { status: 502, body: { error }, isSample: false };
  const args = { domain: 'a.com', include_raw: true };
  const result = await callTool(tool, () => Promise.resolve(reply), args, undefined);
  expect(result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/too_large.*Request less: include_raw/) as unknown }],
  });
});

it.each([
  ['<html>', '<html></html>'],
  ['nested lists', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
  ['nested records', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`],
  ['no record', 'null'],
  ['too many bytes', ' '.repeat(32_000_001)],
])('a response that no service sends is an error that says so: %s', async (_name, text) => {
  const address = await serveDocument(catalogue, (_request, response) =>
    response.setHeader('Content-Type', 'application/json').end(text),
  );
  const service = await openHttpService(address, { isComplete: false });
  const tool = service.tools.find(({ name }) => name === 'get_novel') as Tool;
  const result = await callTool(tool, service.call, { ncode: 'N8403VF' }, undefined);
  expect(result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/not_json.*not from this service/) as unknown }],
  });
});

it('a fault of this program is not reported as an unreachable service', async () => {
  const { tools } = await openHttpService(catalogue, { isComplete: false });
  const tool = tools.find(({ name }) => name === 'search_novels') as Tool;
  const fault = new TypeError('x is not a function');
  await expect(callTool(tool, () => Promise.reject(fault), {}, undefined)).rejects.toBe(fault);
});

it('an error of a proxy before the service is shown, with the time to wait', async () => {
  const seen: (string | undefined)[] = [];
  const address = await serveDocument(catalogue, ({ url }, response) => {
    seen.push(url);
    response.writeHead(503, { 'Content-Type': 'application/json', 'Retry-After': '7' }).end('{"busy":true}');
  });
  const { tools, call: request } = await openHttpService(address, { isComplete: false });
  const tool = tools.find(({ name }) => name === 'get_novel') as Tool;
  const { isError, content } = await callTool(tool, request, { ncode: 'N8403VF' }, undefined);
  const text = '{"error":{"busy":true},"status":503,"retryAfterSeconds":7}';
  expect([isError, content, seen]).toEqual([true, [{ type: 'text', text }], ['/novels/v1/novels/N8403VF']]);
});
