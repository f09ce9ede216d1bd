import { isRecord } from './fetch-json.ts';

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
const listIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** A fault of a 400. */
export type Fault = ReturnType<typeof faultsOf>[number];

/** The faults in the `details` of a 400, as far as they have the published form; a missing member is empty. */
export function faultsOf(details: unknown) {
  if (!Array.isArray(details)) return [];
  return details.filter(isRecord).map(({ parameter, given, reason, allowed, values, nearest }) => ({
    parameter: textIn(parameter),
    given: textIn(given),
    /** The fault, and the allowed input, in the service's English. */
    reason: textIn(reason),
    allowed: textIn(allowed),
    /** Values of a closed set, and those near to the given one. */
    values: listIn(values),
    nearest: listIn(nearest),
  }));
}
