import { ERROR_TABLE } from '../errors.ts';
import type { PublishedEndpoint } from './endpoint.ts';
import type { Examples } from './example-calls.ts';
import { describeAnswer, describeErrors, errorAnswers, toSchema } from './openapi-schemas.ts';
import type { Json } from '../process/json.ts';
import { text } from '../process/text.ts';
import { PUBLISHED_HEADERS, headersOn } from './published-headers.ts';

/** Components of the document. */
export const HEADERS: Json = Object.fromEntries(
  Object.entries(PUBLISHED_HEADERS).map(([name, { en, ja, example }]) => [
    name,
    { description: { en, ja }, schema: { type: 'string' }, example },
  ]),
);

const references = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const OF_ANSWERS = references(headersOn('all', 'answers'));
const OF_LISTS = references(headersOn('lists'));
const OF_ERRORS = references(headersOn('all'));
const OF_RETRYABLE = references(headersOn('all', 'retryable'));

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
      description: describeAnswer(summary),
      headers: endpoint.otherForms?.length ? { ...OF_ANSWERS, ...OF_LISTS } : OF_ANSWERS,
      content: { [mediaType]: whole, ...otherContents(endpoint, examples) },
    },
    304: {
      description: text(
        'If-None-Match is still current; no body.',
        'If-None-Match は最新のままです。本文なし。',
      ),
      headers: OF_ANSWERS,
    },
  };
  for (const { status, codes, schema } of errorAnswers(endpoint)) {
    const shown = codes.map((code) => [code, { value: examples.answers.errors[code] }] as const);
    responses[status] = {
      description: describeErrors(codes),
      headers: codes.some((code) => ERROR_TABLE[code].retryable) ? OF_RETRYABLE : OF_ERRORS,
      content: {
        'application/json': { schema: toSchema(schema, schemas), examples: Object.fromEntries(shown) },
      },
    };
  }
  return responses;
}
