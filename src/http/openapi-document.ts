import type { OpenAPIV3_1 } from 'openapi-types';

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Headers of answers, as the writer sends them. */
const HEADERS: Readonly<Record<string, { description: string; example: string }>> = {
  'X-Request-Id': { description: 'Id of the request, also in the log of the service.', example: 'k3f9-2a' },
  RateLimit: { description: 'What is left of the quota (IETF draft).', example: '"default";r=59;t=1' },
  'RateLimit-Policy': {
    description: 'The quota: requests in a window of seconds.',
    example: '"default";q=60;w=60',
  },
};
const HEADERS_OF_ANSWERS: typeof HEADERS = {
  ETag: { description: 'Weak validator over `data` alone, for If-None-Match.', example: 'W/"Xo1q"' },
  'Cache-Control': {
    description: 'How long the answer may be kept, in seconds.',
    example: 'public, max-age=300',
  },
  Age: { description: 'Seconds since the data were fetched.', example: '12' },
  'Cache-Status': {
    description: 'Where the answer came from (RFC 9211).',
    example: 'mokuroku; hit; ttl=288',
  },
};
const RETRY_AFTER: typeof HEADERS = {
  'Retry-After': { description: 'Seconds after which the same request can succeed.', example: '30' },
};
const RETRYABLE = new Set(['429', '502', '503', '504']);

const headerObjects = (headers: typeof HEADERS): Json =>
  Object.fromEntries(
    Object.entries(headers).map(([name, { description, example }]) => [
      name,
      { description, schema: { type: 'string' }, example },
    ]),
  );

/** Schemas with a title become components of that name, so that each stands in the document once. */
function hoist(value: unknown, components: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => hoist(item, components));
  if (!isObject(value)) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hoist(item, components)]));
  const { title } = copy;
  if (typeof title !== 'string' || !('type' in copy)) return copy;
  components[title] ??= copy;
  return { $ref: `#/components/schemas/${title}` };
}

/** `style` and `explode` belong to the parameter, not to its schema, where the generator leaves them. */
function finishParameter(parameter: Json): Json {
  if (!isObject(parameter['schema'])) return parameter;
  const { style, explode, example, ...schema } = parameter['schema'];
  const moved = Object.entries({ style, explode, example }).filter(([, value]) => value !== undefined);
  return { ...parameter, ...Object.fromEntries(moved), schema };
}

function finishResponses(responses: Json): Json {
  const finished = Object.entries(responses).map(([status, response]) => {
    if (!isObject(response)) return [status, response];
    const headers = {
      ...HEADERS,
      ...(status === '200' ? HEADERS_OF_ANSWERS : {}),
      ...(RETRYABLE.has(status) ? RETRY_AFTER : {}),
    };
    return [status, { ...response, headers: headerObjects(headers) }];
  });
  const notModified = {
    description: 'What If-None-Match names is still current; no body.',
    headers: headerObjects({ ...HEADERS, ...HEADERS_OF_ANSWERS }),
  };
  return { ...(Object.fromEntries(finished) as Json), 304: notModified };
}

function finishOperation(operation: unknown): unknown {
  if (!isObject(operation)) return operation;
  const { parameters, responses } = operation;
  return {
    ...operation,
    ...(Array.isArray(parameters) ? { parameters: (parameters as Json[]).map(finishParameter) } : {}),
    ...(isObject(responses) ? { responses: finishResponses(responses) } : {}),
  };
}

/** What the generator cannot know: common headers, shared schemas, how lists are written in a query. */
export function finishOpenapiDocument(document: Partial<OpenAPIV3_1.Document>): OpenAPIV3_1.Document {
  const schemas: Json = {};
  const paths = Object.entries(hoist(document.paths ?? {}, schemas) as Json).map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries(item as Json).map(([method, operation]) => [method, finishOperation(operation)]),
    ),
  ]);
  const finished = {
    ...document,
    paths: Object.fromEntries(paths) as Json,
    components: { ...document.components, schemas },
  };
  return finished as unknown as OpenAPIV3_1.Document;
}
