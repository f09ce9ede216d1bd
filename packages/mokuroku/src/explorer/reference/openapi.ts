import { isRecord } from 'mokuroku-client/parts';
import type { Json } from 'mokuroku-client/parts';

// The parts of /openapi.json that the page uses.

/** A member of a response; nested members have dots in their name. */
export interface ReferenceField {
  /** Where it is described: an equal field of several schemas is described at the first of them. */
  id: string;
  name: string;
  type: string;
  description: string;
}

export const fieldId = (table: string, name: string): string => `field-${table}-${name}`;

export interface Request {
  path: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
}

export type ServiceName = 'catalogue' | 'registration';

const toObject = (value: unknown): Json => (isRecord(value) ? value : {});
const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const schemaText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** The member at a path; undefined if one is missing. */
const memberAt = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce((at, name) => toObject(at)[name], value);

/** Resolves `#/components/...`. */
type ResolveReference = (value: unknown) => Json;

const createReferenceResolver =
  (document: Json): ResolveReference =>
  (value) => {
    const { $ref, ...members } = toObject(value);
    return typeof $ref === 'string' ? toObject(memberAt(document, ...$ref.split('/').slice(1))) : members;
  };

/** `[Novel]`, `string | null`. A shared schema has the name of its table. */
function schemaType(value: unknown): string {
  const { $ref, type, enum: values, ...schema } = toObject(value);
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1);
  if (Array.isArray(values)) return values.map((each) => JSON.stringify(each)).join(' | ');
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(schema['allOf'])) return schemaType(schema['allOf'][0]);
  const variants = toList(schema['anyOf']).map(schemaType);
  if (variants.length > 0) return [...new Set(variants)].join(' | ');
  if (type === 'array') return `[${schemaType(schema['items'])}]`;
  return Array.isArray(type) ? type.join(' | ') : schemaText(type);
}

/** The members of a schema. Those of a shared schema stand in its own table. */
function schemaFields(
  table: string,
  value: unknown,
  resolve: ResolveReference,
  prefix = '',
): ReferenceField[] {
  const schema = toObject(value);
  const members = Object.entries(toObject(schema['properties'])).flatMap(([name, member]) => {
    const full = prefix + name;
    const variants = [member, ...toList(toObject(member)['anyOf'])];
    const texts = variants.flatMap((each) => [toObject(each), resolve(each)]);
    const description =
      texts.map((each) => schemaText(each['description'])).find((text) => text !== '') ?? '';
    return [
      { id: fieldId(table, full), name: full, type: schemaType(member), description },
      ...schemaFields(table, member, resolve, `${full}.`),
    ];
  });
  const parts = [...toList(schema['allOf']), ...toList(schema['anyOf'])];
  return [
    ...members,
    ...parts.flatMap((part) => schemaFields(table, part, resolve, prefix)),
    ...('items' in schema ? schemaFields(table, schema['items'], resolve, prefix.replace(/\.$/, '[].')) : []),
  ];
}

/** A list of fields with one meaning each: a shared schema, or the headers. */
interface FieldTable {
  /** Its anchor; of a schema its name. */
  id: string;
  description: string;
  fields: ReferenceField[];
}

/** The id of the last table. */
export const HEADERS = 'headers';

/**
 * The schemas in the order in which the endpoints return them, then those that only other schemas contain; the headers.
 */
function readTables(document: Json, resolve: ResolveReference): FieldTable[] {
  const paths = JSON.stringify(document['paths']);
  const placeOf = (name: string) => (paths.includes(`/${name}"`) ? paths.indexOf(`/${name}"`) : Infinity);
  const { schemas, headers } = toObject(document['components']);
  const sorted = Object.entries(toObject(schemas)).toSorted(([a], [b]) => placeOf(a) - placeOf(b) || 0);
  return [...sorted, [HEADERS, { properties: headers }] as const].map(([id, schema]) => ({
    id,
    description: schemaText(toObject(schema)['description']),
    fields: schemaFields(id, schema, resolve),
  }));
}

/** Fields with equal texts have the id of the first. */
function createFieldSharing() {
  const ids = new Map<string, string>();
  return <Part extends { fields: ReferenceField[] }>(part: Part): Part => ({
    ...part,
    fields: part.fields.map((field) => {
      const { id, name, type, description } = field;
      const key = JSON.stringify([name, type, description]);
      if (description !== '' && !ids.has(key)) ids.set(key, id);
      return { ...field, id: ids.get(key) ?? id };
    }),
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

function readEndpoint(path: string, operation: Json, resolve: ResolveReference, service: ServiceName) {
  const responses = toObject(operation['responses']);
  const contents = Object.entries(toObject(resolve(responses['200'])['content']));
  const [, content] = contents[0] ?? [];
  const examples = Object.assign({}, ...contents.map(([, each]) => toObject(each)['examples'])) as Json;
  const calls = toList(operation['x-calls']).map(toObject);
  const name = schemaText(operation['operationId']);
  const { schema } = toObject(content);
  const returned = JSON.stringify(schema ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g);
  return {
    name,
    /** `/v1/novels/{ncode}` */
    path,
    group: schemaText(toList(operation['tags'])[0]),
    summary: schemaText(operation['summary']),
    description: schemaText(operation['description']),
    /** The first is that of responses without `format`. */
    mediaTypes: contents.map(([mediaType]) => mediaType),
    service,
    /** Its methods in the typed client, and its command; empty if it has none. */
    client: toObject(operation['x-client']) as Record<string, string | undefined>,
    command: toList(operation['x-command']).map(schemaText),
    parameters: toList(operation['parameters']).map((each) => referenceParameter(each, resolve)),
    calls: calls.map((call) => ({
      name: schemaText(call['name']),
      title: schemaText(call['title']),
      path: toObject(call['path']) as Record<string, string>,
      query: toObject(call['query']) as Record<string, string>,
      answer: toObject(examples[schemaText(call['name'])])['value'],
    })),
    /** The tables of its response. */
    tables: [...new Set([...returned].map(([, table = '']) => table))],
    /** The fields of its response that no table has. */
    fields: schemaFields(name, schema, resolve),
    errors: readErrors(responses, resolve),
  };
}

export type Reference = ReturnType<typeof readReference>;

/** The parts of the document that are shown. Missing parts are empty. */
export function readReference(document: unknown) {
  const whole = toObject(document);
  const service: ServiceName = whole['x-service'] === 'registration' ? 'registration' : 'catalogue';
  const resolve = createReferenceResolver(whole);
  const shareFields = createFieldSharing();
  /** Each field is described once in all tables and endpoints. */
  const tables = readTables(whole, resolve).map(shareFields);
  const names = toList(whole['tags']).map((tag) => schemaText(toObject(tag)['name']));
  const endpoints = Object.entries(toObject(whole['paths']))
    .map(([path, item]) => shareFields(readEndpoint(path, toObject(toObject(item)['get']), resolve, service)))
    .sort((a, b) => names.indexOf(a.group) - names.indexOf(b.group));
  const errors = new Map(endpoints.flatMap((each) => each.errors).map((error) => [error.code, error]));
  return {
    service,
    title: schemaText(toObject(whole['info'])['title']),
    tables,
    endpoints,
    groups: toList(whole['tags']).map((tag, index) => ({
      name: names[index] ?? '',
      description: schemaText(toObject(tag)['description']),
      endpoints: endpoints.filter(({ group }) => group === names[index]),
    })),
    /** The errors of all endpoints, each once, by status. */
    errors: [...errors.values()].sort((a, b) => Number(a.status) - Number(b.status)),
  };
}
