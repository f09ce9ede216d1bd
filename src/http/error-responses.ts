import { z } from 'zod';
import { ERROR_TABLE } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';

/** Every route can meet these. */
const COMMON: readonly ErrorCode[] = ['uri_too_long', 'rate_limited', 'internal', 'overloaded'];

function errorSchema(codes: readonly ErrorCode[], details: z.ZodType | undefined) {
  const described = codes.map((code) => `\`${code}\`: ${ERROR_TABLE[code].title}`).join(' ');
  const [first = 'internal'] = codes;
  return z
    .object({
      error: z.object({
        code: z.enum(codes).meta({ description: described, example: first }),
        message: z.string().meta({ description: 'For people.', example: ERROR_TABLE[first].title }),
        details: (details ?? z.unknown()).optional(),
      }),
    })
    .meta({ description: described });
}

/**
 * The error answers of a route by status, for its published schema: its own codes and those that every route can
 * meet. `details` tells the schema of an error's details where there is one.
 */
export function errorResponses(
  codes: readonly ErrorCode[],
  details: Partial<Record<ErrorCode, z.ZodType>> = {},
): Record<number, z.ZodType> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set([...codes, ...COMMON])) {
    const { status } = ERROR_TABLE[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const responses: Record<number, z.ZodType> = {};
  for (const [status, each] of byStatus) {
    const known = each.map((code) => details[code]).find((schema) => schema !== undefined);
    responses[status] = errorSchema(each, known);
  }
  return responses;
}
