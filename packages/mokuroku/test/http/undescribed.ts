type Json = Readonly<Record<string, unknown>>;

/** Every member of every object in a schema, with its path. */
function* members(value: unknown, path: string): Generator<[string, Json]> {
  if (Array.isArray(value)) {
    for (const item of value) yield* members(item, path);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      if (key !== 'properties') yield* members(item, `${path}.${key}`);
      else {
        for (const [name, member] of Object.entries(item as Record<string, Json>)) {
          yield [`${path}.${name}`, member];
          yield* members(member, `${path}.${name}`);
        }
      }
    }
  }
}

const isNested = (schema: Json) =>
  '$ref' in schema || 'allOf' in schema || schema['type'] === 'array' || schema['type'] === 'object';

/** Nested schemas describe their own members. */
function isDescribed(schema: Json): boolean {
  if (isNested(schema) || schema['type'] === 'null') return true;
  const { anyOf, description, example } = schema;
  if (description && example !== undefined) return true;
  return Array.isArray(anyOf) && (anyOf as Json[]).every(isDescribed);
}

/** The fields of an OpenAPI document without a description or an example. */
export function undescribedFields(document: unknown): string[] {
  return [...members(document, 'document')]
    .filter(([name, schema]) => !name.endsWith('.details') && !isDescribed(schema))
    .map(([name]) => name);
}
