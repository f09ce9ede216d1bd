import { z } from 'zod';
import { ALLOWED, FAULTS } from '../fault-texts.ts';
import type { Text } from '../process/text.ts';
import { textSchema } from './json-schemas.ts';

/** One parameter of an endpoint: the schema that parses its text, and its description. */
export interface Parameter<Value = unknown> extends Text {
  /** Parses the decoded text. The published description shows its output form. */
  readonly schema: z.ZodType<Value, string>;
  /** The allowed input as a noun phrase: for faults and for the published description. */
  readonly allowed: string;
  /** The allowed values of a closed set. */
  readonly values?: readonly (string | number)[];
  readonly example?: string | number;
  /** The default value. */
  readonly byDefault?: string | number;
  /** True: a request without it is rejected. */
  readonly required?: boolean;
  /** Of a path: the body repeats its text as the request has it. */
  readonly isRepeated?: boolean;
  /** Between the members of a list, whose name may be repeated instead. */
  readonly separator?: ',' | '-';
  /** JSON schema to publish instead of the schema's own output form. */
  readonly published?: Readonly<Record<string, unknown>>;
}

/** Texts about a parameter of any kind. */
export type About = Text & Partial<Pick<Parameter, 'example' | 'byDefault' | 'required'>>;

export type ParameterTable = Readonly<Record<string, Parameter>>;

/** The parsed values of a table's parameters; each is optional. */
export type ParameterValues<Table extends ParameterTable> = {
  -readonly [Name in keyof Table]?: Table[Name] extends Parameter<infer Value> ? Value : never;
};

/** One value of a closed set in exactly this spelling. `reasons` explains values that look similar. */
export function oneOf<Value extends string>(
  values: readonly Value[],
  about: About,
  reasons: Readonly<Record<string, string>> = {},
): Parameter<Value> {
  const reasonOf = (given: unknown) =>
    typeof given === 'string' && Object.hasOwn(reasons, given) ? reasons[given] : undefined;
  const error = (issue: { input?: unknown }) => reasonOf(issue.input) ?? FAULTS.unknownValue.en;
  return {
    ...about,
    schema: z.enum(values, { error }),
    allowed: ALLOWED.oneOf(values.join(', ')).en,
    values,
  };
}

/** The faults of a request: `error.details` of a 400. */
export const PARAMETER_FAULTS = z
  .array(
    z
      .object({
        parameter: textSchema('Name of the parameter.', 'パラメーターの名前。', 'lim'),
        given: z
          .union([z.string(), z.array(z.string())])
          .optional()
          .meta({
            en: 'The given value, shortened if long; a list if given more than once.',
            ja: '指定された値。長ければ省略。2 回以上なら一覧。',
            example: '501',
          }),
        reason: textSchema('The fault.', '誤り。', 'must be at most 500'),
        allowed: textSchema(
          'The allowed values.',
          '使用できる値。',
          'a whole number from 1 to 500, in digits',
        ),
        values: z
          .array(z.union([z.string(), z.number()]))
          .optional()
          .meta({
            en: 'The allowed values of a closed set.',
            ja: '決まった値の中から選ぶときの、すべての値。',
            example: [0, 1],
          }),
        nearest: z
          .array(z.string())
          .optional()
          .meta({
            en: 'The nearest valid dates.',
            ja: '最も近い有効な日付。',
            example: ['2026-10-05', '2026-10-12'],
          }),
      })
      .meta({ title: 'ParameterFault', en: 'One fault of a request.', ja: 'リクエストの誤り。' }),
  )
  .meta({ en: 'Every fault of the request.', ja: 'リクエストのすべての誤り。' });

export type ParameterFault = z.infer<typeof PARAMETER_FAULTS>[number];

const MAX_SHOWN = 100;

/** The given text, truncated between characters, so that a long query is not echoed whole. */
export function shownText(text: string): string {
  if (text.length <= MAX_SHOWN) return text;
  return `${text.slice(0, MAX_SHOWN).replace(/[\ud800-\udbff]$/, '')}...`;
}

