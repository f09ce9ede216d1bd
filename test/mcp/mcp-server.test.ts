import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { startCatalogue } from '../../packages/mokuroku/src/catalogue/main.ts';
import type { RunningService } from '@mokuroku/kit/service';
import { openHttpService } from '@mokuroku/kit/mcp';
import { createMcpServer } from '../../packages/kit/src/mcp/mcp-server.ts';
import { startSampleServices } from '../sample-services.ts';
import { serveDocument } from './serve-document.ts';

let running: RunningService[];
let plain: Client;
let withAdult: Client;

async function connect(
  isAdult: boolean,
  of: readonly Pick<RunningService, 'address'>[] = running,
): Promise<Client> {
  const options = { isComplete: isAdult };
  const services = await Promise.all(of.map(({ address }) => openHttpService(address, options)));
  const server = createMcpServer(services, 'Request few rows.');
  const client = new Client({ name: 'test', version: '0.0.0' });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(ours), client.connect(theirs)]);
  return client;
}

interface ToolReply {
  isError: boolean;
  sample?: boolean;
  result: { data: Record<string, unknown>[]; page: unknown; raw: string };
  error: { details: unknown };
}

async function call(name: string, args: Record<string, unknown>): Promise<ToolReply> {
  const result = await plain.callTool({ name, arguments: args });
  const [first] = result.content as { text: string }[];
  return { isError: result.isError ?? false, ...(JSON.parse(first?.text ?? '') as object) } as ToolReply;
}

beforeAll(async () => {
  const { catalogue, registration, close } = await startSampleServices();
  running = [catalogue, registration];
  [plain, withAdult] = await Promise.all([connect(false), connect(true)]);
  return async () => {
    await Promise.all([plain.close(), withAdult.close()]);
    await close();
  };
});

it('every operation that returns JSON is a tool, adult novels only if enabled', async () => {
  const names = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);
  const offered = await names(plain);
  expect(offered).toEqual(
    expect.arrayContaining([
      'search_novels',
      'get_novel',
      'get_hydrated_ranking',
      'look_up_domain',
      'look_up_many',
    ]),
  );
  expect(offered.filter((name) => /adult|about|calendar|probe/.test(name))).toEqual([]);
  const further = (await names(withAdult)).filter((name) => !offered.includes(name));
  expect(further).toEqual(['search_adult_novels', 'get_adult_novel']);
});

it('the server has its instructions, and a tool the descriptions, schemas and required parameters of its operation', async () => {
  expect(plain.getInstructions()).toBe('Request few rows.');
  const { tools } = await plain.listTools();
  const search = tools.find(({ name }) => name === 'search_novels');
  expect(search?.inputSchema.properties).toMatchObject({
    lim: { type: 'integer', default: 10 },
    genre: { type: 'array' },
  });
  const properties = new Set(tools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties ?? {})));
  expect(['format', 'bom', 'feed', 'lang'].filter((name) => properties.has(name))).toEqual([]);
  expect(tools.find(({ name }) => name === 'get_novel')?.inputSchema.required).toEqual(['ncode']);
  const ranking = tools.find(({ name }) => name === 'get_hydrated_ranking');
  expect(ranking?.description).toContain('Parameters without a description: as in search_novels.');
  expect(ranking?.inputSchema.properties).toMatchObject({
    genre: { type: 'array' },
    nottenni: { type: 'boolean' },
  });
  expect(ranking?.inputSchema.properties?.['genre']).not.toHaveProperty('description');
  expect(search?.annotations).toMatchObject({ readOnlyHint: true });
});

it('results are compact: few rows and fields by default, others when named', async () => {
  const { sample, result } = await call('search_novels', { genre: [201, 202] });
  expect(sample).toBe(true);
  expect(result.data).toHaveLength(10);
  expect(result.data[0]).not.toHaveProperty('story');
  const named = await call('search_novels', { lim: 1, of: 't-s', word: null });
  expect(Object.keys(named.result.data[0] ?? {})).toEqual(['title', 'story']);
});

