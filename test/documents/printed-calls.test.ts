import { readdirSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { dereference } from '../../packages/kit/test/http/dereference.ts';
import { raw } from '../http/things-service.ts';
import { runRecorded } from '../../packages/mokuroku/test/cli/recording-terminal.ts';
import { startSampleServices } from '../sample-services.ts';
import { ROOT, found, read } from './documents.ts';

// Every printed request works and returns rows. (The examples of the help: packages/mokuroku/src/cli/run-command-line.test.ts.)

type Json = Record<string, unknown>;
interface Parameter {
  name: string;
  in: string;
  example?: string | number | (string | number)[];
}
interface Document extends Json {
  paths: Record<string, { get: { parameters: Parameter[]; 'x-calls': Call[] } }>;
}

let addresses: { 3000: string; 3001: string };
beforeAll(async () => {
  const services = await startSampleServices();
  addresses = { 3000: services.catalogue.address, 3001: services.registration.address };
  return services.close;
});

const PAGES = [
  'README.md',
  'README.ja.md',
  ...readdirSync(path.join(ROOT, 'docs')).map((name) => `docs/${name}`),
].filter((name) => name.endsWith('.md'));

/** Size of a response: its rows, members or characters. */
async function rowsOf(url: string): Promise<{ status: number; rows: number; code: string | undefined }> {
  const response = await fetch(url);
  const text = await response.text();
  const { status } = response;
  if (!response.headers.get('content-type')?.startsWith('application/json')) {
    return { status, rows: text.length, code: undefined };
  }
  const body = JSON.parse(text) as { data?: object; error?: { code: string } };
  const { data = body } = body;
  return { status, rows: Object.keys(data).length, code: body.error?.code };
}

interface Call {
  path?: Record<string, string>;
  query?: Record<string, string>;
}

/** Requests with a parameter: alone, added to the endpoint's first call, and in calls that have it. */
function waysToAsk(given: Record<string, string>, calls: readonly Call[]): Call[] {
  const [name = ''] = Object.keys(given);
  const having = calls.filter(({ query = {} }) => name in query);
  return [
    { query: given },
    ...calls.slice(0, 1).map((call) => ({ query: { ...call.query, ...given } })),
    ...having,
  ];
}

describe.each([3000, 3001] as const)('every example of a parameter in openapi.json of :%i', (port) => {
  it('returns rows', async () => {
    const document = (await (await fetch(`${addresses[port]}/openapi.json`)).json()) as Document;
    const barren: string[] = [];
    for (const [template, { get }] of Object.entries(document.paths)) {
      const parameters = get.parameters.map((each) => dereference(document, each) as Parameter);
      const inPath = Object.fromEntries(
        parameters.filter((each) => each.in === 'path').map((each) => [each.name, String(each.example)]),
      );
      const bring = async ({ path = inPath, query = {} }: Call): Promise<boolean> => {
        const filled = template.replace(/\{(\w+)\}/g, (_, name: string) =>
          encodeURIComponent(path[name] ?? ''),
        );
        const search = new URLSearchParams(query).toString();
        const { status, rows } = await rowsOf(`${addresses[port]}${filled}?${search}`);
        return status === 200 && rows > 0;
      };
      for (const { name, example } of parameters) {
        if (name in inPath || example === undefined) continue;
        const ways = waysToAsk({ [name]: String(example) }, get['x-calls']);
        let isTelling = false;
        for (const way of ways) isTelling ||= await bring(way);
        if (!isTelling) barren.push(`${template} ${name}=${String(example)}`);
      }
      if (Object.keys(inPath).length > 0 && !(await bring({}))) barren.push(template);
    }
    // After `now` there are no events yet.
    expect(
      barren.filter((each) => each !== '/v1/changes since=now'),
      'examples without rows, alone and added to a documented call',
    ).toEqual([]);
  });
});

/** `curl ...` with the response printed below, if any. */
const curls = PAGES.flatMap((page) =>
  [...read(page).matchAll(/^(?:\$ )?curl .*?(https?:\/\/127\.0\.0\.1:(300[01])[^'\s]*)(.*)\n(.*)/gm)].map(
    ([, url = '', port = '', options = '', answer = '']) => ({ page, url, port, options, answer }),
  ),
);
/** `/v1/...` in the text. */
const paths = PAGES.flatMap((page) =>
  found(read(page), /`(\/v1\/[^\s`]*\?[^\s`]+[^=`])`/g)
    .filter((each) => !each.includes('...'))
    .map((each) => ({ page, path: each })),
);
/** Queries such as `genre=201,202` among the filters. */
const filters = found(
  /^## Narrow a search$([^]*?)^## /m.exec(read('docs/api.md'))?.[1] ?? '',
  /`([a-z0-9]+=[^\s`]+)`/g,
);

/** The status of a call as curl sends it, without further encoding. */
async function statusAsTyped(call: { url: string; port: string; options: string }): Promise<string> {
  const base = addresses[call.port === '3000' ? 3000 : 3001];
  const typed = call.options.includes('-data')
    ? urlOf(call).slice(base.length)
    : call.url.replace(/^.*?:\d+/, '');
  return (
    await raw(base, `GET ${typed || '/'} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`, false)
  ).slice(9, 12);
}

function urlOf({ url, port, options }: { url: string; port: string; options: string }): string {
  const requested = new URL(url);
  for (const [, name = '', value = ''] of options.matchAll(/(?:-d|--data-urlencode) (\w+)=(\S+)/g)) {
    requested.searchParams.set(name, value);
  }
  return addresses[port === '3000' ? 3000 : 3001] + requested.pathname + requested.search;
}

describe('calls in the documents', () => {
  it('exist', () => {
    const pages = ['README.ja.md', 'README.md', 'docs/api.ja.md', 'docs/api.md', 'docs/registration.md'];
    expect([...new Set(curls.map(({ page }) => page))].sort()).toEqual(pages);
    expect([curls.length > 25, paths.length > 10, filters.length > 10]).toEqual([true, true, true]);
  });

  it.each(curls)('$page: $url', async (call) => {
    const { status, rows, code } = await rowsOf(urlOf(call));
    expect(await statusAsTyped(call)).toBe(String(status));
    const printedCode = /"code":"(\w+)"/.exec(call.answer)?.[1];
    if (call.answer.startsWith('{')) expect(code).toBe(printedCode);
    expect(rows).toBeGreaterThan(0);
    // Unregistered names are requested on purpose.
    if (!call.answer.startsWith('{') && !call.url.includes('/free-name.com')) expect(status).toBe(200);
  });

  it.each(paths)('$page: $path', async ({ path }) => {
    expect(await rowsOf(addresses[3000] + path)).toMatchObject({
      status: 200,
      rows: expect.any(Number) as number,
    });
  });

  it.each(filters)('docs/api.md: %s', async (query) => {
    const { status, rows } = await rowsOf(`${addresses[3000]}/v1/novels?${query}`);
    expect([status, rows > 0]).toEqual([200, true]);
  });
});

/** Commands that run until stopped, open a browser, or need a shell have their own tests. */
const ENDLESS = /mokuroku (?:serve|harvest)|--watch|--web|\$\(/;
const commands = PAGES.flatMap((page) =>
  [...read(page).matchAll(/^(?:npx )?mokuroku ([^\n]*)$/gm)]
    .map(([whole = '', line = '']) => ({ page, whole, line: line.replace(/\s*[<>#].*$/, '') }))
    .filter(({ whole }) => !ENDLESS.test(whole)),
);

describe('commands in the documents', () => {
  it('exist', () => {
    expect(commands.length).toBeGreaterThan(4);
  });

  it.each(commands)('$page: $whole', async ({ line }) => {
    const { code, out, err } = await runRecorded(line.split(' '), {
      environment: { MOKUROKU_CATALOGUE_URL: addresses[3000], MOKUROKU_REGISTRATION_URL: addresses[3001] },
      readInput: () => Promise.resolve('example.com\n'),
    });
    // Both services and the command share this process, so a busy machine may cause 503 overloaded.
    const isOverloaded = `${out}${err}`.includes('overloaded');
    expect([isOverloaded ? 0 : code, out.trim().split('\n').length > 1], err).toEqual([0, true]);
  });
});
