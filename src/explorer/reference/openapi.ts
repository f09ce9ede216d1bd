import { isRecord } from '../../client/fetch-json.ts';
import type { Json } from '../../client/fetch-json.ts';

// The parts of /openapi.json that the page uses.

/** A member of a response; nested members have dots in their name. */
export interface ReferenceField {
  name: string;
  type: string;
  description: string;
}

export interface Request {
  path: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
}

export type ServiceName = 'catalogue' | 'registration';

const toObject = (value: unknown): Json => (isRecord(value) ? value : {});
const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const schemaText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** Resolves `#/components/...`. */
type ResolveReference = (value: unknown) => Json;

const createReferenceResolver =
  (document: Json): ResolveReference =>
  (value) => {
    const { $ref, ...members } = toObject(value);
    if (typeof $ref !== 'string') return members;
    const target = $ref
      .split('/')
      .slice(1)
      .reduce<unknown>((at, key) => toObject(at)[key], document);
    return toObject(target);
  };

/** Merges `allOf` into one object, and selects the alternative that is not null. */
function mergeSchema(value: unknown, resolve: ResolveReference): Json {
  const schema = resolve(value);
  if (Array.isArray(schema['allOf'])) {
    const parts = schema['allOf'].map((part) => mergeSchema(part, resolve));
    return {
      ...Object.assign({}, ...parts),
      properties: Object.assign({}, ...parts.map((part) => part['properties'])) as Json,
    } as Json;
  }
  const some = toList(schema['anyOf']).map((each) => mergeSchema(each, resolve));
  const variant = some.find((each) => each['type'] !== 'null');
  if (!variant) return schema;
  const type = some.map((each) => each['type']).flat();
  return { ...variant, ...schema, type, properties: variant['properties'] };
}

function schemaType(schema: Json, resolve: ResolveReference): string {
  const { type, enum: values } = schema;
  if (Array.isArray(values)) return values.map((each) => JSON.stringify(each)).join(' | ');
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (type === 'array') return `[${schemaType(mergeSchema(schema['items'], resolve), resolve)}]`;
  return Array.isArray(type) ? [...new Set(type)].join(' | ') : schemaText(type);
}

function schemaFields(value: unknown, resolve: ResolveReference, prefix = ''): ReferenceField[] {
  const schema = mergeSchema(value, resolve);
  return Object.entries(toObject(schema['properties'])).flatMap(([name, member]) => {
    const flat = mergeSchema(member, resolve);
    const inner = schemaText(flat['type']) === 'array' ? flat['items'] : member;
    const suffix = inner === member ? '' : '[]';
    const description = schemaText(flat['description']) || schemaText(toObject(member)['description']);
    return [
      { name: prefix + name, type: schemaType(flat, resolve), description },
      ...schemaFields(inner, resolve, `${prefix}${name}${suffix}.`),
    ];
  });
}

export type ReferenceParameter = ReturnType<typeof referenceParameter>;

function referenceParameter(value: unknown, resolve: ResolveReference) {
  const { name, in: location, required, description, schema: given, example } = resolve(value);
  const schema = toObject(given);
  const items = toObject(schema['items']);
  return {
    name: schemaText(name),
    location: location === 'path' ? ('path' as const) : ('query' as const),
    required: required === true,
    description: schemaText(description),
    /** `integer`, or `integer,…` for a list. */
    type:
      schema['type'] === 'array' ? `${schemaText(items['type']) || 'string'},…` : schemaText(schema['type']),
    /** The values of a closed set. */
    values: toList(schema['enum'] ?? items['enum']).map(schemaText),
    byDefault: 'default' in schema ? schemaText(schema['default']) : undefined,
    example: Array.isArray(example) ? example.map(schemaText).join(',') : schemaText(example),
  };
}

const MEANING = /`(\w+)`: ([^`]*)/g;

export type ReferenceError = ReturnType<typeof readErrors>[number];

function readErrors(responses: Json, resolve: ResolveReference) {
  return Object.entries(responses).flatMap(([status, value]) => {
    if (Number(status) < 400) return [];
    const { description, content } = resolve(value);
    const examples = Object.values(toObject(content)).map((each) => toObject(toObject(each)['examples']));
    return [...schemaText(description).matchAll(MEANING)].map(([, code = '', meaning = '']) => ({
      code,
      status,
      meaning: meaning.trim(),
      example: toObject(examples[0]?.[code])['value'],
    }));
  });
}

export type ReferenceEndpoint = ReturnType<typeof readEndpoint>;
/** A printed request with its response. */
export type ReferenceCall = ReferenceEndpoint['calls'][number];

function readEndpoint(path: string, operation: Json, resolve: ResolveReference) {
  const responses = toObject(operation['responses']);
  const contents = Object.entries(toObject(resolve(responses['200'])['content']));
  const [mediaType = '', content] = contents[0] ?? [];
  const examples = Object.assign({}, ...contents.map(([, each]) => toObject(each)['examples'])) as Json;
  const calls = toList(operation['x-calls']).map(toObject);
  return {
    name: schemaText(operation['operationId']),
    /** `/v1/novels/{ncode}` */
    path,
    group: schemaText(toList(operation['tags'])[0]),
    summary: schemaText(operation['summary']),
    description: schemaText(operation['description']),
    /** That of responses without `format`. */
    mediaType,
    parameters: toList(operation['parameters']).map((each) => referenceParameter(each, resolve)),
    calls: calls.map((call) => ({
      name: schemaText(call['name']),
      title: schemaText(call['title']),
      path: toObject(call['path']) as Record<string, string>,
      query: toObject(call['query']) as Record<string, string>,
      answer: toObject(examples[schemaText(call['name'])])['value'],
    })),
    fields: schemaFields(toObject(content)['schema'], resolve),
    errors: readErrors(responses, resolve),
  };
}

export type Reference = ReturnType<typeof readReference>;

/** The parts of the document that are shown. Missing parts are empty. */
export function readReference(document: unknown) {
  const whole = toObject(document);
  const resolve = createReferenceResolver(whole);
  const groups = toList(whole['tags']).map((tag) => ({
    name: schemaText(toObject(tag)['name']),
    description: schemaText(toObject(tag)['description']),
  }));
  const groupIndexOf = ({ group }: ReferenceEndpoint) => groups.findIndex(({ name }) => name === group);
  const endpoints = Object.entries(toObject(whole['paths']))
    .map(([path, item]) => readEndpoint(path, toObject(toObject(item)['get']), resolve))
    .sort((a, b) => groupIndexOf(a) - groupIndexOf(b));
  const isRegistration = endpoints.some(({ name }) => name === 'lookUpDomain');
  const service: ServiceName = isRegistration ? 'registration' : 'catalogue';
  const errors = new Map(endpoints.flatMap((each) => each.errors).map((error) => [error.code, error]));
  const components = toObject(whole['components']);
  return {
    service,
    groups,
    endpoints,
    /** The errors of all endpoints, each once, by status. */
    errors: [...errors.values()].sort((a, b) => Number(a.status) - Number(b.status)),
    /** The members around the data; empty if there are none. */
    meta: schemaFields(toObject(components['schemas'])['Meta'], resolve),
    /** The headers of all responses. */
    headers: Object.entries(toObject(components['headers'])).map(([name, header]) => ({
      name,
      type: '',
      description: schemaText(toObject(header)['description']),
    })),
  };
}
