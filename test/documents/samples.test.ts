import { beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../packages/mokuroku/src/cli/commands.ts';
import { parseOptions } from '../../packages/mokuroku/src/cli/parse-options.ts';
import { createCatalogueClient, createRegistrationClient } from 'mokuroku-client/source';
import type {
  Reference,
  ReferenceEndpoint,
  Request,
} from '../../packages/mokuroku/src/explorer/reference/openapi.ts';
import { SAMPLES, urlOf } from '../../packages/mokuroku/src/explorer/reference/samples.ts';
import type { SampleLanguage } from '../../packages/mokuroku/src/explorer/reference/samples.ts';
import { runRecorded } from '../../packages/mokuroku/test/cli/recording-terminal.ts';
import { startSampleServices } from '../sample-services.ts';
import { read } from './documents.ts';
import { printedSamples, readReferences } from './printed-samples.ts';

// Runs the samples of /docs in each language, and checks their requests.

let references: ReadonlyMap<string, Reference>;

beforeAll(async () => {
  const services = await startSampleServices();
  references = await readReferences([services.catalogue.address, services.registration.address]);
  return services.close;
});

const printed = (language: SampleLanguage) => printedSamples(references, language);

/** The words of a POSIX shell line with single quotes. */
const wordsOf = (line: string): string[] =>
  [...line.replaceAll('\\\n', ' ').matchAll(/(?:'[^']*'|\\'|[^\s'])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|\\'/g, (_whole, quoted: string | undefined) => quoted ?? "'"),
  );

describe('the samples', () => {
  it('in curl request the URL of the call', () => {
    for (const { endpoint, call, base, code } of printed('curl')) {
      const words = wordsOf(code);
      const url = new URL(words.find((word) => word.startsWith('http')) ?? '');
      for (const [i, word] of words.entries()) {
        if (word !== '-d' && word !== '--data-urlencode') continue;
        const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(words[i + 1] ?? '') ?? [];
        url.searchParams.append(name, value);
      }
      expect(url.href).toBe(new URL(urlOf(base, endpoint, call)).href);
    }
  });

  it('in TypeScript use the typed client if it has a method for the call', () => {
    const samples = printed('TypeScript');
    const usesClient = ({ code }: { code: string }) => code.includes('mokuroku-client');
    const byFetch = samples.filter((sample) => !usesClient(sample) && !('format' in sample.call.query));
    expect(
      new Set(byFetch.map(({ endpoint }) => endpoint.name)),
      'those without a method: add it, and `client` of the endpoint',
    ).toEqual(new Set(['getAvailability', 'getExpiryCalendar', 'getAbout']));
  });

  it('in TypeScript know every method of the client that sends one request', () => {
    const codes = [...references].flatMap(([base, { endpoints }]) =>
      endpoints.flatMap((endpoint) =>
        [{}, { from: '2026-01-05' }, { format: 'ndjson' }].map((query) =>
          SAMPLES.TypeScript(base, endpoint, { path: {}, query }),
        ),
      ),
    );
    const methods = Object.keys({ ...createCatalogueClient(), ...createRegistrationClient() });
    const unnamed = methods.filter((method) => !codes.some((code) => code.includes(`client.${method}(`)));
    expect(unnamed.filter((method) => !/Pages$|^changesSince$/.test(method))).toEqual([]);
  });

  it.each(['docs/client.md', 'docs/client.ja.md'])('of the methods of the client, %s names all', (page) => {
    const methods = Object.keys({ ...createCatalogueClient(), ...createRegistrationClient() });
    expect(methods.filter((method) => !new RegExp(`\\b${method}\\b`).test(read(page)))).toEqual([]);
  });

  it('on the command line run and return data', async () => {
    for (const { code } of printed('CLI')) {
      const [program, ...words] = wordsOf(code);
      const { code: exitCode, out, err } = await runRecorded(words);
      expect(program).toBe('mokuroku');
      // One of the names is unregistered on purpose.
      expect(code.includes('free-name') ? 0 : exitCode, `${code}\n${err}`).toBe(0);
      expect(out.split('\n').length, code).toBeGreaterThan(1);
    }
  });

  /** The words and options that the command line reads in a sample with another value; null without a sample. */
  async function readSample(endpoint: ReferenceEndpoint, query: Request['query']) {
    const code = SAMPLES.CLI('http://127.0.0.1:3000', endpoint, { ...endpoint.calls[0]!, query });
    if (code === null) return null;
    const [, name = '', ...given] = wordsOf(code);
    return parseOptions(name, await COMMANDS[name]!.load(), given);
  }

  it('on the command line have options that exist, for every published parameter and value', async () => {
    let samples = 0;
    for (const endpoint of [...references.values()].flatMap(({ endpoints }) => endpoints)) {
      for (const { name, location, values, example } of endpoint.parameters) {
        if (location === 'path' || endpoint.calls.length === 0) continue;
        for (const value of [...values, example || '1']) {
          // The last day of a span needs the first one.
          const first = name === 'to' ? { from: value } : {};
          const query = { ...endpoint.calls[0]?.query, ...first, [name]: value };
          if ((await readSample(endpoint, query)) !== null) samples++;
        }
      }
    }
    expect(samples).toBeGreaterThan(100);
  });

  it('on the command line keep a value or word with a leading hyphen, and a comma in a word', async () => {
    const endpoint = [...references.values()][0]!.endpoints.find(({ name }) => name === 'searchNovels')!;
    const query = { word: '-猫,犬', notword: '-h', time: '-10', title: '1' };
    expect(await readSample(endpoint, query)).toMatchObject({
      args: { notword: '-h', time: '-10', title: true },
      words: ['-猫,犬'],
    });
  });

  it('in Python request the path of the call with its parameters', () => {
    for (const { endpoint, call, base, code } of printed('Python')) {
      const [, address = ''] = /requests\.get\('([^']*)'/.exec(code) ?? [];
      const query = [...code.matchAll(/^ {4}'(\w+)': '(.*)',$/gm)].map(([, name = '', value = '']) => [
        name,
        value,
      ]);
      expect(Object.fromEntries(query)).toEqual(call.query);
      expect(address).toBe(urlOf(base, endpoint, { ...call, query: {} }));
    }
  });

  it('escape quotes in values', () => {
    const [{ endpoint, base } = expect.fail('nothing printed')] = printed('curl');
    const request = { path: {}, query: { word: `it's "$(x)"\\` } };
    expect(wordsOf(SAMPLES.curl(base, endpoint, request))).toContain(`word=${request.query.word}`);
    expect(SAMPLES.Python(base, endpoint, request)).toContain(String.raw`'it\'s "$(x)"\\'`);
  });
});

describe('the source code of a request', () => {
  /** Without the address of the service. */
  function write(language: SampleLanguage, name: string, request: Partial<Request>): string | null {
    const [base, { endpoints }] =
      [...references].find(([, each]) => each.endpoints.some((one) => one.name === name)) ??
      expect.fail(`no endpoint ${name}`);
    const endpoint = endpoints.find((each) => each.name === name) ?? expect.fail(name);
    const whole = { path: {}, query: {}, ...request };
    return SAMPLES[language](base, endpoint, whole)?.replace(` --base-url ${base}`, '') ?? null;
  }

  it('on the command line has a flag only if it is set, and the format as an option', () => {
    expect(write('CLI', 'searchNovels', { query: { word: '猫', title: '1', ex: '0', lim: '5' } })).toBe(
      "mokuroku novels '猫' --title --lim 5",
    );
    expect(write('CLI', 'searchNovels', { query: { format: 'csv' } })).toBe('mokuroku novels --csv');
    expect(write('CLI', 'searchNovels', { query: { format: 'atom' } })).toBeNull();
  });

  it('on the command line has the adult site and the registrar as options', () => {
    expect(write('CLI', 'getAdultNovel', { path: { ncode: 'N0001A' } })).toBe(
      'mokuroku novel N0001A --adult',
    );
    expect(write('CLI', 'lookUpDomain', { path: { domain: 'a.jp' }, query: { follow: 'registrar' } })).toBe(
      'mokuroku whois a.jp --registrar',
    );
  });

  it('in TypeScript has numbers, lists and texts by the type of the parameter', () => {
    const query = { word: '123', lim: '5', genre: '201,202', of: 't-n' };
    expect(write('TypeScript', 'searchNovels', { query })).toContain(
      "client.novels({ word: '123', lim: 5, genre: [201, 202], of: ['t', 'n'] })",
    );
  });

  it('in Python and TypeScript reads each format as what it is', () => {
    const request = { query: { format: 'csv' } };
    expect(write('TypeScript', 'searchNovels', { query: { format: 'ndjson', lim: '5' } })).toMatch(
      /for await \(const each of client\.novelStream\(\{ lim: 5 \}\)\) console\.log\(each\);$/,
    );
    expect(write('Python', 'searchNovels', request)).toMatch(/print\(answer\.text\)$/);
    expect(write('Python', 'searchNovels', {})).toMatch(/print\(answer\.json\(\)\)$/);
    expect(write('TypeScript', 'searchNovels', request)).toContain('await response.text()');
  });

  it('escapes the values of a path', () => {
    expect(write('curl', 'lookUpDomain', { path: { domain: 'a/b?c' } })).toMatch(/\/a%2Fb%3Fc'?$/);
  });

  it('on the command line names the service unless it is the default one', () => {
    const [{ endpoint, call } = expect.fail('nothing printed')] = printed('CLI');
    expect(SAMPLES.CLI('http://127.0.0.1:3000', endpoint, call)).not.toContain('--base-url');
    expect(SAMPLES.CLI('https://novels.example', endpoint, call)).toContain(
      ' --base-url https://novels.example',
    );
  });
});
