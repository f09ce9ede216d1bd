// What this page reads of /openapi.json.

type Json = Record<string, unknown>;

export interface ReferenceParameter {
  name: string;
  place: 'path' | 'query';
  required: boolean;
  description: string;
  /** `integer`, `string`, `a list of integer` ... */
  type: string;
  /** Of a closed set. */
  values: readonly string[];
  byDefault: string | undefined;
  example: string;
}

/** A member of an answer; those of members have dots in their name. */
export interface ReferenceField {
  name: string;
  type: string;
  description: string;
}

export interface ReferenceError {
  code: string;
  status: string;
  meaning: string;
  example: unknown;
}

export interface Request {
  path: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** Of the answer. */
  mediaType: string;
}

/** A request that is shown, and what it was answered with. */
export interface ReferenceCall extends Request {
  name: string;
  title: string;
  titleJa: string;
  answer: unknown;
}

export interface ReferenceEndpoint {
  name: string;
  /** `/v1/novels/{ncode}` */
  path: string;
  group: string;
  summary: string;
  description: string;
  parameters: readonly ReferenceParameter[];
  calls: readonly ReferenceCall[];
  fields: readonly ReferenceField[];
  errors: readonly ReferenceError[];
}

export interface Reference {
  groups: readonly { name: string; description: string }[];
  endpoints: readonly ReferenceEndpoint[];
  /** Of all endpoints, each once, by status. */
  errors: readonly ReferenceError[];
  /** What stands around the data; empty where nothing does. */
  meta: readonly ReferenceField[];
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const toObject = (value: unknown): Json => (isObject(value) ? value : {});
const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const toText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** Follows `#/components/...`. */
type FollowReference = (value: unknown) => Json;

const follower =
  (document: Json): FollowReference =>
  (value) => {
    const { $ref, ...own } = toObject(value);
    if (typeof $ref !== 'string') return own;
    const target = $ref
      .split('/')
      .slice(1)
      .reduce<unknown>((at, key) => toObject(at)[key], document);
    return toObject(target);
  };

/** `allOf` as one object, and of alternatives the one that is not null. */
function flattened(value: unknown, follow: FollowReference): Json {
  const schema = follow(value);
  if (Array.isArray(schema['allOf'])) {
    const parts = schema['allOf'].map((part) => flattened(part, follow));
    return {
      ...Object.assign({}, ...parts),
      properties: Object.assign({}, ...parts.map((part) => part['properties'])) as Json,
    } as Json;
  }
  const some = toList(schema['anyOf']).map((each) => flattened(each, follow));
  const telling = some.find((each) => each['type'] !== 'null');
  if (!telling) return schema;
  const type = some.map((each) => each['type']).flat();
  return { ...telling, ...schema, type, properties: telling['properties'] };
}

function typeOf(schema: Json, follow: FollowReference): string {
  const { type, enum: values } = schema;
  if (Array.isArray(values)) return values.map((each) => JSON.stringify(each)).join(' | ');
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (type === 'array') return `[${typeOf(flattened(schema['items'], follow), follow)}]`;
  return Array.isArray(type) ? [...new Set(type)].join(' | ') : toText(type);
}

function fieldsOf(value: unknown, follow: FollowReference, prefix = ''): ReferenceField[] {
  const schema = flattened(value, follow);
  return Object.entries(toObject(schema['properties'])).flatMap(([name, member]) => {
    const own = flattened(member, follow);
    const within = toText(own['type']) === 'array' ? own['items'] : member;
    const suffix = within === member ? '' : '[]';
    const description = toText(own['description']) || toText(toObject(member)['description']);
    return [
      { name: prefix + name, type: typeOf(own, follow), description },
      ...fieldsOf(within, follow, `${prefix}${name}${suffix}.`),
    ];
  });
}

function readParameter(value: unknown, follow: FollowReference): ReferenceParameter {
  const { name, in: place, required, description, schema: given, example } = follow(value);
  const schema = toObject(given);
  const items = toObject(schema['items']);
  return {
    name: toText(name),
    place: place === 'path' ? 'path' : 'query',
    required: required === true,
    description: toText(description),
    type: schema['type'] === 'array' ? `${toText(items['type']) || 'string'},…` : toText(schema['type']),
    values: toList(schema['enum'] ?? items['enum']).map(toText),
    byDefault: 'default' in schema ? toText(schema['default']) : undefined,
    example: Array.isArray(example) ? example.map(toText).join(',') : toText(example),
  };
}

const MEANING = /`(\w+)`: ([^`]*)/g;

function readErrors(responses: Json, follow: FollowReference): ReferenceError[] {
  return Object.entries(responses).flatMap(([status, value]) => {
    if (Number(status) < 400) return [];
    const { description, content } = follow(value);
    const examples = Object.values(toObject(content)).map((each) => toObject(toObject(each)['examples']));
    return [...toText(description).matchAll(MEANING)].map(([, code = '', meaning = '']) => ({
      code,
      status,
      meaning: meaning.trim(),
      example: toObject(examples[0]?.[code])['value'],
    }));
  });
}

function readEndpoint(path: string, operation: Json, follow: FollowReference): ReferenceEndpoint {
  const responses = toObject(operation['responses']);
  const contents = Object.entries(toObject(follow(responses['200'])['content']));
  const [first = '', content] = contents[0] ?? [];
  const examples = Object.assign({}, ...contents.map(([, each]) => toObject(each)['examples'])) as Json;
  const calls = toList(operation['x-calls']).map(toObject);
  return {
    name: toText(operation['operationId']),
    path,
    group: toText(toList(operation['tags'])[0]),
    summary: toText(operation['summary']),
    description: toText(operation['description']),
    parameters: toList(operation['parameters']).map((each) => readParameter(each, follow)),
    calls: calls.map((call) => ({
      name: toText(call['name']),
      title: toText(call['title']),
      titleJa: toText(call['titleJa']),
      path: toObject(call['path']) as Record<string, string>,
      query: toObject(call['query']) as Record<string, string>,
      mediaType: toText(call['mediaType']) || first,
      answer: toObject(examples[toText(call['name'])])['value'],
    })),
    fields: fieldsOf(toObject(content)['schema'], follow),
    errors: readErrors(responses, follow),
  };
}

/** The parts of the document that are shown. What is missing in it is empty. */
export function readReference(document: unknown): Reference {
  const whole = toObject(document);
  const follow = follower(whole);
  const endpoints = Object.entries(toObject(whole['paths'])).map(([path, item]) =>
    readEndpoint(path, toObject(toObject(item)['get']), follow),
  );
  const errors = new Map(endpoints.flatMap((each) => each.errors).map((error) => [error.code, error]));
  const schemas = toObject(toObject(whole['components'])['schemas']);
  return {
    groups: toList(whole['tags']).map((tag) => ({
      name: toText(toObject(tag)['name']),
      description: toText(toObject(tag)['description']),
    })),
    endpoints,
    errors: [...errors.values()].sort((a, b) => Number(a.status) - Number(b.status)),
    meta: fieldsOf(schemas['Meta'], follow),
  };
}
