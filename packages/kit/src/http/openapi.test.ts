import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ERRORS } from '../errors.ts';
import { TEST_ERRORS } from '../../test/test-errors.ts';
import type { PublishedEndpoint } from './endpoint.ts';
import { openapiDocument } from './openapi.ts';
import type { Json } from '../process/json.ts';
import type { Parameter } from './parameter.ts';
import { same, text } from '../process/text.ts';

const parameter = (more: Partial<Parameter> = {}): Parameter => ({
  en: 'The size.',
  ja: '大きさ。',
  schema: z.string(),
  allowed: 'a size',
  ...more,
});

const endpoint = (name: string, more: Partial<PublishedEndpoint>): PublishedEndpoint => ({
  name,
  path: `/${name}/:id`,
  group: 'Things',
  summary: text(name, `${name} を取得する`),
  description: text(`All of ${name}.`, `${name} のすべて。`),
  answer: z.object({ data: z.string() }),
  errors: ['not_found'],
  ...more,
});

const kindOf = (en: string, type: 'integer' | 'string') =>
  parameter({ en, published: { type: 'array', items: { type } }, example: '1,2' });
const firstKind = kindOf('The first kind.', 'integer');
const anotherKind = kindOf('Another kind.', 'string');

const call = (name: string) => ({ name, title: same(name) });

/** Two endpoints that share the parameter `size`; each has a `kind` of its own, and both have one in common. */
const endpoints = [
  endpoint('one', {
    queryTable: { size: parameter(), kind: firstKind },
    examples: [call('firstCall'), call('secondCall')],
  }),
  endpoint('two', {
    group: 'Others',
    queryTable: { size: parameter(), kind: anotherKind },
    examples: [call('thirdCall')],
  }),
  endpoint('three', { queryTable: { kind: firstKind } }),
  endpoint('four', { queryTable: { kind: anotherKind } }),
];

const document = () =>
  openapiDocument(
    {
      name: 'things',
      title: same('Things'),
      version: '1',
      description: text('Things.', 'もの。'),
      tags: [
        { name: text('Things', '物'), description: text('', '') },
        { name: text('Others', 'その他'), description: text('', '') },
      ],
      answers: { calls: { firstCall: { data: '1' } }, errors: { not_found: { error: 'none' } } },
      errors: TEST_ERRORS,
    },
    endpoints,
  ) as {
    paths: Record<string, { get: Record<string, unknown> }>;
    components: { parameters: Record<string, unknown>; responses: Record<string, unknown> };
  };

/** A service without examples. */
const NOTHING = {
  name: 'nothing',
  title: same(''),
  version: '1',
  description: text('', ''),
  tags: [{ name: text('Things', '物'), description: text('', '') }],
  answers: { calls: {}, errors: {} },
  errors: TEST_ERRORS,
};

