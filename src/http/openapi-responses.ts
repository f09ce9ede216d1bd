import { ERROR_TABLE } from '../errors.ts';
import type { PublishedEndpoint } from './endpoint.ts';
import type { Examples } from './example-calls.ts';
import { errorAnswers, toSchema } from './openapi-schemas.ts';
import type { Json } from './openapi-schemas.ts';

const header = (description: string, example: string): Json => ({
  description,
  schema: { type: 'string' },
  example,
});

/** Components of the document. */
export const HEADERS: Json = {
  'X-Request-Id': header('Id of the request, also in the log of the service.', 'k3f9-2a'),
  RateLimit: header('Rest of the quota (IETF draft).', '"default";r=59;t=1'),
  'RateLimit-Policy': header('The quota: requests in a window of seconds.', '"default";q=60;w=60'),
  ETag: header('Weak validator over the data alone, for If-None-Match.', 'W/"Xo1q"'),
  'Cache-Control': header('How long the response may be cached, in seconds.', 'public, max-age=300'),
  Age: header('Seconds since the data were fetched.', '12'),
  'Cache-Status': header('Origin of the response (RFC 9211).', 'mokuroku; hit; ttl=288'),
  'X-Total-Count': header('Of a list: the number of all items.', '1432'),
  Link: header(
    'Of a list with further pages: the address of the next one (RFC 8288).',
    '<https://novels.example.org/v1/novels?st=21>; rel="next"',
  ),
  'Content-Disposition': header('Of CSV and lines: a file name.', 'attachment; filename="novels.csv"'),
  'Retry-After': header('Seconds after which the same request can succeed.', '30'),
};

const references = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const OF_ALL = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'];
const OF_ANSWERS = references([...OF_ALL, 'ETag', 'Cache-Control', 'Age', 'Cache-Status']);
const OF_LISTS = references(['X-Total-Count', 'Link', 'Content-Disposition']);
const OF_ERRORS = references(OF_ALL);
const OF_RETRYABLE = references([...OF_ALL, 'Retry-After']);

/** Example responses of an endpoint in one form, by the name of the call. */
function examplesIn(mediaType: string | undefined, endpoint: PublishedEndpoint, examples: Examples): Json {
  const { calls, answers } = examples;
  const own = calls.filter((call) => call.endpoint === endpoint.name && call.mediaType === mediaType);
  return Object.fromEntries(
    own.map(({ name, title }) => [name, { summary: title, value: answers.calls[name] }]),
  );
}

const otherContents = (endpoint: PublishedEndpoint, examples: Examples): Json =>
  Object.fromEntries(
    (endpoint.otherForms ?? []).map(({ mediaType, description }) => [
      mediaType,
      { schema: { type: 'string', description }, examples: examplesIn(mediaType, endpoint, examples) },
    ]),
  );

/** The responses of an endpoint by status, each with examples. */
export function toResponses(endpoint: PublishedEndpoint, examples: Examples, schemas: Json): Json {
  const { summary, answer, mediaType = 'application/json' } = endpoint;
  const whole = { schema: toSchema(answer, schemas), examples: examplesIn(undefined, endpoint, examples) };
  const responses: Json = {
    200: {
      description: `${summary}: data and metadata.`,
      headers: endpoint.otherForms?.length ? { ...OF_ANSWERS, ...OF_LISTS } : OF_ANSWERS,
      content: { [mediaType]: whole, ...otherContents(endpoint, examples) },
    },
    304: { description: 'If-None-Match is still current; no body.', headers: OF_ANSWERS },
  };
  for (const { status, codes, schema } of errorAnswers(endpoint)) {
    const shown = codes.map((code) => [code, { value: examples.answers.errors[code] }] as const);
    responses[status] = {
      description: codes.map((code) => `\`${code}\`: ${ERROR_TABLE[code].title}`).join(' '),
      headers: codes.some((code) => ERROR_TABLE[code].retryable) ? OF_RETRYABLE : OF_ERRORS,
      content: {
        'application/json': { schema: toSchema(schema, schemas), examples: Object.fromEntries(shown) },
      },
    };
  }
  return responses;
}
