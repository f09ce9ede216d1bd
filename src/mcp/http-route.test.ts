import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import net from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { endThings, startThings } from '../../test/http/things-service.ts';
import { startCatalogue } from '../catalogue/main.ts';
import { startRegistration } from '../registration/main.ts';
import type { RunningService } from '../service/open-service.ts';
import { createMcpRoute } from './http-route.ts';

const SETTINGS = { LOG_LEVEL: 'silent', CATALOGUE_PORT: '0', REGISTRATION_PORT: '0', MCP: 'on' };
const open: { close: () => Promise<unknown> }[] = [];

afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function start(
  service: (environment: Record<string, string>) => Promise<RunningService>,
  settings: Record<string, string> = {},
): Promise<URL> {
  const running = await service({ ...SETTINGS, ...settings });
  open.push(running);
  return new URL('/mcp', running.address);
}

type Negotiation = NonNullable<ConstructorParameters<typeof Client>[1]>['versionNegotiation'];

async function connect(url: URL, versionNegotiation?: Negotiation): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '0.0.0' },
    { ...(versionNegotiation && { versionNegotiation }) },
  );
  await client.connect(new StreamableHTTPClientTransport(url));
  open.push(client);
  return client;
}

async function callTool(client: Client, name: string, args: Record<string, unknown>) {
  const result = await client.callTool({ name, arguments: args });
  const [first] = result.content as { text: string }[];
  return { isError: result.isError ?? false, value: JSON.parse(first?.text ?? '') as unknown };
}

const post = (url: URL, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const callOf = (id: number, domain: string) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'look_up_domain', arguments: { domain } },
});

it.each([undefined, { mode: 'auto' }] as const)(
  'each service offers its own tools and code tables to the official client (%j)',
  async (negotiation) => {
    const novels = await connect(await start(startCatalogue), negotiation);
    const names = (await novels.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['search_novels', 'get_user', 'suggest', 'list_changes']));
    expect(names.filter((name) => /adult|domain/.test(name))).toEqual([]);
    const result = await callTool(novels, 'search_novels', { lim: 2 });
    expect(result).toMatchObject({ value: { sample: true, result: { data: [{}, {}] } } });
    const { contents } = await novels.readResource({ uri: 'mokuroku://catalogue/v1/meta/genres' });
    expect(JSON.parse((contents[0] as { text: string }).text)).toHaveProperty('data.genres');

    const domains = await connect(await start(startRegistration), negotiation);
    const lookUp = await callTool(domains, 'look_up_domain', { domain: 'example.com' });
    expect(lookUp).toMatchObject({ value: { result: { state: 'registered', domain: 'example.com' } } });
    const many = await callTool(domains, 'look_up_many', { names: ['example.com', 'free-name.org'] });
    expect((many.value as { result: unknown[] }).result).toHaveLength(2);
    const wrong = await callTool(domains, 'look_up_domain', { domain: 'no domain' });
    expect(wrong).toMatchObject({ isError: true, value: { error: { code: 'invalid_domain' } } });
  },
);

it('adult novels are offered if the operator enables them', async () => {
  const client = await connect(await start(startCatalogue, { MCP: 'adult' }));
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['search_adult_novels', 'get_adult_novel']));
});

it('adult novels are not offered if the service has none', async () => {
  const client = await connect(await start(startCatalogue, { MCP: 'adult', ADULT: 'off' }));
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names.filter((name) => name.includes('adult'))).toEqual([]);
});

it('a tool that the source cannot serve is not offered', async () => {
  const live = {
    CATALOGUE_SOURCE: 'narou',
    NAROU_BASE_URL: 'http://127.0.0.1:9',
    NAROU_CONTACT: 'me@example.org',
  };
  const client = await connect(await start(startCatalogue, live));
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toContain('search_novels');
  expect(names.filter((name) => /suggest|changes/.test(name))).toEqual([]);
});

it('is off by default', async () => {
  const url = await start(startCatalogue, { MCP: 'off' });
  expect((await post(url, LIST)).status).toBe(404);
  expect(JSON.stringify(await (await fetch(new URL('/openapi.json', url))).json())).not.toContain('/mcp');
});

it('each message counts as one request of its client', async () => {
  const url = await start(startRegistration, { RATE_LIMIT: '3' });
  expect(await (await post(url, callOf(1, 'example.com'))).text()).toContain('registered');
  expect((await post(url, LIST)).status).toBe(200);
  const ordinary = await fetch(new URL('/example.com', url));
  expect(ordinary.headers.get('RateLimit')).toMatch(/r=0/);
  const refused = await post(url, LIST);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
});

it('a batch is rejected with one error, as the protocol demands since 2025-06-18', async () => {
  const url = await start(startRegistration);
  for (const batch of [[], [LIST], Array.from({ length: 100 }, () => LIST)]) {
    const response = await post(url, batch);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ id: null, error: { code: -32_600 } });
  }
});

