import type { PublishedParameter } from '../../http/endpoint.ts';
import type { QueryString } from '../../http/query-string.ts';
import { requireAdmission } from '../../http/rate-limit.ts';
import { invalidParameter, oneValue } from './look-up-domain.ts';
import type { RegistrationServices } from './look-up-domain.ts';

export const MAX_NAMES = 100;
/** Maximum concurrent look-ups; more would only wait for the limits of a registry. */
export const LOOK_UPS_AT_ONCE = 8;

export const NAMES_PARAMETER: PublishedParameter = {
  name: 'names',
  in: 'query',
  required: true,
  en: `Up to ${MAX_NAMES} names.`,
  ja: `${MAX_NAMES} 個までの名前。`,
  schema: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: MAX_NAMES },
  example: 'example.com,example.jp,free-name.org',
};

/** Parses the names (or zones) of a query, at most `max`; throws ServiceError `invalid_parameter`. */
export function readNames(
  query: QueryString,
  max = MAX_NAMES,
  parameter: 'names' | 'zones' = 'names',
): string[] {
  const allowed = `a list of 1 to ${Math.min(max, MAX_NAMES)} ${parameter}, separated by commas`;
  const list = oneValue(query, parameter, allowed);
  const names = list.split(',').map((name) => name.trim());
  if (names.length <= Math.min(max, MAX_NAMES) && !names.includes('')) return names;
  throw invalidParameter(parameter, allowed, list);
}

/** Counts one name of many; the first one is counted with the request itself. Throws ServiceError `rate_limited`. */
export async function countName(
  { limiter }: RegistrationServices,
  client: string,
  index: number,
): Promise<void> {
  if (index > 0) await requireAdmission(limiter, client);
}
