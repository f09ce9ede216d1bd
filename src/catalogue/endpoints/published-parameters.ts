import { z } from 'zod';
import { textSchema } from '../../http/documented-schemas.ts';
import type { PublishedParameter } from '../../http/endpoint.ts';
import type { Parameter, ParameterTable } from '../novels/parameter.ts';

/** The published form of the faults of a request. */
export const PARAMETER_FAULTS = z
  .array(
    z
      .object({
        parameter: textSchema('Name of the parameter.', 'lim'),
        given: z
          .union([z.string(), z.array(z.string())])
          .optional()
          .meta({
            description: 'The given value, shortened if long; a list if given more than once.',
            example: '501',
          }),
        reason: textSchema('The fault.', 'must be at most 500'),
        allowed: textSchema('The allowed values.', 'a whole number from 1 to 500, in digits'),
        values: z
          .array(z.union([z.string(), z.number()]))
          .optional()
          .meta({ description: 'The allowed values of a closed set.', example: [0, 1] }),
        nearest: z
          .array(z.string())
          .optional()
          .meta({ description: 'The nearest valid dates.', example: ['2026-10-05', '2026-10-12'] }),
      })
      .meta({ title: 'ParameterFault', description: 'One fault of a request.' }),
  )
  .meta({ description: 'Every fault of the request.' });

/** The published schema describes the parsed value (a number, a list ...), not the text. */
function publishedParameter(
  name: string,
  parameter: Parameter,
  location: 'path' | 'query',
): PublishedParameter {
  const { description, example, byDefault, published = { type: 'string' }, values } = parameter;
  const isClosedSet =
    values && !('enum' in published) && !('pattern' in published) && published['type'] !== 'array';
  return {
    name,
    in: location,
    required: location === 'path' || parameter.required === true,
    description,
    schema: {
      ...published,
      ...(isClosedSet && { enum: [...values] }),
      ...(byDefault !== undefined && { default: byDefault }),
    },
    ...(example !== undefined && { example }),
  };
}

/** The published parameters of an endpoint, those without effect last. */
export function publishedParameters(definition: {
  path: ParameterTable;
  query: ParameterTable;
  accepted?: { names: readonly string[]; reason: string };
}): PublishedParameter[] {
  const { path, query, accepted } = definition;
  return [
    ...Object.entries(path).map(([name, parameter]) => publishedParameter(name, parameter, 'path')),
    ...Object.entries(query).map(([name, parameter]) => publishedParameter(name, parameter, 'query')),
    ...(accepted?.names ?? []).map((name) => ({
      name,
      in: 'query' as const,
      required: false,
      schema: { type: 'string' },
      description: `Accepted, without effect. ${accepted?.reason ?? ''}`,
    })),
  ];
}
