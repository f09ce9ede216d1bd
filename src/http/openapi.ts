import { z } from 'zod';
import { ERROR_TABLE } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import type { PublishedEndpoint, PublishedParameter } from './endpoint.ts';

type Json = Record<string, unknown>;

/** What an OpenAPI document says of a service as a whole. */
export interface ServiceDescription {
  title: string;
  version: string;
  description: string;
  tags: readonly { name: string; description: string }[];
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const header = (description: string, example: string): Json => ({
  description,
  schema: { type: 'string' },
  example,
});

const HEADERS: Json = {
  'X-Request-Id': header('Id of the request, also in the log of the service.', 'k3f9-2a'),
  RateLimit: header('What is left of the quota (IETF draft).', '"default";r=59;t=1'),
  'RateLimit-Policy': header('The quota: requests in a window of seconds.', '"default";q=60;w=60'),
};
const HEADERS_OF_ANSWERS: Json = {
  ...HEADERS,
  ETag: header('Weak validator over the data alone, for If-None-Match.', 'W/"Xo1q"'),
  'Cache-Control': header('How long the answer may be kept, in seconds.', 'public, max-age=300'),
  Age: header('Seconds since the data were fetched.', '12'),
  'Cache-Status': header('Where the answer came from (RFC 9211).', 'mokuroku; hit; ttl=288'),
};
const HEADERS_OF_RETRYABLE: Json = {
  ...HEADERS,
  'Retry-After': header('Seconds after which the same request can succeed.', '30'),
};

/** Every endpoint can meet these. */
const COMMON_ERRORS: readonly ErrorCode[] = ['uri_too_long', 'rate_limited', 'internal', 'overloaded'];

/** One code of an error, so that each code's details have their own form. */
function errorSchema(code: ErrorCode, details: z.ZodType | undefined) {
  const { title } = ERROR_TABLE[code];
  return z.object({
    error: z.object({
      code: z.literal(code).meta({ description: title, example: code }),
      message: z.string().meta({ description: 'For people.', example: title }),
      details: (details ?? z.unknown()).optional(),
    }),
  });
}

/** The codes that an endpoint's error answers can have, by status. */
function errorsByStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set([...codes, ...COMMON_ERRORS])) {
    const { status } = ERROR_TABLE[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}

/** What a body must be, by status: for the published document and for tests. */
export function answerSchemas({ answer, errors, details = {} }: PublishedEndpoint): Map<number, z.ZodType> {
  const schemas = new Map<number, z.ZodType>([[200, answer]]);
  for (const [status, codes] of errorsByStatus(errors)) {
    const forms = codes.map((code) => errorSchema(code, details[code]));
    const [only, ...more] = forms;
    if (only) schemas.set(status, more.length === 0 ? only : z.union(forms));
  }
  return schemas;
}

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

function toSchema(schema: z.ZodType, components: Json): unknown {
  const json = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
  // The dialect is that of the whole document.
  delete json.$schema;
  return hoist(json, components);
}

function toParameter({ name, in: place, required, description, schema, example }: PublishedParameter): Json {
  const isList = schema['type'] === 'array';
  return {
    name,
    in: place,
    required,
    description,
    ...(isList ? { style: 'form', explode: false } : {}),
    schema,
    ...(example === undefined ? {} : { example: isList ? [example] : example }),
  };
}

const otherContents = ({ otherForms = [] }: PublishedEndpoint): Json =>
  Object.fromEntries(
    otherForms.map(({ mediaType, description }) => [mediaType, { schema: { type: 'string', description } }]),
  );

function toResponses(endpoint: PublishedEndpoint, components: Json): Json {
  const responses: Json = {
    304: {
      description: 'What If-None-Match names is still current; no body.',
      headers: HEADERS_OF_ANSWERS,
    },
  };
  const errors = errorsByStatus(endpoint.errors);
  for (const [status, schema] of answerSchemas(endpoint)) {
    const codes = errors.get(status) ?? [];
    const description = codes.map((code) => `\`${code}\`: ${ERROR_TABLE[code].title}`).join(' ');
    const type = status === 200 ? (endpoint.mediaType ?? 'application/json') : 'application/json';
    const isRetryable = codes.some((code) => ERROR_TABLE[code].retryable);
    responses[status] = {
      description:
        status === 200 ? `${endpoint.summary}: the data, and what is to be known of them.` : description,
      headers: status === 200 ? HEADERS_OF_ANSWERS : isRetryable ? HEADERS_OF_RETRYABLE : HEADERS,
      content: {
        [type]: { schema: toSchema(schema, components) },
        ...(status === 200 && otherContents(endpoint)),
      },
    };
  }
  return responses;
}

/** The OpenAPI 3.1 document of a service, made of the endpoints themselves. */
export function openapiDocument(service: ServiceDescription, endpoints: readonly PublishedEndpoint[]): Json {
  const schemas: Json = {};
  const paths: Json = {};
  for (const endpoint of endpoints) {
    paths[endpoint.path.replace(/:(\w+)/g, '{$1}')] = {
      get: {
        operationId: endpoint.name,
        tags: [endpoint.group],
        summary: endpoint.summary,
        description: endpoint.description,
        parameters: endpoint.parameters.map(toParameter),
        responses: toResponses(endpoint, schemas),
      },
    };
  }
  const { tags, ...info } = service;
  return {
    openapi: '3.1.0',
    info: { ...info, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/', description: 'This service.' }],
    security: [],
    tags,
    paths,
    components: { schemas },
  };
}
