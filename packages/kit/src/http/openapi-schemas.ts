import { z } from 'zod';
import { ERROR_TABLE } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import { ERROR_TEXTS } from '../error-texts.ts';
import { isRecord } from '../process/json.ts';
import type { Json } from '../process/json.ts';
import type { PublishedEndpoint } from './endpoint.ts';
import { text } from '../process/text.ts';
import type { Text } from '../process/text.ts';

// The bodies of responses as JSON schemas.

/**
 * For an object that is one part of an `allOf`: it allows members of the other parts. WHOLE forbids all others.
 */
export const PART = { additionalProperties: undefined } as const;
export const WHOLE = { unevaluatedProperties: false } as const;

/** What a successful response of an endpoint is. */
export const describeAnswer = (summary: Text): Text =>
  text(`${summary.en}: data and metadata.`, `${summary.ja}: データとメタデータ。`);

/** What each error means. */
export const describeErrors = (codes: readonly ErrorCode[]): Text =>
  text(
    codes.map((code) => `\`${code}\`: ${ERROR_TABLE[code].title}`).join(' '),
    codes.map((code) => `\`${code}\`: ${ERROR_TEXTS[code].ja.join('。')}`).join(' '),
  );

/** Every endpoint can meet these. */
const COMMON_ERRORS: readonly ErrorCode[] = ['uri_too_long', 'rate_limited', 'internal', 'overloaded'];

/** Members of every error. */
const SERVICE_ERROR = z
  .object({
    code: z.string().meta({
      en: 'The kind of error, for programs.',
      ja: 'エラーの種類（プログラム用）。',
      example: 'rate_limited',
    }),
    message: z.string().meta({ en: 'For people.', ja: '説明文。', example: 'Too many requests.' }),
    details: z
      .unknown()
      .optional()
      .meta({ en: 'Further details; their form depends on the code.', ja: '詳細。形はコードによります。' }),
  })
  .meta({
    ...PART,
    title: 'ServiceError',
    en: 'The response to every failure.',
    ja: 'すべてのエラーのレスポンス。',
  });

/** The schema of errors whose details have the same form. */
function errorSchema(codes: readonly ErrorCode[], details: z.ZodType | undefined): z.ZodType {
  const code = z.enum(codes).meta({
    ...describeErrors(codes),
    example: codes[0],
  });
  const members = z.object({ code, ...(details && { details: details.optional() }) }).meta(PART);
  return z.object({ error: z.intersection(SERVICE_ERROR, members).meta(WHOLE) });
}

function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): [Key, Item[]][] {
  const groups = new Map<Key, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups];
}

/** The error responses of an endpoint: by status, the possible codes and the schema of the body. */
export function errorAnswers({ errors, details = {} }: PublishedEndpoint) {
  const codes = new Set([...errors, ...COMMON_ERRORS]);
  return groupBy(codes, (code) => ERROR_TABLE[code].status).map(([status, those]) => {
    const forms = groupBy(those, (code) => details[code]).map(([form, same]) => errorSchema(same, form));
    const [only] = forms;
    return { status, codes: those, schema: only && forms.length === 1 ? only : z.union(forms) };
  });
}

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
