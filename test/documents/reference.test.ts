import { beforeAll, describe, expect, it } from 'vitest';
import { readReference } from '../../packages/mokuroku/src/explorer/reference/openapi.ts';
import type { Reference } from '../../packages/mokuroku/src/explorer/reference/openapi.ts';
import { findPlaces, placesOf } from '../../packages/mokuroku/src/explorer/reference/places.ts';
import { words as en } from '../../packages/mokuroku/src/explorer/reference/words-en.ts';
import { words as ja } from '../../packages/mokuroku/src/explorer/reference/words-ja.ts';
import { RECORD_FIELDS } from '../../packages/whois/src/record/registration-record.ts';
import { startSampleServices } from '../sample-services.ts';
import { readReferences } from './printed-samples.ts';

let references: ReadonlyMap<string, Reference>;

beforeAll(async () => {
  const services = await startSampleServices();
  references = await readReferences([services.catalogue.address, services.registration.address]);
  return services.close;
});

describe('the reference', () => {
  const [catalogue, registration] = [() => [...references.values()][0], () => [...references.values()][1]];
  const endpointOf = (reference: Reference | undefined, name: string) =>
    reference?.endpoints.find((each) => each.name === name);
  const parameterOf = (name: string, parameter: string, reference = catalogue()) =>
    endpointOf(reference, name)?.parameters.find((each) => each.name === parameter);

  it('has the endpoints in the order of their groups', () => {
    for (const { groups, endpoints } of references.values()) {
      const lost = endpoints.filter(({ group }) => !groups.some(({ name }) => name === group));
      expect(
        lost.map(({ name }) => name),
        'a `group` that the service has no tag for',
      ).toEqual([]);
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
      const unlike = endpoints
        .flatMap((each) => each.errors)
        .filter(({ code, example }) => !JSON.stringify(example ?? null).includes(code));
      expect(
        unlike.map(({ code }) => code),
        'npm run examples',
      ).toEqual([]);
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