it('rankings are paged and state the number of rows', async () => {
  const { result } = await call('get_hydrated_ranking', { type: 'weekly', first: 299, count: 5 });
  expect(result.data).toMatchObject([{ rank: 299 }, { rank: 300 }]);
  expect(result.page).toEqual({ first: 299, count: 2, total: 300 });
  const start = await call('get_hydrated_ranking', { type: 'weekly', first: 2, count: 2 });
  expect(start.result.data).toMatchObject([{ rank: 2 }, { rank: 3 }]);
  const beyond = await call('get_hydrated_ranking', { type: 'weekly', first: 400 });
  expect(beyond.result).toMatchObject({ data: [], page: { first: 400, count: 0, total: 300 } });
  const days = { type: 'daily', from: '2026-11-01', to: '2026-11-02', count: 2 };
  const { data, page } = (await call('get_hydrated_ranking', days)).result;
  expect(data.map(({ entries }) => entries)).toMatchObject([
    [{ rank: 1 }, { rank: 2 }],
    [{ rank: 1 }, { rank: 2 }],
  ]);
  expect(page).toEqual({ first: 1, count: 2, total: 300 });
});

it('a failed call names every fault and the valid values', async () => {
  const wrong = await call('search_novels', { lim: 501, genre: [7] });
  expect(wrong).toMatchObject({ isError: true, status: 400, error: { code: 'invalid_parameter' } });
  expect(wrong.error.details).toMatchObject([{ parameter: 'genre' }, { parameter: 'lim', given: '501' }]);
});

it.each([
  ['search_novels', { genre: [[201]] }, 'genre (array). Genre codes'],
  // Without types these would be the searches of `1` and of a word with a comma.
  ['search_novels', { points: true }, 'points (string). Overall points: n, a-b'],
  ['search_novels', { word: ['猫', '犬'] }, 'word (string). Words that must all occur'],
  ['look_up_domain', {}, 'domain (string). Any case, with or'],
])('%s with %j says what is right', async (tool, args, message) => {
  const { isError, error } = await call(tool, args);
  expect([isError, JSON.stringify(error)]).toEqual([true, expect.stringContaining(message)]);
});

it('a look-up omits the raw text unless it is requested', async () => {
  const short = await call('look_up_domain', { domain: 'example.com' });
  expect(short.result).toMatchObject({ state: 'registered', domain: 'example.com' });
  expect(short.result).not.toHaveProperty('raw');
  const whole = await call('look_up_domain', { domain: 'example.com', include_raw: true });
  expect(whole.result.raw).toContain('EXAMPLE.COM');
});

it('a name that is not registered is a result, a failing registry an error', async () => {
  const free = await call('look_up_domain', { domain: 'free-name.org' });
  expect(free).toMatchObject({ isError: false, result: { error: { code: 'not_registered' } } });
  const closed = await call('look_up_domain', { domain: 'name.silent' });
  expect(closed).toMatchObject({ isError: true, error: { code: 'no_registry_service' } });
  const unknown = await call('look_up_domain', { domain: 'name.nowhere' });
  expect(unknown).toMatchObject({ isError: true, status: 404, error: { code: 'unknown_tld' } });
});

it('the list of all tools has at most 25 kB, which every agent has in its context', async () => {
  const { tools } = await withAdult.listTools();
  expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThanOrEqual(25_000);
});

it('an unknown argument is refused with the nearest name', async () => {
  const nearest = await call('search_novels', { wrod: '魔法' });
  expect(nearest).toMatchObject({
    isError: true,
    error: { message: 'There is no argument wrod. Did you mean word?' },
  });
  const none = await call('get_novel', { format: 'csv', ncode: 'N8403VF' });
  expect(none).toMatchObject({
    isError: true,
    error: { message: expect.stringContaining('ncode') as string },
  });
  const long = await call('search_novels', { ['x'.repeat(30_000)]: 1 });
  expect(JSON.stringify(long).length).toBeLessThan(2_000);
});