describe('the OpenAPI document', () => {
  it('has paths in its own notation, each with the group of its endpoint', () => {
    const { paths } = document();
    expect(Object.entries(paths).map(([path, { get }]) => [path, get['operationId'], get['tags']])).toEqual([
      ['/one/{id}', 'one', ['Things']],
      ['/two/{id}', 'two', ['Others']],
      ['/three/{id}', 'three', ['Things']],
      ['/four/{id}', 'four', ['Things']],
    ]);
  });

  it('has the example calls of each endpoint', () => {
    const { paths } = document();
    const namesOf = ({ get }: { get: Record<string, unknown> }) => get['x-calls'];
    const published = (name: string) => ({ name, title: name });
    expect(Object.values(paths).map(namesOf)).toEqual([
      [published('firstCall'), published('secondCall')],
      [published('thirdCall')],
      [],
      [],
    ]);
  });

  it('has shared parameters once, with a number if they only share the name', () => {
    const { paths, components } = document();
    const reference = (name: string) => ({ $ref: `#/components/parameters/${name}` });
    expect(Object.values(paths).map(({ get }) => get['parameters'])).toEqual([
      [reference('size'), reference('kind')],
      [reference('size'), reference('kind2')],
      [reference('kind')],
      [reference('kind2')],
    ]);
    expect(components.parameters).toMatchObject({
      size: {
        name: 'size',
        in: 'query',
        required: false,
        description: 'The size.',
        schema: { type: 'string' },
      },
      kind: { description: 'The first kind.', style: 'form', explode: false, example: [1, 2] },
      kind2: { description: 'Another kind.', style: 'form', explode: false, example: ['1', '2'] },
    });
    expect(components.parameters['size']).not.toHaveProperty('example');
    expect(components.parameters['size']).not.toHaveProperty('style');
  });

  it('has shared responses once, named by their status', () => {
    const { paths, components } = document();
    for (const { get } of Object.values(paths)) {
      expect(get['responses']).toMatchObject({
        200: { content: { 'application/json': { examples: expect.anything() as unknown } } },
        404: { $ref: '#/components/responses/NotFound' },
        503: { $ref: '#/components/responses/ServiceUnavailable' },
      });
    }
    expect(components.responses['ServiceUnavailable']).toHaveProperty('headers.Retry-After');
    expect(components.responses['NotFound']).not.toHaveProperty('headers.Retry-After');
    expect(components.responses['NotFound']).toHaveProperty('headers.Age');
    expect(components.responses['NotFound']).toMatchObject({
      content: { 'application/json': { examples: { not_found: { value: { error: 'none' } } } } },
    });
  });

  it('states which parameters are required, and the values of a closed set, not of a list of them', () => {
    const values = ['a', 'b'];
    const published = { type: 'array', items: { type: 'string', enum: values } };
    const list = parameter({ values, separator: ',', published });
    const queryTable = { one: parameter({ values, required: true }), list };
    const accepted = { names: ['old'], reason: same('It was.') };
    const { paths } = openapiDocument(NOTHING, [endpoint('one', { queryTable, accepted })]);
    const { parameters } = (paths as Record<string, { get: { parameters: Json[] } }>)['/one/{id}']!.get;
    const facts = parameters.map(({ name, required, schema }) => [name, required, schema]);
    expect(facts).toEqual([
      ['one', true, { type: 'string', enum: values }],
      ['list', false, published],
      ['old', false, { type: 'string' }],
    ]);
    expect(parameters.at(-1)).toHaveProperty('description', 'Accepted, without effect. It was.');
  });

  it('names the dialect of its schemas nowhere but at its beginning', () => {
    expect(JSON.stringify(document())).not.toContain('$schema');
  });

  it('cannot be made for an endpoint with an error that no table has', () => {
    const make = () => openapiDocument(NOTHING, [endpoint('one', { errors: ['mistyped'] })]);
    expect(make).toThrow('The error mistyped of one is in no table.');
  });

  it('cannot be made for an endpoint with a group that is no tag', () => {
    const make = () => openapiDocument(NOTHING, [endpoint('one', { group: 'Mistyped' })]);
    expect(make).toThrow('The group Mistyped of one is no tag of the service.');
  });

  it('has an error of each code, with the details of its own form', () => {
    const errors = ['upstream_unavailable', 'upstream_budget_spent', 'not_found', 'not_registered'] as const;
    const details = { upstream_budget_spent: z.array(z.string()) };
    const { paths } = openapiDocument(NOTHING, [endpoint('one', { errors, details })]);
    const schemaOf = (code: object, more: object = {}) => ({
      type: 'object',
      properties: {
        error: {
          allOf: [
            { $ref: '#/components/schemas/ServiceError' },
            { type: 'object', properties: { code, ...more }, required: ['code'] },
          ],
          unevaluatedProperties: false,
        },
      },
      required: ['error'],
      additionalProperties: false,
    });
    const codes = (...all: ((typeof errors)[number] | 'overloaded')[]) => ({
      type: 'string',
      enum: all,
      description: all.map((code) => `\`${code}\`: ${{ ...ERRORS, ...TEST_ERRORS }[code].message}`).join(' '),
      example: all[0],
    });
    const contentOf = (schema: object) => ({ content: { 'application/json': { schema } } });
    expect(paths).toMatchObject({
      '/one/{id}': {
        get: {
          responses: {
            503: contentOf({
              anyOf: [
                schemaOf(codes('upstream_unavailable', 'overloaded')),
                schemaOf(codes('upstream_budget_spent'), {
                  details: { type: 'array', items: { type: 'string' } },
                }),
              ],
            }),
            404: contentOf(schemaOf(codes('not_found', 'not_registered'))),
          },
        },
      },
    });
    expect(JSON.stringify(paths).match(/"details":/g)).toHaveLength(1);
  });

  it('has the headers that it refers to, and no others', () => {
    const document = openapiDocument(NOTHING, [endpoint('one', {})]);
    const { headers } = document['components'] as { headers: object };
    const named = JSON.stringify(document).matchAll(/"#\/components\/headers\/([\w-]+)"/g);
    expect(new Set(Object.keys(headers))).toEqual(new Set(Array.from(named, ([, name]) => name)));
    expect(headers).not.toHaveProperty('Link');
  });

  it('has the other forms of an endpoint, with the headers of lists', () => {
    const csv = {
      mediaType: 'text/csv',
      description: text('A row each.', '1 件 1 行。'),
      name: 'csv',
    } as const;
    const { paths } = openapiDocument(NOTHING, [
      endpoint('one', {}),
      endpoint('two', { otherForms: [csv] }),
    ]) as unknown as {
      paths: Record<string, { get: { responses: Record<string, Record<string, object>> } }>;
    };
    const [plain, listed] = Object.values(paths).map(({ get }) => get.responses['200']);
    expect(Object.keys(plain?.['content'] ?? {})).toEqual(['application/json']);
    expect(Object.keys(listed?.['content'] ?? {})).toEqual(['application/json', 'text/csv']);
    expect(listed).toMatchObject({
      content: { 'text/csv': { schema: { type: 'string', description: 'A row each.' } } },
    });
    const added = Object.keys(listed?.['headers'] ?? {}).filter(
      (name) => !(name in (plain?.['headers'] ?? {})),
    );
    expect(added).toEqual(expect.arrayContaining(['X-Total-Count', 'Link']));
  });

  it('has parts of a single endpoint in place', () => {
    const document = openapiDocument(NOTHING, [endpoint('one', { queryTable: { size: parameter() } })]);
    expect(document['paths']).toMatchObject({ '/one/{id}': { get: { parameters: [{ name: 'size' }] } } });
    expect(document['components']).toMatchObject({ parameters: {}, responses: {} });
    expect(document).toMatchObject({ servers: [{ url: '/' }], security: [] });
  });
});
