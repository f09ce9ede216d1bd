import { z } from 'zod';

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
    z.looseObject({ content: z.record(z.string(), z.looseObject({ schema: z.unknown() })).optional() }),
  ),
});
export const OPENAPI_DOCUMENT = z.object({
  info: z.object({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.object({ get: OPERATION.optional() })),
  components: z
    .object({
      parameters: z.record(z.string(), PARAMETER).optional(),
      schemas: z.record(z.string(), z.unknown()).optional(),
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
  /** The rows of the result are paged by `first` and `count`. */
  isPaged?: boolean;
  /** Members omitted unless `include_raw` is true. */
  omit?: readonly string[];
  /** A failed look-up is a result too. */
  hasFailures?: boolean;
  /** The component that describes each line of NDJSON. */
  line?: string;
}

const NOVEL_FIELDS = 't-n-u-w-g-k-nt-e-ga-l-gp-gl';
const REGISTRATION_OMITS = ['raw', 'hops'];

/** By operationId. An operation without an entry returns what the service returns. */
const COMPACT: Readonly<Record<string, CompactResult>> = {
  searchNovels: { defaults: { of: NOVEL_FIELDS, lim: 10 } },
  searchAdultNovels: { defaults: { of: 't-n-w-k-nt-e-ga-l-gp-gl', lim: 10 } },
  searchUsers: { defaults: { lim: 10 } },
  getRanking: { isPaged: true },
  getHydratedRanking: { defaults: { of: 't-w-g-nt-e-ga-l' }, isPaged: true },
  getRankingHistory: { isPaged: true },
  lookUpDomain: { omit: REGISTRATION_OMITS, hasFailures: true },
  lookUpMany: { omit: REGISTRATION_OMITS, hasFailures: true, line: 'LookUp' },
};

const JSON_TYPE = 'application/json';
/** Formats for programs that read files; a tool returns JSON only. */
const HIDDEN_PARAMETERS: ReadonlySet<string> = new Set(['format', 'bom', 'feed']);
const RESULT_TYPES = [JSON_TYPE, 'application/x-ndjson'];
const CODE_TABLES = 'Code tables';
const ADULT = 'Adult novels';
const GROUPS_WITHOUT_TOOLS: ReadonlySet<string> = new Set([CODE_TABLES, 'Service']);

/** Rows of a result. */
export const DEFAULT_COUNT = 20;

const PAGE_SCHEMA = {
  first: { type: 'integer', minimum: 1, default: 1, description: 'Position of the first row to return.' },
  count: {
    type: 'integer',
    minimum: 1,
    maximum: 300,
    default: DEFAULT_COUNT,
    description: 'Rows to return.',
  },
};
const RAW_SCHEMA = {
  include_raw: {
    type: 'boolean',
    default: false,
    description: "Also return the registry's own text and the servers queried.",
  },
};

/** A tool that a client may call: one operation of a service. */
export interface Tool {
  /** `search_novels` */
  name: string;
  title: string;
  description: string;
  inputSchema: Readonly<Record<string, unknown>>;
  /** The form of the structured content. */
  outputSchema: Readonly<Record<string, unknown>>;
  compact: CompactResult;
  /** Throws TypeError naming a path parameter that is missing or invalid. */
  requestOf: (args: ToolArguments) => OperationRequest;
}

/** A GET for one operation of a service. */
export interface OperationRequest {
  operationId: string;
  /** Path parameters by name. */
  path: Readonly<Record<string, string>>;
  /** Without the question mark. */
  query: string;
  /** The whole URL: `/v1/novels?word=...` */
  url: string;
}

/** A code table, read as a resource. */
interface CodeTable {
  name: string;
  title: string;
  description: string;
  operationId: string;
  path: string;
}

/** The tools of a service for agents. */
export interface ServiceTools {
  tools: readonly Tool[];
  codeTables: readonly CodeTable[];
}

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function resolveParameters(operation: ToolOperation, document: OpenApiDocument): ToolParameter[] {
  const shared = document.components?.parameters ?? {};
  return (operation.parameters ?? []).flatMap((parameter) => {
    const resolved = '$ref' in parameter ? shared[parameter.$ref.split('/').at(-1) ?? ''] : parameter;
    return resolved && !HIDDEN_PARAMETERS.has(resolved.name) ? [resolved] : [];
  });
}

function propertyOf({ name, schema, description }: ToolParameter, { defaults }: CompactResult): unknown {
  const value = defaults?.[name];
  return { ...schema, description, ...(value !== undefined && { default: value }) };
}

function inputSchemaOf(parameters: readonly ToolParameter[], compact: CompactResult): Tool['inputSchema'] {
  const required = parameters.filter(({ required: isRequired }) => isRequired).map(({ name }) => name);
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(parameters.map((parameter) => [parameter.name, propertyOf(parameter, compact)])),
      ...(compact.isPaged && PAGE_SCHEMA),
      ...(compact.omit && RAW_SCHEMA),
    },
    ...(required.length > 0 && { required }),
  };
}

const FAILURE_SCHEMA = {
  type: 'object',
  properties: { error: { $ref: '#/components/schemas/ServiceError' } },
  required: ['error'],
};
const SHOWN_PAGE_SCHEMA = {
  type: 'object',
  properties: { first: { type: 'integer' }, count: { type: 'integer' }, total: { type: 'integer' } },
  required: ['first', 'count', 'total'],
};

/** The response of an operation as its tool returns it: rows with their page, lines as an array. */
function resultSchema({ responses }: ToolOperation, { hasFailures, isPaged, line }: CompactResult): unknown {
  const response = responses['200']?.content?.[JSON_TYPE]?.schema;
  const schema = line === undefined ? response : { $ref: `#/components/schemas/${line}` };
  const result = hasFailures ? { anyOf: [schema, FAILURE_SCHEMA] } : schema;
  if (line !== undefined) return { type: 'array', items: result };
  if (!isPaged) return result;
  const { properties, ...others } = result as Readonly<Record<'properties', object>>;
  return { ...others, properties: { ...properties, page: SHOWN_PAGE_SCHEMA } };
}

/** The published schema without its examples; the components that it names become its own. */
function outputSchemaOf(operation: ToolOperation, document: OpenApiDocument, compact: CompactResult) {
  const { omit = [] } = compact;
  const $defs: Record<string, unknown> = {};
  const copy = (schema: unknown): unknown =>
    JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
      if (key === 'example') return undefined;
      if (key === 'required' && Array.isArray(value))
        return (value as string[]).filter((name) => !omit.includes(name));
      if (key !== '$ref') return value;
      const name = String(value).split('/').at(-1) ?? '';
      if (!Object.hasOwn($defs, name)) {
        // Before its copy, which may refer to it.
        $defs[name] = true;
        $defs[name] = copy(document.components?.schemas?.[name] ?? true);
      }
      return `#/$defs/${name}`;
    });
  const result = copy(resultSchema(operation, compact));
  const sample = { const: true, description: 'The data are invented.' };
  return { type: 'object', properties: { sample, result }, required: ['result'], $defs };
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

function requestOf(
  operationId: string,
  template: string,
  parameters: readonly ToolParameter[],
  args: ToolArguments,
): OperationRequest {
  let url = template;
  const path: Record<string, string> = {};
  const query = new URLSearchParams();
  for (const { name, in: location } of parameters) {
    const value = args[name] ?? undefined;
    if (location === 'query' && value === undefined) continue;
    const text = argumentText(value);
    // A segment of dots only would be another path. Half a surrogate pair has no percent-encoding.
    if (text === undefined || (location === 'path' && /^\.*$|\p{Cs}/u.test(text)))
      throw new InvalidArgument(`The argument ${name} is missing or invalid.`);
    if (location === 'query') {
      query.set(name, text);
      continue;
    }
    path[name] = text;
    url = url.replace(`{${name}}`, encodeURIComponent(text));
  }
  const text = query.toString();
  return { operationId, path, query: text, url: text === '' ? url : `${url}?${text}` };
}

function toolOf(path: string, operation: ToolOperation, document: OpenApiDocument): Tool {
  const compact = COMPACT[operation.operationId] ?? {};
  const parameters = resolveParameters(operation, document);
  return {
    name: snakeCase(operation.operationId),
    title: operation.summary ?? operation.operationId,
    description: [operation.summary, operation.description].filter(Boolean).join('. '),
    inputSchema: inputSchemaOf(parameters, compact),
    outputSchema: outputSchemaOf(operation, document, compact),
    compact,
    requestOf: (args) => requestOf(operation.operationId, path, parameters, { ...compact.defaults, ...args }),
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
    if (group === CODE_TABLES) codeTables.push({ name, title, description, operationId, path });
    else if (!GROUPS_WITHOUT_TOOLS.has(group)) tools.push(toolOf(path, get, document));
  }
  return { tools, codeTables };
}
