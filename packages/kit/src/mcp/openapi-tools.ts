import { z } from 'zod';
import { TOOL_HINTS } from '../http/endpoint.ts';
import type { ToolHints } from '../http/endpoint.ts';
import { isRecord } from '../process/json.ts';

/** The used parts of an OpenAPI document. */
const PARAMETER = z.object({
  name: z.string(),
  in: z.enum(['path', 'query']),
  required: z.boolean().optional(),
  description: z.string().optional(),
  schema: z.record(z.string(), z.unknown()).optional(),
});
const OPERATION = z.object({
  /** Names a tool: agents accept these characters, and terminals obey none of them. */
  operationId: z.string().regex(/^\w{1,64}$/),
  summary: z.string().optional(),
  description: z.string().optional(),
  /** False: the source of the service can never answer it. */
  'x-available': z.boolean().default(true),
  'x-tool': z.union([z.literal(false), TOOL_HINTS]).optional(),
  parameters: z.array(z.union([z.object({ $ref: z.string() }), PARAMETER])).optional(),
  responses: z.record(
    z.string(),
    z.object({
      content: z
        .record(z.string(), z.object({ schema: z.record(z.string(), z.unknown()).optional() }))
        .optional(),
    }),
  ),
});
export const OPENAPI_DOCUMENT = z.object({
  /** Name of the service in the URIs of its resources. */
  'x-service': z.string(),
  info: z.object({ title: z.string(), version: z.string() }),
  /** Appended to the address, of which another beginning would make another host or port. */
  paths: z.record(z.string().startsWith('/'), z.object({ get: OPERATION.optional() })),
  components: z
    .object({
      parameters: z.record(z.string(), PARAMETER).optional(),
    })
    .optional(),
});
type OpenApiDocument = z.infer<typeof OPENAPI_DOCUMENT>;
type ToolParameter = z.infer<typeof PARAMETER>;
type ToolOperation = z.infer<typeof OPERATION>;

export type ToolArguments = Readonly<Record<string, unknown>>;

const JSON_TYPE = 'application/json';
/** Formats for programs that read files; a tool returns JSON only. */
const HIDDEN_PARAMETERS: ReadonlySet<string> = new Set(['format', 'bom', 'feed', 'lang']);
const RESULT_TYPES = [JSON_TYPE, 'application/x-ndjson'];
/** Rows of a result that is paged here. */
export const DEFAULT_COUNT = 20;
/** Rows of a list that the service pages. */
const DEFAULT_LIMIT = 10;
/** A list with one of these is paged by the service. */
const POSITIONS: ReadonlySet<string> = new Set(['st', 'since']);

const PAGE_SCHEMA = {
  first: { type: 'integer', default: 1, description: 'Position of the first row.' },
  count: { type: 'integer', maximum: 300, default: DEFAULT_COUNT, description: 'Rows.' },
};
const rawSchema = (omitted: readonly string[]) => ({
  include_raw: { type: 'boolean', description: `Also ${omitted.join(' and ')}, omitted by default.` },
});

/** A tool that a client may call: one operation of a service. */
export interface Tool {
  /** `search_things` */
  name: string;
  description: string;
  inputSchema: Readonly<Record<string, unknown>>;
  compact: ToolHints;
  /** The rows of the result are paged here, by `first` and `count`. */
  isPaged: boolean;
  /** The URL of a call: `/things?word=...`. Throws an Error that names a wrong argument. */
  urlOf: (args: ToolArguments) => string;
}

/** A code table, read as a resource. */
interface CodeTable {
  name: string;
  title: string;
  description: string;
  path: string;
}

/** The tools of a service for agents. */
export interface ServiceTools {
  tools: readonly Tool[];
  codeTables: readonly CodeTable[];
}

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Agents write it as true or false. */
const isFlag = ({ schema }: ToolParameter): boolean => String(schema?.['enum']) === '0,1';

function resolveParameters(
  operation: ToolOperation,
  document: OpenApiDocument,
  { describedBy }: ToolHints,
): ToolParameter[] {
  const shared = document.components?.parameters ?? {};
  return (operation.parameters ?? []).flatMap((parameter) => {
    const isShared = '$ref' in parameter;
    const resolved = isShared ? shared[parameter.$ref.split('/').at(-1) ?? ''] : parameter;
    if (!resolved || HIDDEN_PARAMETERS.has(resolved.name)) return [];
    if (!isShared || describedBy === undefined || resolved.schema?.['type'] === undefined) return [resolved];
    const schema = isFlag(resolved) ? resolved.schema : { type: resolved.schema['type'] };
    return [{ ...resolved, schema, description: undefined }];
  });
}

