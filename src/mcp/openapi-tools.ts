import { z } from 'zod';

/** What is read of an OpenAPI document; everything else in it is ignored. */
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
  parameters: z.array(z.union([z.object({ $ref: z.string() }), PARAMETER])).optional(),
  responses: z.record(z.string(), z.looseObject({ content: z.record(z.string(), z.unknown()).optional() })),
});
export const OPENAPI_DOCUMENT = z.object({
  info: z.object({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.object({ get: OPERATION.optional() })),
  components: z.object({ parameters: z.record(z.string(), PARAMETER).optional() }).optional(),
});
export type OpenApiDocument = z.infer<typeof OPENAPI_DOCUMENT>;
type Parameter = z.infer<typeof PARAMETER>;
type Operation = z.infer<typeof OPERATION>;

export type ToolArguments = Readonly<Record<string, unknown>>;

/** Values that keep results small where the client names none, and members that are left out of a result. */
interface CompactResult {
  defaults?: Readonly<Record<string, string | number>>;
  /** The result's rows are paged by `first` and `count`. */
  isPaged?: boolean;
  /** Members left out unless `include_raw` is true. */
  omit?: readonly string[];
}

const NOVEL_FIELDS = 't-n-u-w-g-k-nt-e-ga-l-gp-gl';
const REGISTRATION_OMITS = ['raw', 'hops'];

/** By operationId. An operation without a row returns what the service returns. */
const COMPACT: Readonly<Record<string, CompactResult>> = {
  searchNovels: { defaults: { of: NOVEL_FIELDS, lim: 10 } },
  searchAdultNovels: { defaults: { of: 't-n-w-k-nt-e-ga-l-gp-gl', lim: 10 } },
  searchUsers: { defaults: { lim: 10 } },
  getRanking: { isPaged: true },
  getHydratedRanking: { defaults: { of: 't-w-g-nt-e-ga-l' }, isPaged: true },
  getRankingHistory: { isPaged: true },
  lookUpDomain: { omit: REGISTRATION_OMITS },
  lookUpMany: { omit: REGISTRATION_OMITS },
};

/** Formats for programs that read files; a tool returns JSON only. */
const HIDDEN_PARAMETERS: ReadonlySet<string> = new Set(['format', 'bom', 'feed']);
const RESULT_TYPES = ['application/json', 'application/x-ndjson'];
export const CODE_TABLES = 'Code tables';
const ADULT = 'Adult novels';
const GROUPS_WITHOUT_TOOLS: ReadonlySet<string> = new Set([CODE_TABLES, 'Service']);

const PAGE_SCHEMA = {
  first: { type: 'integer', minimum: 1, default: 1, description: 'Position of the first row to return.' },
  count: { type: 'integer', minimum: 1, maximum: 300, default: 20, description: 'Rows to return.' },
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
  compact: CompactResult;
  /** `/v1/novels?word=...`. Throws TypeError naming a path parameter that is missing or unusable. */
  pathOf: (args: ToolArguments) => string;
}

/** A code table, read as a resource. */
export interface CodeTable {
  name: string;
  title: string;
  description: string;
  path: string;
}

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function resolveParameters(operation: Operation, document: OpenApiDocument): Parameter[] {
  const shared = document.components?.parameters ?? {};
  return (operation.parameters ?? []).flatMap((parameter) => {
    const found = '$ref' in parameter ? shared[parameter.$ref.split('/').at(-1) ?? ''] : parameter;
    return found && !HIDDEN_PARAMETERS.has(found.name) ? [found] : [];
  });
}

function propertyOf({ name, schema, description }: Parameter, { defaults }: CompactResult): unknown {
  const value = defaults?.[name];
  return { ...schema, description, ...(value !== undefined && { default: value }) };
}

function inputSchemaOf(parameters: readonly Parameter[], compact: CompactResult): Tool['inputSchema'] {
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

/** Lists are written with commas, flags as 1 and 0; what is none of these the service rejects by name. */
function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (Array.isArray(value)) return value.map(textOf).join(',');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
}

function pathOf(template: string, parameters: readonly Parameter[], args: ToolArguments): string {
  let path = template;
  const query = new URLSearchParams();
  for (const { name, in: place } of parameters) {
    const value = args[name];
    const text = value === undefined || value === null ? '' : textOf(value);
    if (place === 'query') {
      if (value !== undefined && value !== null) query.set(name, text);
      continue;
    }
    // A segment of dots only would name another path.
    if (/^\.*$/.test(text)) throw new TypeError(`The argument ${name} is required.`);
    path = path.replace(`{${name}}`, encodeURIComponent(text));
  }
  return query.size > 0 ? `${path}?${query.toString()}` : path;
}

function toolOf(path: string, operation: Operation, document: OpenApiDocument): Tool {
  const compact = COMPACT[operation.operationId] ?? {};
  const parameters = resolveParameters(operation, document);
  return {
    name: snakeCase(operation.operationId),
    title: operation.summary ?? operation.operationId,
    description: [operation.summary, operation.description].filter(Boolean).join('. '),
    inputSchema: inputSchemaOf(parameters, compact),
    compact,
    pathOf: (args) => pathOf(path, parameters, { ...compact.defaults, ...args }),
  };
}

/** The tools and code tables of a service, in the order of its document. */
export function readTools(
  document: OpenApiDocument,
  { withAdult }: { withAdult: boolean },
): { tools: Tool[]; codeTables: CodeTable[] } {
  const tools: Tool[] = [];
  const codeTables: CodeTable[] = [];
  for (const [path, { get }] of Object.entries(document.paths)) {
    const [group = ''] = get?.tags ?? [];
    const types = Object.keys(get?.responses['200']?.content ?? {});
    if (!get || (group === ADULT && !withAdult) || !types.some((type) => RESULT_TYPES.includes(type)))
      continue;
    const { operationId: name, summary: title = name, description = title } = get;
    if (group === CODE_TABLES) codeTables.push({ name: snakeCase(name), title, description, path });
    else if (!GROUPS_WITHOUT_TOOLS.has(group)) tools.push(toolOf(path, get, document));
  }
  return { tools, codeTables };
}