/** The fault of a parameter that is given once, or more often than allowed. */
export function parameterFault(
  name: string,
  { allowed, values }: Pick<Parameter, 'allowed' | 'values'>,
  given: string | readonly string[],
  reason: string,
): ParameterFault {
  return {
    parameter: name,
    given: typeof given === 'string' ? shownText(given) : given.map(shownText),
    reason,
    allowed,
    ...(values && { values: [...values] }),
  };
}

/** A parsed query string. Repeated names and invalid escapes stay visible. */
export interface QueryString {
  /** Decoded values by name, in the order given. */
  values: Map<string, string[]>;
  /** Parts, as written, whose percent-encoding cannot be decoded. With the most of them, the rest is not read. */
  malformed: string[];
}

/** Two characters of an address are an exception, and a fault of a hundred bytes. */
const MAX_MALFORMED = 20;

const PLUS = /\+/g;

/** Undefined if it is not percent-encoded UTF-8. */
export function decodePart(part: string): string | undefined {
  try {
    return decodeURIComponent(part.replace(PLUS, ' '));
  } catch {
    return undefined;
  }
}

/** Parses `a=1&b=%E7%8C%AB` (without the question mark). `+` is a blank, as in HTML forms. */
export function parseQueryString(text: string): QueryString {
  const values = new Map<string, string[]>();
  const malformed: string[] = [];
  if (text === '') return { values, malformed };
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decodePart(equals < 0 ? pair : pair.slice(0, equals));
    const value = decodePart(equals < 0 ? '' : pair.slice(equals + 1));
    if (name === undefined || value === undefined) {
      if (malformed.push(pair) === MAX_MALFORMED) break;
      continue;
    }
    const earlier = values.get(name);
    if (earlier) earlier.push(value);
    else values.set(name, [value]);
  }
  return { values, malformed };
}

interface ReadParameters<Table extends ParameterTable> {
  values: ParameterValues<Table>;
  /** All faults, not only the first. */
  faults: ParameterFault[];
  /** Names of unknown parameters, in the given order. */
  ignored: string[];
}

/** `genre=201&genre=202` and `genre[]=201&genre[]=202`, as forms and HTTP libraries write lists, mean `genre=201,202`. */
function joinLists(table: ParameterTable, { values }: QueryString): Map<string, readonly string[]> {
  const joined = new Map<string, readonly string[]>();
  for (const [name, given] of values) {
    const plain = name.endsWith('[]') ? name.slice(0, -2) : name;
    const separator = table[plain]?.separator;
    const key = separator === undefined ? name : plain;
    const all = [...(joined.get(key) ?? []), ...given];
    joined.set(key, separator === undefined ? all : [all.join(separator)]);
  }
  return joined;
}

/** Parses a whole query by a table. Does not throw, so that faults of path, query and context are reported together. */
export function readParameters<Table extends ParameterTable>(
  table: Table,
  query: QueryString,
): ReadParameters<Table> {
  const values: Record<string, unknown> = {};
  const faults: ParameterFault[] = [];
  const ignored: string[] = [];
  const percentEncoded = { allowed: ALLOWED.percentEncoded.en };
  for (const part of query.malformed) {
    const name = shownText(part.split('=', 1)[0] ?? '');
    faults.push(parameterFault(name, percentEncoded, part, FAULTS.notPercentEncoded.en));
  }
  for (const [name, given] of joinLists(table, query)) {
    const parameter = Object.hasOwn(table, name) ? table[name] : undefined;
    if (parameter === undefined) {
      ignored.push(name);
    } else if (given.length > 1) {
      const once = { allowed: ALLOWED.once(parameter.allowed).en };
      faults.push(parameterFault(name, once, given, FAULTS.repeated(given.length).en));
    } else {
      const [text = ''] = given;
      const { data, error } = parameter.schema.safeParse(text);
      if (error)
        faults.push(parameterFault(name, parameter, text, error.issues[0]?.message ?? FAULTS.notUsable.en));
      else if (data !== undefined) values[name] = data;
    }
  }
  for (const [name, parameter] of Object.entries(table)) {
    if (parameter.required && !(name in values) && !faults.some((fault) => fault.parameter === name)) {
      faults.push(parameterFault(name, parameter, '', FAULTS.missing.en));
    }
  }
  return { values: values as ParameterValues<Table>, faults, ignored };
}