it('arguments longer than a URL are rejected before the source is asked', async () => {
  const url = await start(startCatalogue);
  const call = (word: string) => ({
    ...LIST,
    method: 'tools/call',
    params: { name: 'search_novels', arguments: { word } },
  });
  expect(await (await post(url, call('a'.repeat(8_000)))).text()).not.toContain('uri_too_long');
  const long = await (await post(url, call('猫'.repeat(1_000)))).text();
  expect(long).toMatch(/uri_too_long.*9,?\d{3} characters as a URL, above 8,?192/);
});

it('no notification of changed tools is announced', async () => {
  const client = await connect(await start(startRegistration));
  const { tools, resources } = client.getServerCapabilities() ?? {};
  expect([tools?.listChanged, resources?.listChanged ?? false]).toEqual([false, false]);
});

it('no timer of a message remains after its response', async () => {
  const url = await start(startRegistration, { RATE_LIMIT: '0' });
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = timers();
  for (let message = 0; message < 50; message++) await (await post(url, LIST)).text();
  // A timer that remains would last for ten seconds.
  await expect.poll(timers, { timeout: 5_000 }).toBeLessThan(before + 25);
});

it('requests from web pages of other hosts are rejected unless the hosts are configured', async () => {
  const url = await start(startCatalogue, { MCP_ORIGINS: 'agents.example' });
  const statusFor = async (origin: string) => (await post(url, LIST, { Origin: origin })).status;
  expect(await statusFor('http://localhost:5173')).toBe(200);
  expect(await statusFor('https://agents.example')).toBe(200);
  expect(await statusFor('https://rebound.example')).toBe(403);
  expect(await statusFor('null')).toBe(403);
  const any = await start(startCatalogue, { MCP_ORIGINS: '*' });
  expect((await post(any, LIST, { Origin: 'https://rebound.example' })).status).toBe(200);
});

it('a preflight allows POST with the headers of the protocol', async () => {
  const url = await start(startCatalogue);
  const headers = { 'Access-Control-Request-Headers': 'content-type,mcp-protocol-version' };
  const preflight = await fetch(url, { method: 'OPTIONS', headers });
  expect(preflight.headers.get('Access-Control-Allow-Methods')).toBe('POST, OPTIONS');
  expect(preflight.headers.get('Access-Control-Allow-Headers')).toBe('content-type,mcp-protocol-version');
});

it('other methods, large messages and unreadable ones are rejected', async () => {
  const url = await start(startRegistration);
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const response = await fetch(url, { method });
    expect([method, response.status, response.headers.get('Allow')]).toEqual([method, 405, 'POST, OPTIONS']);
  }
  expect((await post(url, { ...LIST, params: { text: 'x'.repeat(70_000) } })).status).toBe(413);
  expect((await post(url, '{')).status).toBe(400);
  expect((await post(url, LIST, { 'Content-Type': 'Application/JSON;charset="UTF-8"' })).status).toBe(200);
  expect((await post(url, LIST, { 'Content-Type': 'text/plain' })).status).toBe(415);
});

it('an incomplete message closes its connection, and neither it nor an aborted one is logged as a failure', async () => {
  const extension = createMcpRoute({
    name: 'things',
    withAdult: false,
    isSample: true,
    origins: [],
    messageTimeoutMs: 50,
  });
  const { base, lines } = await startThings(() => Promise.resolve({ data: {} }), { extension });
  const { port, hostname } = new URL(base);
  const head =
    'POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n';
  for (const leave of [(socket: net.Socket) => socket, (socket: net.Socket) => socket.end()]) {
    const socket = net.connect(Number(port), hostname);
    socket.on('error', () => undefined).write(`${head}{`);
    leave(socket);
    await new Promise((resolve) => socket.once('close', resolve));
  }
  await endThings();
  expect(lines.join('')).not.toMatch(/internal|"level":[45]0/);
});

it.each([
  { 'Content-Type': ';;' },
  { 'Content-Type': 'text' },
  { 'Content-Type': 'application/xml' },
  { 'Content-Type': '' },
  { 'Content-Type': 'application/json; charset=utf-16' },
  { 'Content-Encoding': 'gzip' },
])(
  'a message of the form %j is rejected, not an unexpected failure',
  async (headers: Record<string, string>) => {
    const url = await start(startRegistration);
    const response = await post(url, LIST, headers);
    expect([response.status, await response.text()]).toEqual([415, expect.stringContaining('"error"')]);
  },
);

it.each(['[', '{"a":'])('an argument nested 10,000 deep is rejected by name: %s', async (begin) => {
  const url = await start(startCatalogue);
  const end = begin === '[' ? ']' : '}';
  const word = `${begin.repeat(10_000)}1${end.repeat(10_000)}`;
  const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_novels","arguments":{"word":${word}}}}`;
  const text = await (await post(url, message)).text();
  expect(text).toContain('The argument word is missing or invalid.');
});
