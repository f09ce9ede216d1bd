import { z } from 'zod';

type Json = Record<string, unknown>;

interface PublishedPath {
  get: { responses: Partial<Record<string, { content?: Partial<Record<string, { schema: Json }>> }>> };
}

interface PublishedDocument {
  paths: Record<string, PublishedPath>;
  components: { schemas: Record<string, Json> };
}

/** Holds answers against what /openapi.json says of them. */
export interface PublishedAnswers {
  /** Throws where the answer of a path is not as published, or its status is not published there. */
  check: (path: string, status: number, body: unknown) => void;
}

function withoutReferences(value: unknown, schemas: Record<string, Json>): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutReferences(item, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...rest } = value as Json;
  if (typeof $ref === 'string') return withoutReferences(schemas[$ref.split('/').at(-1) ?? ''], schemas);
  return Object.fromEntries(
    Object.entries(rest).map(([key, item]) => [key, withoutReferences(item, schemas)]),
  );
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
  const routes = Object.keys(document.paths).map((template) => ({
    template,
    pattern: new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}/?$`),
  }));

  function schemaOf(template: string, status: number): z.ZodType {
    const key = `${template} ${status}`;
    const known = compiled.get(key);
    if (known) return known;
    const responses = document.paths[template]?.get.responses ?? {};
    const published = responses[status]?.content?.[JSON_TYPE]?.schema;
    if (!published) throw new Error(`${template} answers ${status}, which is not published`);
    const schema = z.fromJSONSchema(withoutReferences(published, document.components.schemas) as never);
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