/** Every agent has the list of tools in its context: bounds that the service checks and describes are left out. */
const UNSHOWN_KEYWORDS: ReadonlySet<string> = new Set([
  'pattern',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
]);

function propertyOf(parameter: ToolParameter, { defaults }: ToolHints): unknown {
  const { name, schema, description } = parameter;
  const value = defaults?.[name];
  const shown = isFlag(parameter) ? { type: 'boolean' } : schema;
  const text = JSON.stringify({ ...shown, description, ...(value !== undefined && { default: value }) });
  return JSON.parse(text, (key, member: unknown) =>
    UNSHOWN_KEYWORDS.has(key) ? undefined : member,
  ) as unknown;
}

function inputSchemaOf(
  parameters: readonly ToolParameter[],
  compact: ToolHints,
  isPaged: boolean,
): Tool['inputSchema'] {
  const required = parameters.filter(({ required: isRequired }) => isRequired).map(({ name }) => name);
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(parameters.map((parameter) => [parameter.name, propertyOf(parameter, compact)])),
      ...(isPaged && PAGE_SCHEMA),
      ...(compact.omit && rawSchema(compact.omit)),
    },
    ...(required.length > 0 && { required }),
  };
}

/** Lists are joined by commas, flags become 1 and 0. Undefined for a value of another type. */
function argumentText(value: unknown, parameter: ToolParameter): string | undefined {
  if (typeof value === 'boolean' && isFlag(parameter)) return value ? '1' : '0';
  const values = parameter.schema?.['type'] === 'array' ? [value].flat() : [value];
  return values.every((each) => ['number', 'string'].includes(typeof each)) ? values.join(',') : undefined;
}

function urlOf(template: string, parameters: readonly ToolParameter[], args: ToolArguments): string {
  let url = template;
  const query = new URLSearchParams();
  for (const parameter of parameters) {
    const { name, in: location, description = '', schema } = parameter;
    const value = args[name] ?? undefined;
    if (location === 'query' && value === undefined) continue;
    const text = argumentText(value, parameter);
    // A segment of dots only would be another path. Half a surrogate pair has no percent-encoding.
    if (text === undefined || (location === 'path' && /^\.*$|\p{Cs}/u.test(text)))
      throw new Error(`Missing or wrong argument: ${name} (${String(schema?.['type'])}). ${description}`);
    if (location === 'query') query.set(name, text);
    else url = url.replace(`{${name}}`, encodeURIComponent(text));
  }
  return query.size === 0 ? url : `${url}?${query.toString()}`;
}

/** Whether the rows of a result are lines, or are in lists of its data. */
function isList({ responses }: ToolOperation): boolean {
  const schema = responses['200']?.content?.[JSON_TYPE]?.schema;
  const { data } = isRecord(schema?.['properties']) ? schema['properties'] : {};
  return schema === undefined || JSON.stringify(data ?? null).includes('"type":"array"');
}

/** Every list is paged here, or limited by the service: no result of a tool has all rows by default. */
function toolOf(path: string, operation: ToolOperation, own: ToolHints, document: OpenApiDocument): Tool {
  const { describedBy } = own;
  const parameters = resolveParameters(operation, document, own);
  const isPaged = isList(operation) && !parameters.some(({ name }) => POSITIONS.has(name));
  const isLimited = !isPaged && parameters.some(({ name }) => name === 'lim');
  const compact = { ...own, defaults: { ...(isLimited && { lim: DEFAULT_LIMIT }), ...own.defaults } };
  return {
    name: snakeCase(operation.operationId),
    description: [
      operation.description,
      describedBy && `Parameters without a description: as in ${snakeCase(describedBy)}.`,
    ]
      .filter(Boolean)
      .join(' '),
    inputSchema: inputSchemaOf(parameters, compact, isPaged),
    compact,
    isPaged,
    urlOf: (args) => urlOf(path, parameters, { ...compact.defaults, ...args }),
  };
}

/** The tools and code tables of a service, in the order of its document; `isComplete`: also those on request. */
export function readTools(document: OpenApiDocument, { isComplete }: { isComplete: boolean }): ServiceTools {
  const tools: Tool[] = [];
  const codeTables: CodeTable[] = [];
  for (const [path, { get }] of Object.entries(document.paths)) {
    const types = Object.keys(get?.responses['200']?.content ?? {});
    const hints = get?.['x-tool'] ?? {};
    if (!get?.['x-available'] || hints === false || (hints.isOnRequest && !isComplete)) continue;
    if (!types.some((type) => RESULT_TYPES.includes(type))) continue;
    const { operationId, summary: title = operationId, description = title } = get;
    if (hints.isResource) codeTables.push({ name: snakeCase(operationId), title, description, path });
    else tools.push(toolOf(path, get, hints, document));
  }
  return { tools, codeTables };
}
