import { z } from 'zod';
import { textSchema } from './documented-schemas.ts';
import type { PublishedParameter } from './endpoint.ts';
import { text } from '../process/text.ts';
import type { Text } from '../process/text.ts';
import type { Parameter, ParameterTable } from './parameter.ts';

/** The published form of the faults of a request. */
export const PARAMETER_FAULTS = z
  .array(
    z
      .object({
        parameter: textSchema('Name of the parameter.', 'パラメーターの名前。', 'lim'),
        given: z
          .union([z.string(), z.array(z.string())])
          .optional()
          .meta({
            en: 'The given value, shortened if long; a list if given more than once.',
            ja: '指定された値。長ければ省略。2 回以上なら一覧。',
            example: '501',
          }),
        reason: textSchema('The fault.', '誤り。', 'must be at most 500'),
        allowed: textSchema(
          'The allowed values.',
          '使用できる値。',
          'a whole number from 1 to 500, in digits',
        ),
        values: z
          .array(z.union([z.string(), z.number()]))
          .optional()
          .meta({
            en: 'The allowed values of a closed set.',
            ja: '決まった値の中から選ぶときの、すべての値。',
            example: [0, 1],
          }),
        nearest: z
          .array(z.string())
          .optional()
          .meta({
            en: 'The nearest valid dates.',
            ja: '最も近い有効な日付。',
            example: ['2026-10-05', '2026-10-12'],
          }),
      })
      .meta({ title: 'ParameterFault', en: 'One fault of a request.', ja: 'リクエストの誤り。' }),
  )
  .meta({ en: 'Every fault of the request.', ja: 'リクエストのすべての誤り。' });

/** The published schema describes the parsed value (a number, a list ...), not the text. */
function publishedParameter(
  name: string,
  parameter: Parameter,
  location: 'path' | 'query',
): PublishedParameter {
  const { en, ja, example, byDefault, published = { type: 'string' }, values } = parameter;
  const isClosedSet =
    values && !('enum' in published) && !('pattern' in published) && published['type'] !== 'array';
  return {
    name,
    in: location,
    required: location === 'path' || parameter.required === true,
    en,
    ja,
    schema: {
      ...published,
      ...(isClosedSet && { enum: [...values] }),
      ...(byDefault !== undefined && { default: byDefault }),
    },
    ...(example !== undefined && { example }),
  };
}

/** The parameters of an endpoint, as its definition lists them. */
export interface DeclaredParameters<Path extends ParameterTable, Query extends ParameterTable> {
  pathTable?: Path;
  queryTable?: Query;
  /** Parameters that are accepted but never have an effect, with the reason. */
  accepted?: { names: readonly string[]; reason: Text } | undefined;
}

/** The published parameters of an endpoint, those without effect last. */
export function publishedParameters({
  pathTable = {},
  queryTable = {},
  accepted = { names: [], reason: text('', '') },
}: DeclaredParameters<ParameterTable, ParameterTable>): PublishedParameter[] {
  return [
    ...Object.entries(pathTable).map(([name, parameter]) => publishedParameter(name, parameter, 'path')),
    ...Object.entries(queryTable).map(([name, parameter]) => publishedParameter(name, parameter, 'query')),
    ...accepted.names.map((name) => ({
      name,
      in: 'query' as const,
      required: false,
      schema: { type: 'string' },
      en: `Accepted, without effect. ${accepted.reason.en}`,
      ja: `受け付けますが効きません。${accepted.reason.ja}`,
    })),
  ];
}
