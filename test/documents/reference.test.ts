import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCatalogue } from '../../packages/mokuroku/src/catalogue/main.ts';
import { COMMANDS } from '../../packages/mokuroku/src/cli/commands.ts';
import { parseOptions } from '../../packages/mokuroku/src/cli/parse-options.ts';
import { runCommandLine } from '../../packages/mokuroku/src/cli/run-command-line.ts';
import { createCatalogueClient, createRegistrationClient } from 'mokuroku-client/source';
import { readReference } from '../../packages/mokuroku/src/explorer/reference/openapi.ts';
import type {
  Reference,
  ReferenceEndpoint,
  Request,
} from '../../packages/mokuroku/src/explorer/reference/openapi.ts';
import { findPlaces, placesOf } from '../../packages/mokuroku/src/explorer/reference/places.ts';
import { SAMPLES, urlOf } from '../../packages/mokuroku/src/explorer/reference/samples.ts';
import type { SampleLanguage } from '../../packages/mokuroku/src/explorer/reference/samples.ts';
import { words as en } from '../../packages/mokuroku/src/explorer/reference/words-en.ts';
import { words as ja } from '../../packages/mokuroku/src/explorer/reference/words-ja.ts';
import { startRegistration } from '../../packages/mokuroku/src/registration/main.ts';
import { RECORD_FIELDS } from '../../packages/whois/src/record/registration-record.ts';
import { recordingTerminal } from '../../packages/mokuroku/test/cli/recording-terminal.ts';
import { printedSamples, readReferences } from './printed-samples.ts';

// Runs the samples of /docs in each language, and checks their requests.

let close: () => Promise<unknown>;
let references: ReadonlyMap<string, Reference>;

