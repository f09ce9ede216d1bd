import { z } from 'zod';
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
  operationId: z.string(),
  tags: z.array(z.string()).optional(),
  summary: z.string().optional(),
  description: z.string().optional(),
  /** False: the source of the service can never answer it. */
  'x-available': z.boolean().default(true),
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
  info: z.object({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.object({ get: OPERATION.optional() })),
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

/** Defaults that keep results small, and members that are omitted from a result. */
interface CompactResult {
  defaults?: Readonly<Record<string, string | number>>;
  /** Members omitted unless `include_raw` is true. */
  omit?: readonly string[];
  /** The tool that describes the shared parameters: an agent has them in its context once. */
  describedBy?: string;
}

const NOVEL_FIELDS = 't-n-u-w-g-k-nt-e-ga-l-gp-gl';
const REGISTRATION_OMITS = ['raw', 'hops'];

/** By operationId. Without an entry, an operation has the defaults of every list. */
const COMPACT: Readonly<Record<string, CompactResult>> = {
  searchNovels: { defaults: { of: NOVEL_FIELDS } },
  searchAdultNovels: { defaults: { of: 't-n-w-k-nt-e-ga-l-gp-gl' }, describedBy: 'search_novels' },
  getHydratedRanking: { defaults: { of: 't-w-g-nt-e-ga-l' }, describedBy: 'search_novels' },
  lookUpDomain: { omit: REGISTRATION_OMITS },
  lookUpMany: { omit: REGISTRATION_OMITS },
};

const JSON_TYPE = 'application/json';
/** Formats for programs that read files; a tool returns JSON only. */
const HIDDEN_PARAMETERS: ReadonlySet<string> = new Set(['format', 'bom', 'feed', 'lang']);
const RESULT_TYPES = [JSON_TYPE, 'application/x-ndjson'];
const CODE_TABLES = 'Code tables';
const ADULT = 'Adult novels';
const GROUPS_WITHOUT_TOOLS: ReadonlySet<string> = new Set([CODE_TABLES, 'Service']);
/** Another tool gives the same and more. */
const OPERATIONS_WITHOUT_TOOLS: ReadonlySet<string> = new Set(['getRanking']);

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
const RAW_SCHEMA = {
  include_raw: { type: 'boolean', description: "Also the registry's own text and the servers queried." },
};

/** A tool that a client may call: one operation of a service. */
export interface Tool {
  /** `search_novels` */
  name: string;
  description: string;
  inputSchema: Readonly<Record<string, unknown>>;
  compact: CompactResult;
  /** The rows of the result are paged here, by `first` and `count`. */
  isPaged: boolean;
  /** The URL of a call: `/v1/novels?word=...`. Throws InvalidArgument. */
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

function resolveParameters(
  operation: ToolOperation,
  document: OpenApiDocument,
  { describedBy }: CompactResult,
): ToolParameter[] {
  const shared = document.components?.parameters ?? {};
  return (operation.parameters ?? []).flatMap((parameter) => {
    const isShared = '$ref' in parameter;
    const resolved = isShared ? shared[parameter.$ref.split('/').at(-1) ?? ''] : parameter;
    if (!resolved || HIDDEN_PARAMETERS.has(resolved.name)) return [];
    if (!isShared || describedBy === undefined || resolved.schema?.['type'] === undefined) return [resolved];
    const { type, enum: values } = resolved.schema;
    const isFlag = String(values) === '0,1';
    return [{ ...resolved, schema: isFlag ? resolved.schema : { type }, description: '' }];
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

/** Whether the description names each value. */
function namesAll(description: string, values: unknown): boolean {
  return Array.isArray(values) && values.every((value) => description.includes(`${value}`));
}

function propertyOf({ name, schema, description = '' }: ToolParameter, { defaults }: CompactResult): unknown {
  if (String(schema?.['enum']) === '0,1')
    return { type: 'boolean', ...(description !== '' && { description }) };
  const value = defaults?.[name];
  const shown = JSON.stringify({ ...schema, description, ...(value !== undefined && { default: value }) });
  return JSON.parse(shown, (key, member: unknown) =>
    UNSHOWN_KEYWORDS.has(key) || member === '' || (key === 'enum' && namesAll(description, member))
      ? undefined
      : member,
  ) as unknown;
}

function inputSchemaOf(
  parameters: readonly ToolParameter[],
  compact: CompactResult,
  isPaged: boolean,
): Tool['inputSchema'] {
  const required = parameters.filter(({ required: isRequired }) => isRequired).map(({ name }) => name);
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(parameters.map((parameter) => [parameter.name, propertyOf(parameter, compact)])),
      ...(isPaged && PAGE_SCHEMA),
      ...(compact.omit && RAW_SCHEMA),
    },
    ...(required.length > 0 && { required }),
  };
}

/** An argument that cannot be part of a request. The message is for the agent. */
export class InvalidArgument extends Error {}

/** Undefined for an object, a list or null. */
function scalarText(value: unknown): string | undefined {
  if (typeof value === 'boolean') return value ? '1' : '0';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** Lists are joined by commas, flags become 1 and 0. Undefined for anything nested. */
function argumentText(value: unknown): string | undefined {
  if (!Array.isArray(value)) return scalarText(value);
  const texts = value.map(scalarText);
  return texts.includes(undefined) ? undefined : texts.join(',');
}

function urlOf(template: string, parameters: readonly ToolParameter[], args: ToolArguments): string {
  let url = template;
  const query = new URLSearchParams();
  for (const { name, in: location } of parameters) {
    const value = args[name] ?? undefined;
    if (location === 'query' && value === undefined) continue;
    const text = argumentText(value);
    // A segment of dots only would be another path. Half a surrogate pair has no percent-encoding.
    if (text === undefined || (location === 'path' && /^\.*$|\p{Cs}/u.test(text)))
      throw new InvalidArgument(`The argument ${name} is missing or invalid.`);
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
function toolOf(path: string, operation: ToolOperation, document: OpenApiDocument): Tool {
  const own = COMPACT[operation.operationId] ?? {};
  const { describedBy } = own;
  const parameters = resolveParameters(operation, document, own);
  const isPaged = isList(operation) && !parameters.some(({ name }) => POSITIONS.has(name));
  const isLimited = !isPaged && parameters.some(({ name }) => name === 'lim');
  const compact = { ...own, defaults: { ...(isLimited && { lim: DEFAULT_LIMIT }), ...own.defaults } };
  return {
    name: snakeCase(operation.operationId),
    description: [
      operation.description,
      describedBy && `Parameters without a description: as in ${describedBy}.`,
    ]
      .filter(Boolean)
      .join(' '),
    inputSchema: inputSchemaOf(parameters, compact, isPaged),
    compact,
    isPaged,
    urlOf: (args) => urlOf(path, parameters, { ...compact.defaults, ...args }),
  };
}

/** The tools and code tables of a service, in the order of its document. */
export function readTools(document: OpenApiDocument, { withAdult }: { withAdult: boolean }): ServiceTools {
  const tools: Tool[] = [];
  const codeTables: CodeTable[] = [];
  for (const [path, { get }] of Object.entries(document.paths)) {
    const [group = ''] = get?.tags ?? [];
    const types = Object.keys(get?.responses['200']?.content ?? {});
    if (!get?.['x-available'] || (group === ADULT && !withAdult)) continue;
    if (!types.some((type) => RESULT_TYPES.includes(type))) continue;
    const { operationId, summary: title = operationId, description = title } = get;
    const name = snakeCase(operationId);
    if (OPERATIONS_WITHOUT_TOOLS.has(operationId)) continue;
    if (group === CODE_TABLES) codeTables.push({ name, title, description, path });
    else if (!GROUPS_WITHOUT_TOOLS.has(group)) tools.push(toolOf(path, get, document));
  }
  return { tools, codeTables };
}
