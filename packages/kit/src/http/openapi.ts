import { STATUS_CODES } from 'node:http';
import type { PublishedEndpoint } from './endpoint.ts';
import { HEADERS, toResponses } from './openapi-responses.ts';
import type { ExampleAnswers } from './openapi-responses.ts';
import type { ErrorTable } from '../errors.ts';
import { isRecord } from '../process/json.ts';
import type { Json } from '../process/json.ts';
import { text } from '../process/text.ts';
import type { Text } from '../process/text.ts';
import type { Parameter, ParameterTable } from './parameter.ts';

/** The operator of this service, as far as the settings state it. */
export interface Operator {
  name?: string | undefined;
  /** `mailto:` or `https:` address. */
  contact?: string | undefined;
  termsUrl?: string | undefined;
  privacyUrl?: string | undefined;
}

/** The general part of a service's OpenAPI document. */
export interface ServiceDescription {
  /** Short: `catalogue`. In Cache-Status, the log and OpenAPI. */
  name: string;
  title: Text;
  version: string;
  description: Text;
  /** The groups of endpoints, by their English names. */
  tags: readonly { name: Text; description: Text }[];
  /** The recorded responses to the example calls. */
  answers: ExampleAnswers;
  /** The service's own errors, beside the general ones. */
  errors: ErrorTable;
  operator?: Operator | undefined;
}

/** The published schema describes the parsed value (a number, a list ...), not the text. Lists have commas. */
function toParameter(name: string, location: 'path' | 'query', parameter: Parameter): Json {
  const { en, ja, example, byDefault, published = { type: 'string' }, values, separator } = parameter;
  const isList = published['type'] === 'array';
  const { items } = published as { items?: { type?: string } };
  const list = String(example)
    .split(',')
    .map((item) => (items?.type === 'integer' ? Number(item) : item));
  return {
    name,
    in: location,
    required: location === 'path' || parameter.required === true,
    description: { en, ja },
    ...(isList && { style: 'form', explode: false }),
    schema: {
      ...published,
      ...(values && separator === undefined && { enum: values }),
      ...(byDefault !== undefined && { default: byDefault }),
    },
    ...(example !== undefined && { example: isList ? list : example }),
  };
}

/** The parameters of an endpoint, those without effect last. */
function toParameters({
  pathTable = {},
  queryTable = {},
  accepted: { names, reason } = { names: [], reason: text('', '') },
}: PublishedEndpoint): Json[] {
  const named = (location: 'path' | 'query', table: ParameterTable) =>
    Object.entries(table).map(([name, parameter]) => toParameter(name, location, parameter));
  const withoutEffect = names.map((name) => ({
    name,
    in: 'query',
    required: false,
    description: text(`Accepted, without effect. ${reason.en}`, `受け付けますが効きません。${reason.ja}`),
    schema: { type: 'string' },
  }));
  return [...named('path', pathTable), ...named('query', queryTable), ...withoutEffect];
}

/** Moves values that several operations share to the components, and replaces them by references. */
function createComponents(kind: string, all: readonly unknown[]) {
  const components: Json = {};
  const times = new Map<string, number>();
  for (const each of all) times.set(JSON.stringify(each), (times.get(JSON.stringify(each)) ?? 0) + 1);
  const names = new Map<string, string>();

  function refer(thing: Json, preferredName: string): Json {
    const text = JSON.stringify(thing);
    if (times.get(text) === 1) return thing;
    let name = names.get(text) ?? preferredName;
    for (let i = 2; !names.has(text) && name in components; i++) name = `${preferredName}${i}`;
    names.set(text, name);
    components[name] = thing;
    return { $ref: `#/components/${kind}/${name}` };
  }

  return { components, refer };
}

interface Operation extends Json {
  parameters: Json[];
  responses: Record<string, Json>;
}

/** `/things/{id}` of Fastify's `/things/:id`. */
export const pathTemplate = ({ path }: PublishedEndpoint): string => path.replace(/:(\w+)/g, '{$1}');