beforeAll(async () => {
  const settings = { LOG_LEVEL: 'silent', RATE_LIMIT: '0', CATALOGUE_PORT: '0', REGISTRATION_PORT: '0' };
  const [catalogue, registration] = await Promise.all([
    startCatalogue(settings),
    startRegistration(settings),
  ]);
  close = () => Promise.all([catalogue.close(), registration.close()]);
  references = await readReferences([catalogue.address, registration.address]);
});
afterAll(() => close());

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
    expect(new Set(byFetch.map(({ endpoint }) => endpoint.name))).toEqual(
      new Set(['getAvailability', 'getExpiryCalendar', 'getAbout']),
    );
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

  it('on the command line run and return data', async () => {
    for (const { code } of printed('CLI')) {
      const terminal = recordingTerminal();
      const [program, ...words] = wordsOf(code);
      const exitCode = await runCommandLine(words, terminal);
      const { out } = terminal.written();
      expect(program).toBe('mokuroku');
      // One of the names is unregistered on purpose.
      expect(code.includes('free-name') ? 0 : exitCode, code).toBe(0);
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
          const query = { ...endpoint.calls[0]?.query, [name]: value };
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

describe('the reference', () => {
  const [catalogue, registration] = [() => [...references.values()][0], () => [...references.values()][1]];
  const endpointOf = (reference: Reference | undefined, name: string) =>
    reference?.endpoints.find((each) => each.name === name);
  const parameterOf = (name: string, parameter: string, reference = catalogue()) =>
    endpointOf(reference, name)?.parameters.find((each) => each.name === parameter);

  it('has the endpoints in the order of their groups', () => {
    for (const { groups, endpoints } of references.values()) {
      const places = endpoints.map(({ group }) => groups.findIndex(({ name }) => name === group));
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(new Set(places).size).toBe(groups.length);
    }
  });

  it('is read from other orders and references of a document, too', () => {
    const schema = {
      properties: {
        end: { anyOf: [{ type: 'null' }, { type: 'object', properties: { at: { type: 'string' } } }] },
        novel: { $ref: '#/components/schemas/Novel', description: 'The novel.' },
      },
    };
    const ok = { description: '`cached`: is no error.', content: { 'application/json': { schema } } };
    const document = {
      paths: { '/a': { get: { operationId: 'getA', responses: { 200: ok } } } },
      components: { schemas: { Novel: { type: 'object' } } },
    };
    const [endpoint] = readReference(document).endpoints;
    expect(endpoint?.errors).toEqual([]);
    expect(endpoint?.tables).toEqual(['Novel']);
    expect(endpoint?.fields).toEqual([
      { id: 'field-getA-end', name: 'end', type: 'null | object', description: '' },
      { id: 'field-getA-end.at', name: 'end.at', type: 'string', description: '' },
      { id: 'field-getA-novel', name: 'novel', type: 'Novel', description: 'The novel.' },
    ]);
  });

  it('states the place, type, values and default of each parameter', () => {
    expect(parameterOf('getNovel', 'ncode')).toMatchObject({ location: 'path', required: true, values: [] });
    expect(parameterOf('searchNovels', 'lim')).toMatchObject({
      location: 'query',
      required: false,
      type: 'integer',
      byDefault: undefined,
      example: '20',
    });
    expect(parameterOf('searchNovels', 'order')).toMatchObject({ type: 'string', byDefault: 'new' });
    expect(parameterOf('searchNovels', 'ex')).toMatchObject({ values: ['0', '1'], byDefault: '0' });
    const genre = parameterOf('searchNovels', 'genre');
    expect([genre?.type, genre?.values.includes('201'), genre?.example]).toEqual(['integer,…', true, '201']);
    const names = parameterOf('lookUpMany', 'names', registration());
    expect(names?.example).toMatch(/^[\w.-]+(,[\w.-]+)+$/);
  });

  it('states the types of members, of lists and of members that may be null', () => {
    const { tables = [] } = registration() ?? {};
    const types = new Map<string, string>(
      tables.flatMap(({ id, fields }) => fields.map(({ name, type }) => [`${id}.${name}`, type] as const)),
    );
    const wanted = {
      'LookUp.parsed': 'ParsedRegistration',
      'LookUp.evidence': 'Evidence | null',
      'LookUp.protocol': '"whois" | "rdap"',
      'LookUp.truncated': 'true',
      'LookUp.incomplete': `[${RECORD_FIELDS.map((field) => `"${field}"`).join(' | ')}]`,
      'ParsedRegistration.registrar': 'string | null',
      'ParsedRegistration.nameServers': '[string]',
      'ParsedRegistration.dnssec': 'object | null',
      'ParsedRegistration.dnssec.ds': '[DelegationSigner]',
      'DelegationSigner.keyTag': 'integer',
      'Evidence.line': 'string',
    };
    const stated = Object.keys(wanted).map((name) => [name, types.get(name)] as const);
    expect(Object.fromEntries(stated)).toEqual(wanted);
    expect(endpointOf(registration(), 'lookUpDomain')?.tables).toEqual(['LookUp']);
    const [lookUp] = tables;
    expect(lookUp?.id).toBe('LookUp');
    expect(lookUp?.fields.filter(({ description }) => description === '')).toEqual([]);
  });

  it('describes the fields of a novel once, for all endpoints that return novels', () => {
    const { tables = [], endpoints = [] } = catalogue() ?? {};
    const [novel] = tables;
    expect(novel?.id).toBe('Novel');
    expect(novel?.fields.length).toBeGreaterThan(35);
    const returned = endpoints.flatMap((each) => each.tables);
    expect(returned).toEqual(expect.arrayContaining(['Novel', 'HydratedRankingEntry', 'AdultNovel', 'Meta']));
    expect(returned.filter((id) => !tables.some((table) => table.id === id))).toEqual([]);
    for (const id of ['HydratedRankingEntry', 'AdultNovel']) {
      const { fields } = tables.find((table) => table.id === id) ?? expect.fail(id);
      expect(fields.filter((field) => field.id === `field-Novel-${field.name}`).length).toBeGreaterThan(30);
    }
    const described = [...tables, ...endpoints].flatMap(({ fields }) => fields);
    const texts = new Map(
      described
        .filter(({ description }) => description !== '')
        .map(({ id, name, type, description }) => [id, JSON.stringify([name, type, description])]),
    );
    expect(new Set(texts.values()).size).toBe(texts.size);
  });

  it('has the errors of an endpoint with examples, and all of them once by status', () => {
    for (const { endpoints, errors } of references.values()) {
      const statuses = errors.map(({ status }) => Number(status));
      expect(statuses).toEqual(statuses.toSorted((a, b) => a - b));
      expect(statuses.filter((status) => status < 400)).toEqual([]);
      expect(new Set(errors.map(({ code }) => code)).size).toBe(errors.length);
      const examples = endpoints
        .flatMap((each) => each.errors)
        .map(({ code, example }) => ({ code, example }));
      expect(examples.filter(({ code, example }) => !JSON.stringify(example).includes(code))).toEqual([]);
    }
  });

  it('has the members around the data of the catalogue', () => {
    const [wrapped, plain] = [catalogue(), registration()].map((each) =>
      each?.tables.find(({ id }) => id === 'Meta')?.fields.map(({ name }) => name),
    );
    expect(wrapped).toEqual(expect.arrayContaining(['cached', 'tookMs', 'source', 'asOf']));
    expect(plain).toBeUndefined();
  });
});

describe.each([
  ['ja', ja],
  ['en', en],
] as const)('the finder of the reference in %s', (language, { reference: words }) => {
  const find = (typed: string) => {
    const texts = { words, language };
    const [reference = expect.fail('no reference')] = references.values();
    return findPlaces(placesOf(reference, texts), typed).map(({ id }) => id);
  };

  it.each([
    ['favnovelcnt', 'parameter-searchNovels-order'],
    ['ブックマーク', 'parameter-searchNovels-order'],
    ['タイトル', 'parameter-searchNovels-title'],
    ['転生', 'parameter-searchNovels-istensei'],
    ['ETag', 'field-headers-ETag'],
    ['cors', 'about-address'],
    ['rate limit', 'about-limits'],
    ['レート制限', 'about-limits'],
    ['429', 'error-rate_limited'],
  ])('knows %s: #%s', (typed, id) => {
    expect(find(typed)).toContain(id);
  });

  it('finds each described field and parameter once', () => {
    const texts = { words, language };
    for (const reference of references.values()) {
      const places = placesOf(reference, texts).map(({ kind, name, about }) => `${kind} ${name} ${about}`);
      expect(new Set(places).size).toBe(places.length);
    }
    expect(find('fav_novel_cnt').filter((id) => id.endsWith('fav_novel_cnt'))).toEqual([
      'field-Novel-fav_novel_cnt',
    ]);
  });

  it('puts names that begin with the typed text first', () => {
    expect(find('etag')[0]).toBe('field-headers-ETag');
    expect(find('429 rate')[0]).toBe('error-rate_limited');
    expect(find(' ')).toEqual([]);
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

describe('the Japanese reference', () => {
  it('has every text of the document in Japanese', async () => {
    const texts: string[] = [];
    for (const base of references.keys()) {
      const document = await (await fetch(`${base}/openapi.ja.json`)).text();
      JSON.parse(document, (key, value: unknown) => {
        if (['example', 'examples'].includes(key)) return undefined;
        const { description, summary } = Object(value) as { description?: unknown; summary?: unknown };
        if (key === 'info') texts.push((value as { title: string }).title);
        texts.push(...[description, summary].filter((text) => typeof text === 'string'));
        if (key === 'x-calls') texts.push(...(value as { title: string }[]).map(({ title }) => title));
        return value;
      });
    }
    expect(texts.length).toBeGreaterThan(500);
    expect([...new Set(texts)].filter((text) => !/[ぁ-んァ-ヶ一-龠]/.test(text))).toEqual([]);
  });

  it('is the English one but for its texts', async () => {
    for (const base of references.keys()) {
      const [english, other] = await Promise.all(
        ['openapi.json', 'openapi.ja.json'].map(async (name) => (await fetch(`${base}/${name}`)).text()),
      );
      const withoutTexts = (text = '') =>
        JSON.parse(text, (_key, value: unknown) => (typeof value === 'string' ? '' : value)) as unknown;
      expect(withoutTexts(other)).toEqual(withoutTexts(english));
    }
  });
});
