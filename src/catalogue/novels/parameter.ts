import type { z } from 'zod';
import type { QueryString } from '../../http/query-string.ts';

/** One parameter of an endpoint: the schema that reads it from its text, and what is said of it. */
export interface Parameter<Value = unknown> {
  /** Takes the decoded text. Its output form is what the published description shows. */
  readonly schema: z.ZodType<Value, string>;
  /** What would be right, as a noun phrase: for faults and for the published description. */
  readonly allowed: string;
  /** The allowed values of a closed set. */
  readonly values?: readonly (string | number)[];
  readonly description: string;
  readonly example?: string | number;
  /** The value that counts when the parameter is left out. */
  readonly byDefault?: string | number;
  /** True: a request without it is refused. */
  readonly required?: boolean;
  /** JSON schema to publish instead of the schema's own output form. */
  readonly published?: Readonly<Record<string, unknown>>;
}

export type ParameterTable = Readonly<Record<string, Parameter>>;

/** What a table's parameters read to; each may be left out. */
export type ParameterValues<Table extends ParameterTable> = {
  -readonly [Name in keyof Table]?: Table[Name] extends Parameter<infer Value> ? Value : never;
};

/** One fault of a request, as listed in `error.details` of a 400. */
export interface ParameterFault {
  parameter: string;
  given: string | string[];
  reason: string;
  allowed: string;
  values?: readonly (string | number)[];
  /** The nearest valid dates. */
  nearest?: readonly string[];
}

const MAX_SHOWN = 100;
const MAX_MALFORMED = 20;

/** What was given, cut so that a long query does not come back whole, and not within a character. */
export function shown(text: string): string {
  if (text.length <= MAX_SHOWN) return text;
  return `${text.slice(0, MAX_SHOWN).replace(/[\ud800-\udbff]$/, '')}...`;
}

export function faultOf(name: string, parameter: Parameter, given: string, reason: string): ParameterFault {
  const fault: ParameterFault = { parameter: name, given: shown(given), reason, allowed: parameter.allowed };
  if (parameter.values) fault.values = parameter.values;
  return fault;
}

function doubledFault(name: string, parameter: Parameter, given: readonly string[]): ParameterFault {
  return {
    parameter: name,
    given: given.slice(0, 5).map(shown),
    reason: `given more than once (${given.length} times)`,
    allowed: `at most one: ${parameter.allowed}`,
  };
}

/** Reads one parameter's text; the fault names what is wrong with it. */
function readParameter<Value>(
  name: string,
  parameter: Parameter<Value>,
  text: string,
): { value: Value } | { fault: ParameterFault } {
  const result = parameter.schema.safeParse(text);
  if (result.success) return { value: result.data };
  const reason = result.error.issues[0]?.message ?? 'not usable';
  return { fault: faultOf(name, parameter, text, reason) };
}

interface ReadParameters<Table extends ParameterTable> {
  values: ParameterValues<Table>;
  /** Every fault there is, not only the first. */
  faults: ParameterFault[];
  /** Names of parameters that this endpoint does not know, in the order given. */
  ignored: string[];
}

/** `genre[]=201&genre[]=202`, as many HTTP libraries write a list, is read as `genre=201,202`. */
function joinLists(table: ParameterTable, { values }: QueryString): Map<string, readonly string[]> {
  const joined = new Map<string, readonly string[]>();
  for (const [name, given] of values) {
    const plain = name.endsWith('[]') ? name.slice(0, -2) : '';
    const isList = Object.hasOwn(table, plain) && table[plain]?.published?.['type'] === 'array';
    const key = isList ? plain : name;
    joined.set(key, [...(joined.get(key) ?? []), ...(isList ? [given.join(',')] : given)]);
  }
  return joined;
}

/** Reads a whole query by a table. Nothing is thrown: faults of path, query and context are reported together. */
export function readParameters<Table extends ParameterTable>(
  table: Table,
  query: QueryString,
): ReadParameters<Table> {
  const values: Record<string, unknown> = {};
  const faults: ParameterFault[] = [];
  const ignored: string[] = [];
  for (const part of query.malformed.slice(0, MAX_MALFORMED)) {
    faults.push({
      parameter: shown(part.split('=', 1)[0] ?? ''),
      given: shown(part),
      reason: 'broken percent-encoding',
      allowed: 'percent-encoded UTF-8',
    });
  }
  for (const [name, given] of joinLists(table, query)) {
    const parameter = Object.hasOwn(table, name) ? table[name] : undefined;
    if (parameter === undefined) {
      ignored.push(name);
    } else if (given.length > 1) {
      faults.push(doubledFault(name, parameter, given));
    } else {
      const read = readParameter(name, parameter, given[0] ?? '');
      if ('fault' in read) faults.push(read.fault);
      else if (read.value !== undefined) values[name] = read.value;
    }
  }
  for (const [name, parameter] of Object.entries(table)) {
    if (parameter.required && !(name in values) && !faults.some((fault) => fault.parameter === name)) {
      faults.push(faultOf(name, parameter, '', 'missing'));
    }
  }
  return { values: values as ParameterValues<Table>, faults, ignored };
}
