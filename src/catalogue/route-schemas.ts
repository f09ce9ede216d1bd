import type { FastifySchema } from 'fastify';
import { z } from 'zod';
import { errorResponses } from '../http/error-responses.ts';
import { metaSchema } from './envelope.ts';
import type { CatalogueRoute } from './endpoints/index.ts';
import type { Parameter, ParameterTable } from './novels/parameter.ts';

/** The published form of a fault of a request. */
export const PARAMETER_FAULT = z
  .object({
    parameter: z.string().meta({ description: 'Name of the parameter.', example: 'lim' }),
    given: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .meta({
        description: 'What was given, cut when long; a list when it was given more than once.',
        example: '501',
      }),
    reason: z.string().meta({ description: 'What is wrong with it.', example: 'above 500' }),
    allowed: z
      .string()
      .meta({ description: 'What would be right.', example: 'a whole number from 1 to 500, in digits' }),
    values: z
      .array(z.union([z.string(), z.number()]))
      .optional()
      .meta({ description: 'The members of a closed set.', example: [0, 1] }),
    nearest: z
      .array(z.string())
      .optional()
      .meta({ description: 'Valid dates next to the one given.', example: ['2026-10-05', '2026-10-12'] }),
  })
  .meta({ title: 'ParameterFault', description: 'One fault of a request.' });

const DETAILS = {
  invalid_parameter: z.array(PARAMETER_FAULT).meta({ description: 'Every fault of the request.' }),
};

/**
 * A parameter as published. The schema that reads it takes text; what is shown is what the text means: a number, a
 * list separated by commas.
 */
function publishedParameter(parameter: Parameter): z.ZodType {
  const { description, example, byDefault, published = { type: 'string' }, values } = parameter;
  const isList = published['type'] === 'array';
  return z.any().meta({
    ...published,
    ...(values && !('enum' in published) && !isList && !('pattern' in published)
      ? { enum: [...values] }
      : {}),
    ...(isList ? { style: 'form', explode: false } : {}),
    ...(byDefault === undefined ? {} : { default: byDefault }),
    ...(example === undefined ? {} : { example: isList ? [example] : example }),
    description: parameter.added ? `${description} (Beside the first contract.)` : description,
  });
}

function publishedTable(table: ParameterTable, required: boolean): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(table).map(([name, parameter]) => {
      const schema = publishedParameter(parameter);
      return [name, required ? schema : schema.optional()];
    }),
  );
}

/** What Fastify publishes of a route: parameters, the envelope around its data, every error by status. */
export function routeSchema({ name, endpoint }: CatalogueRoute): FastifySchema {
  const { inert } = endpoint;
  const query = publishedTable(endpoint.query, false);
  for (const each of inert?.names ?? []) {
    query[each] = z
      .any()
      .optional()
      .meta({ type: 'string', description: `Accepted, without effect. ${inert?.reason ?? ''}` });
  }
  const hasPath = Object.keys(endpoint.path).length > 0;
  const schema = {
    operationId: name,
    tags: [endpoint.group],
    summary: endpoint.summary,
    description: endpoint.description,
    ...(hasPath ? { params: z.object(publishedTable(endpoint.path, true)) } : {}),
    ...(Object.keys(query).length > 0 ? { querystring: z.object(query) } : {}),
    response: {
      200: z
        .object({ data: endpoint.data, meta: metaSchema(endpoint.source, endpoint.meta ?? {}) })
        .meta({ description: `${endpoint.summary}: the data, and what is to be known of them.` }),
      ...errorResponses(endpoint.errors, { ...DETAILS, ...endpoint.details }),
    },
  };
  return schema;
}