function toOperation(
  endpoint: PublishedEndpoint,
  { answers, errors, tags }: Pick<ServiceDescription, 'answers' | 'errors' | 'tags'>,
  schemas: Json,
): Operation {
  const { name, group, summary, description, examples = [], client, command, tool } = endpoint;
  const tag = tags.find((each) => each.name.en === group);
  if (!tag) throw new Error(`The group ${group} of ${name} is no tag of the service.`);
  return {
    operationId: name,
    tags: [tag.name],
    summary,
    description,
    parameters: toParameters(endpoint),
    responses: toResponses(endpoint, { answers, errors }, schemas) as Record<string, Json>,
    ...(endpoint.isAvailable === false && { 'x-available': false }),
    // The requests of the example responses, by name.
    'x-calls': examples,
    ...(client && { 'x-client': client }),
    ...(command && { 'x-command': command }),
    ...(tool !== undefined && { 'x-tool': tool }),
  };
}

/** Name of a shared response: `NotFound` for 404. */
const nameOfStatus = (status: string): string =>
  (STATUS_CODES[status] ?? `Status${status}`).replace(/[^A-Za-z]/g, '');

function shareParts(operations: readonly Operation[]): Json {
  const parameters = createComponents(
    'parameters',
    operations.flatMap((operation) => operation.parameters),
  );
  const responses = createComponents(
    'responses',
    operations.flatMap((operation) => Object.values(operation.responses)),
  );
  for (const operation of operations) {
    operation.parameters = operation.parameters.map((each) => parameters.refer(each, String(each['name'])));
    for (const [status, response] of Object.entries(operation.responses)) {
      operation.responses[status] = responses.refer(response, nameOfStatus(status));
    }
  }
  return { parameters: parameters.components, responses: responses.components };
}

/** The shared headers that the document refers to. */
function usedHeaders(parts: unknown): Json {
  const text = JSON.stringify(parts);
  const used = Object.entries(HEADERS).filter(([name]) => text.includes(`"#/components/headers/${name}"`));
  return Object.fromEntries(used);
}

/** The document with the texts of one language. */
function inLanguage(value: unknown, language: keyof Text): unknown {
  if (Array.isArray(value)) return value.map((item) => inLanguage(item, language));
  if (!isRecord(value)) return value;
  if ('en' in value && 'ja' in value) return value[language];
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, inLanguage(member, language)]),
  );
}

/** `contact` and `termsOfService` of `info`. */
function operatorInfo({ name, contact, termsUrl }: Operator): Readonly<Record<string, unknown>> {
  const email = contact?.startsWith('mailto:') ? contact.slice('mailto:'.length) : undefined;
  return {
    ...(termsUrl !== undefined && { termsOfService: termsUrl }),
    contact: {
      name: name ?? 'The operator of this service',
      ...(email !== undefined && { email }),
      ...(email === undefined && contact !== undefined && { url: contact }),
    },
  };
}

/** The OpenAPI 3.1 document of a service in a language, generated from its endpoints. */
export function openapiDocument(
  service: ServiceDescription,
  endpoints: readonly PublishedEndpoint[],
  language: keyof Text = 'en',
): Json {
  const { name, tags, answers, errors, operator = {}, ...info } = service;
  const schemas: Json = {};
  const operations = endpoints.map((endpoint) => toOperation(endpoint, { answers, errors, tags }, schemas));
  const shared = shareParts(operations);
  const paths = endpoints.map((endpoint, i) => [pathTemplate(endpoint), { get: operations[i] }]);
  const document = {
    openapi: '3.1.0',
    'x-service': name,
    info: {
      ...info,
      ...operatorInfo(operator),
      license: { name: 'MIT (the code; terms of the data are in the description)', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: text('This service.', 'このサービス。') }],
    security: [],
    tags,
    paths: Object.fromEntries(paths) as Json,
    components: { schemas, headers: usedHeaders([operations, shared]), ...shared },
  };
  return inLanguage(document, language) as Json;
}
