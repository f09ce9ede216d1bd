import { isRecord } from '../../src/process/json.ts';
import type { Json } from '../../src/process/json.ts';

/** Resolves a reference within the document; returns anything else unchanged. */
export function dereference(document: Json, value: unknown): unknown {
  if (!isRecord(value) || typeof value['$ref'] !== 'string') return value;
  return value['$ref']
    .split('/')
    .slice(1)
    .reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), document);
}
