import type { PublishedEndpoint, PublishedParameter } from './endpoint.ts';
import type { Examples } from './example-calls.ts';
import { HEADERS, nameOfStatus, toResponses } from './openapi-responses.ts';
import type { Json } from './openapi-schemas.ts';

/** What an OpenAPI document says of a service as a whole. */
export interface ServiceDescription {
  title: string;
  version: string;
  description: string;
  tags: readonly { name: string; description: string }[];
  examples: Examples;
}

function toParameter({ name, in: place, required, description, schema, example }: PublishedParameter): Json {
  const isList = schema['type'] === 'array';
  const { items } = schema as { items?: { type?: string } };
  const list = String(example)
    .split(',')
    .map((item) => (items?.type === 'integer' ? Number(item) : item));
  return {
    name,
    in: place,
    required,
    description,
    ...(isList ? { style: 'form', explode: false } : {}),
    schema,
    ...(example === undefined ? {} : { example: isList ? list : example }),
  };
}

/** What stands in several operations is moved to the components, and referred to. */
class Shared {
  readonly components: Json = {};
  readonly #kind: string;
  readonly #times = new Map<string, number>();
  readonly #names = new Map<string, string>();

  constructor(kind: string, all: readonly unknown[]) {
    this.#kind = kind;
    for (const each of all) {
      const text = JSON.stringify(each);
      this.#times.set(text, (this.#times.get(text) ?? 0) + 1);
    }
  }

  /** The thing itself when it stands once. */
  refer(thing: Json, name: string): Json {
    const text = JSON.stringify(thing);
    if (this.#times.get(text) === 1) return thing;
    const known = this.#names.get(text) ?? this.#freeName(name);
    this.#names.set(text, known);
    this.components[known] = thing;
    return { $ref: `#/components/${this.#kind}/${known}` };
  }

  #freeName(name: string): string {
    let free = name;
    for (let i = 2; free in this.components; i += 1) free = `${name}${i}`;
    return free;
  }
}

interface Operation extends Json {
  parameters: Json[];
  responses: Record<string, Json>;
}

function toOperation(endpoint: PublishedEndpoint, examples: Examples, schemas: Json): Operation {
  const { name, group, summary, description } = endpoint;
  const calls = examples.calls.filter((call) => call.endpoint === name);
  return {
    ...{ operationId: name, tags: [group], summary, description },
    parameters: endpoint.parameters.map(toParameter),
    responses: toResponses(endpoint, examples, schemas) as Record<string, Json>,
    // The requests behind the examples of the answers, by name.
    'x-calls': calls.map((call) => ({ ...call, endpoint: undefined })),
  };
}

function shareParts(operations: readonly Operation[]): Json {
  const parameters = new Shared(
    'parameters',
    operations.flatMap((operation) => operation.parameters),
  );
  const responses = new Shared(
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

/** The OpenAPI 3.1 document of a service, made of the endpoints themselves. */
export function openapiDocument(service: ServiceDescription, endpoints: readonly PublishedEndpoint[]): Json {
  const { tags, examples, ...info } = service;
  const schemas: Json = {};
  const operations = endpoints.map((endpoint) => toOperation(endpoint, examples, schemas));
  const shared = shareParts(operations);
  const paths = endpoints.map(({ path }, i) => [path.replace(/:(\w+)/g, '{$1}'), { get: operations[i] }]);
  return {
    openapi: '3.1.0',
    info: {
      ...info,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'Whoever runs this service' },
    },
    servers: [{ url: '/', description: 'This service.' }],
    security: [],
    tags,
    paths: Object.fromEntries(paths) as Json,
    components: { schemas, headers: HEADERS, ...shared },
  };
}
