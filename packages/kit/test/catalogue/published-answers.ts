import { z } from 'zod';
import { isRecord } from '../../src/process/json.ts';
import type { Json } from '../../src/process/json.ts';
import { dereference } from '../http/dereference.ts';

interface PublishedDocument {
  paths: Record<string, { get: { responses: Record<string, unknown> } }>;
}

/** Validates responses against /openapi.json. */
export interface PublishedAnswers {
  /** Throws if a response of a path does not match its schema, or if its status is not published there. */
  check: (path: string, status: number, body: unknown) => void;
}

/** Merges two object schemas; the result is closed if the whole (`unevaluatedProperties`) or one of them is. */
function merged(one: Json, other: Json): Json {
  const both = { ...one, ...other };
  for (const [name, value] of Object.entries(one)) {
    const another = other[name];
    if (isRecord(value) && isRecord(another)) both[name] = merged(value, another);
    if (Array.isArray(value) && Array.isArray(another)) {
      const all = [value, another].flat() as unknown[];
      both[name] = name === 'enum' ? another : [...new Set(all)];
    }
  }
  if ('const' in both) delete both['enum'];
  return both;
}

/** A schema with every reference resolved and each `allOf` merged. */
function spelledOut(value: unknown, document: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => spelledOut(item, document));
  if (!isRecord(value)) return value;
  if ('$ref' in value) return spelledOut(dereference(document, value), document);
  const { allOf, unevaluatedProperties, ...rest } = Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, spelledOut(item, document)]),
  );
  if (!Array.isArray(allOf)) return rest;
  const whole = (allOf as Json[]).reduce(merged, rest);
  return unevaluatedProperties === false ? { ...whole, additionalProperties: false } : whole;
}

const JSON_TYPE = 'application/json';

const UNROUTED = z.strictObject({
  error: z.strictObject({
    code: z.enum([
      'not_found',
      'method_not_allowed',
      'invalid_parameter',
      'uri_too_long',
      'rate_limited',
      'overloaded',
    ]),
    message: z.string().min(1),
    details: z.unknown().optional(),
  }),
});

export function publishedAnswers(document: PublishedDocument): PublishedAnswers {
  const compiled = new Map<string, z.ZodType>();
  const parametersIn = (template: string) => template.split('{').length;
  const routes = Object.keys(document.paths)
    .sort((a, b) => parametersIn(a) - parametersIn(b))
    .map((template) => ({
      template,
      pattern: new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}/?$`),
    }));

  function schemaOf(template: string, status: number): z.ZodType {
    const key = `${template} ${status}`;
    const validator = compiled.get(key);
    if (validator) return validator;
    const response = spelledOut(document.paths[template]?.get.responses[status], { ...document }) as
      { content?: Partial<Record<string, { schema: Json }>> } | undefined;
    const published = response?.content?.[JSON_TYPE]?.schema;
    if (!published) throw new Error(`${template} answers ${status}, which is not published`);
    const schema = z.fromJSONSchema(published);
    compiled.set(key, schema);
    return schema;
  }

  return {
    check: (path, status, body) => {
      // The more literal path wins, as in the router: /v1/novels before /v1/novels/{ncode}.
      const route = routes.find(({ pattern }) => pattern.test(path.split(/[?#]/, 1)[0] ?? ''));
      const schema = route && status !== 405 ? schemaOf(route.template, status) : UNROUTED;
      const result = schema.safeParse(body);
      if (!result.success) {
        throw new Error(`${path} answers ${status} not as published: ${z.prettifyError(result.error)}`);
      }
    },
  };
}
