import { z } from 'zod';
import { isRecord } from '../process/json.ts';
import type { Json } from '../process/json.ts';
import { text } from '../process/text.ts';
import type { Text } from '../process/text.ts';

// Published forms as zod schemas, and as JSON schemas. In the document of one language its text is the description.

/**
 * For an object that is one part of an `allOf`: it allows members of the other parts. WHOLE forbids all others.
 */
export const PART = { additionalProperties: undefined } as const;
export const WHOLE = { unevaluatedProperties: false } as const;

/** Schemas of single fields, with what the documents say of them in both languages. */
export const textSchema = (en: string, ja: string, example: string) => z.string().meta({ en, ja, example });

export const integerSchema = (en: string, ja: string, example: number) =>
  z.number().meta({ type: 'integer', en, ja, example });

export const dateSchema = (en: string, ja: string, example: string) =>
  z.string().meta({ format: 'date', en, ja, example });

/** What a successful response of an endpoint is. */
export const describeAnswer = (summary: Text): Text =>
  text(`${summary.en}: data and metadata.`, `${summary.ja}: データとメタデータ。`);

/**
 * Schemas with a title become components of that name, so that the document contains each once. Zod has descriptions as
 * strings: those in both languages are the members `en` and `ja`.
 */
function hoist(value: unknown, components: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => hoist(item, components));
  if (!isRecord(value)) return value;
  const { en, ja, ...members } = value;
  const copy: Json = {
    ...(en !== undefined && { description: { en, ja } }),
    ...Object.fromEntries(Object.entries(members).map(([key, item]) => [key, hoist(item, components)])),
  };
  const { title } = copy;
  if (typeof title !== 'string' || !('type' in copy)) return copy;
  components[title] ??= copy;
  return { $ref: `#/components/schemas/${title}` };
}

export function toSchema(schema: z.ZodType, components: Json): unknown {
  const json = z.toJSONSchema(schema);
  // The document states the dialect once.
  delete json.$schema;
  return hoist(json, components);
}