it.each([{ first: 0 }, { first: -5 }, { count: 1.5 }, { count: 'x' }, { include_raw: 'false' }])(
  'a wrong value of an argument that only tools have is refused by name: %j',
  async (wrong) => {
    expect(await call('look_up_many', { names: ['example.com'], ...wrong })).toMatchObject({
      isError: true,
      error: {
        code: 'invalid_parameter',
        message: expect.stringContaining(Object.keys(wrong)[0] ?? '') as string,
      },
    });
  },
);

it('many names are one call, paged by name without the raw texts', async () => {
  const names = ['example.com', 'example.net', 'free-name.org'];
  const { result } = await call('look_up_many', { names, count: 2 });
  expect(result).toMatchObject({ data: [{}, {}], page: { first: 1, count: 2, total: 3 } });
  expect(JSON.stringify(result)).not.toContain('"raw"');
});

it('a code table that is refused is an error, not the content of the table', async () => {
  const limited = await startCatalogue({ LOG_LEVEL: 'silent', RATE_LIMIT: '1', CATALOGUE_PORT: '0' });
  const client = await connect(false, [limited]);
  onTestFinished(async () => {
    await client.close();
    await limited.close();
  });
  const read = () => client.readResource({ uri: 'mokuroku://catalogue/v1/meta/genres' });
  expect((await read()).contents).toHaveLength(1);
  await expect(read()).rejects.toThrow('rate_limited');
});

it.each([
  ['nested records', 200, `{"data":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_001)}`, /not from this service/],
  ['a long table', 200, `{"data":"${'x'.repeat(25_000)}"}`, /has 25011 characters, above 25000/],
  ['a long error', 503, `{"error":"${'x'.repeat(25_000)}"}`, /has 25012 characters, above 25000/],
])(
  'a code table that no service sends is an error that says so: %s',
  async (_name, status, text, message) => {
    const address = await serveDocument(running[0]?.address ?? '', (_request, response) =>
      response.writeHead(status).end(text),
    );
    const client = await connect(false, [{ address }]);
    const reading = client.readResource({ uri: 'mokuroku://catalogue/v1/meta/genres' });
    await expect(reading).rejects.toThrow(message);
    await client.close();
  },
);

it('code tables are resources', async () => {
  const { resources } = await plain.listResources();
  expect(resources.map(({ uri }) => uri)).toContain('mokuroku://catalogue/v1/meta/genres');
  const { contents } = await plain.readResource({ uri: 'mokuroku://catalogue/v1/meta/genres' });
  expect(JSON.parse((contents[0] as { text: string }).text)).toHaveProperty('data.genres');
});

const NCODES = ['N8403VF', 'N0001TA', 'N0002TA', 'N0003TA'];
const DAYS = { from: '2026-10-20', to: '2026-11-19' };
type Arguments = Record<string, unknown>;

/** The least and the most that an agent may plausibly ask of a tool, where its documented call is not both. */
const LARGEST: Record<string, [least: Arguments, most: Arguments]> = {
  search_novels: [{}, { lim: 500 }],
  get_ranking_history: [{ ncode: 'N0001TA' }, { ncode: 'N0001TA', count: 300 }],
  list_ranking_histories: [{ ncode: NCODES.slice(0, 2) }, { ncode: NCODES, count: 300 }],
  get_hydrated_ranking: [{ type: 'daily' }, { type: 'daily', ...DAYS, count: 300 }],
  list_changes: [{}, { lim: 500 }],
  suggest: [{ q: '魔' }, { q: '魔', lim: 50 }],
  search_users: [{}, { lim: 500 }],
  search_adult_novels: [{}, { lim: 500 }],
  look_up_domain: [{ domain: 'example.com' }, { domain: 'example.com', include_raw: true }],
  look_up_many: [
    { names: ['example.com'] },
    { names: Array.from({ length: 100 }, (_, i) => `name-${i}.com`), count: 300, include_raw: true },
  ],
};

/** The arguments of the first documented call of each tool. */
async function documentedCalls(): Promise<Map<string, Arguments>> {
  interface Operation {
    operationId: string;
    'x-calls': { path?: Arguments; query?: Arguments }[];
  }
  const documents = running.map(async ({ address }) => {
    const document: unknown = await (await fetch(`${address}/openapi.json`)).json();
    return Object.values((document as { paths: Record<string, { get: Operation }> }).paths);
  });
  return new Map(
    (await Promise.all(documents)).flat().map(({ get: { operationId, 'x-calls': calls } }) => {
      const name = operationId.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      return [name, { ...calls[0]?.path, ...calls[0]?.query }];
    }),
  );
}

it('no tool answers with more than 25,000 characters, and a larger answer names arguments of its own', async () => {
  const { tools } = await withAdult.listTools();
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(LARGEST)));
  const documented = await documentedCalls();
  for (const { name, inputSchema } of tools) {
    const [least, most] = LARGEST[name] ?? Array<Arguments>(2).fill(documented.get(name) ?? {});
    const byDefault = await withAdult.callTool({ name, arguments: least });
    expect(JSON.stringify(byDefault), name).not.toMatch(/result_too_large|invalid_parameter/);
    for (const { content } of [byDefault, await withAdult.callTool({ name, arguments: most })]) {
      const [{ text } = { text: '' }] = content as { text: string }[];
      expect(text.length, name).toBeLessThanOrEqual(25_000);
      const [, advice] = /Request less: ([^.]*)\./.exec(text) ?? [];
      if (!text.includes('result_too_large')) continue;
      const properties = Object.keys(inputSchema.properties ?? {});
      expect(properties, name).toEqual(expect.arrayContaining(advice?.split(', ') ?? ['no advice']));
    }
  }
});

it('several histories are pages of rows, each as long as fits', async () => {
  const { result } = await call('list_ranking_histories', { ncode: NCODES.slice(0, 2), count: 300 });
  const { count, total } = result.page as { count: number; total: number };
  expect(count).toBeLessThan(total);
  const lengths = Object.values(result.data).map(
    (rows) => (rows as unknown as unknown[] | null)?.length ?? 0,
  );
  expect(Math.max(...lengths)).toBe(count);
});

it.each([undefined, '', '..', '\ud800', [{}]])(
  'an argument that is missing, or that no path can have, is rejected by name: %j',
  async (ncode) => {
    expect(await call('get_novel', { ncode })).toEqual({
      isError: true,
      error: {
        code: 'invalid_parameter',
        message: 'Missing or wrong argument: ncode (string). Code of the novel, in any case.',
      },
    });
  },
);

it('a service that ends is reported as unreachable', async () => {
  const service = await startCatalogue({ LOG_LEVEL: 'silent', CATALOGUE_PORT: '0' });
  const client = await connect(false, [service]);
  await service.close();
  const result = await client.callTool({ name: 'get_novel', arguments: { ncode: 'n8403vf' } });
  expect(result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('unreachable') as unknown }],
  });
  await expect(openHttpService(service.address, { isComplete: false })).rejects.toThrow(
    'The service is unreachable.',
  );
  await client.close();
});

it('a call that the client cancels ends the request to the service', async () => {
  const cancel = new AbortController();
  let hasEnded = false;
  const address = await serveDocument(running[0]?.address, (_request, response) => {
    response.on('close', () => (hasEnded = true));
    cancel.abort();
  });
  const client = await connect(false, [{ address }]);
  const args = { name: 'get_novel', arguments: { ncode: 'N8403VF' } };
  await expect(client.callTool(args, { signal: cancel.signal })).rejects.toThrow();
  await expect.poll(() => hasEnded).toBe(true);
  await client.close();
});

it('rows that do not fit in the context of an agent are a shorter page', async () => {
  const args = { type: 'daily', of: 't-w-s-k-g-gl-nu', count: 300 };
  const { isError, result } = await call('get_hydrated_ranking', args);
  const { count } = result.page as { count: number };
  expect([isError, result.data.length]).toEqual([false, count]);
  expect(count).toBeLessThan(300);
  expect(JSON.stringify(result).length).toBeGreaterThan(12_500);
});
